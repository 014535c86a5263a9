import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import { isoTime, Timestamp, TimestampText } from '../../core/values/timestamp.ts';

const ClockView = z
  .strictObject({
    now: TimestampText,
    mode: z.enum(['running', 'frozen']),
    pendingTimers: z.int(),
  })
  .meta({ id: 'Clock' });

/** Clock moves wait for each other, unless they would deadlock. */
const MOVE_ERRORS = [{ status: 409, when: 'A clock move in progress may be waiting for the caller.' }];

const getClock = operation({
  id: 'clock.get',
  plane: 'control',
  method: 'GET',
  path: '/clock',
  summary: 'Get the time in the sandbox',
  fidelity: assumed('clock'),
  responses: { 200: ClockView },
  run: ({ state }) => reply(200, state.clock.view()),
});

const advance = operation({
  id: 'clock.advance',
  plane: 'control',
  method: 'POST',
  path: '/clock/advance',
  summary: 'Advance the clock and run everything that falls due',
  fidelity: assumed('clock-moves'),
  body: z.object({ duration: Duration }),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ state, body }) {
    return reply(200, await state.clock.advance(body.duration));
  },
});

const freeze = operation({
  id: 'clock.freeze',
  plane: 'control',
  method: 'POST',
  path: '/clock/freeze',
  summary: 'Freeze the clock, now or at a specified time',
  fidelity: assumed('clock-moves'),
  body: z.object({ at: Timestamp.optional() }),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ state, body }) {
    return reply(200, await state.clock.freeze(body.at));
  },
});

const resume = operation({
  id: 'clock.resume',
  plane: 'control',
  method: 'POST',
  path: '/clock/resume',
  summary: 'Resume a frozen clock',
  fidelity: assumed('clock-moves'),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ state }) {
    return reply(200, await state.clock.resume());
  },
});

const MAX_TIMERS = 1_000;

const TimerView = z
  .strictObject({
    at: TimestampText.describe('Sandbox time at which it is due, ISO 8601.'),
    kind: z.string().describe('What it does, such as delivery.attempt.'),
    recordId: z.string().describe('Id of the record that it belongs to.'),
  })
  .meta({ id: 'Timer' });

const listTimers = operation({
  id: 'clock.timers',
  plane: 'control',
  method: 'GET',
  path: '/clock/timers',
  summary: 'List pending timers in the order in which they fall due',
  fidelity: assumed('clock-moves'),
  query: z.object({
    limit: wholeNumber(1, MAX_TIMERS, `must be a whole number from 1 to ${MAX_TIMERS}`).default(200),
  }),
  responses: { 200: z.array(TimerView) },
  run({ state, query }) {
    const views: z.input<typeof TimerView>[] = [];
    // There can be very many, of which only the first are read.
    for (const { at, value } of state.clock.snapshot().timers) {
      if (views.length === query.limit) break;
      views.push({ at: isoTime(at), kind: value.kind, recordId: value.ref });
    }
    return reply(200, views);
  },
});

export const clockOperations = [getClock, listTimers, advance, freeze, resume];
