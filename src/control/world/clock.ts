import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import { isoTime, Timestamp, TimestampText } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { scheduleLowChecks } from '../../service/balance/rules.ts';

const ClockView = z
  .strictObject({
    now: TimestampText,
    mode: z.enum(['running', 'frozen']),
    pendingTimers: z.int(),
  })
  .meta({ id: 'Clock' });

const TimerView = z
  .strictObject({
    at: TimestampText.describe('Sandbox time at which it is due, ISO 8601.'),
    kind: z.string().describe('What it does, such as delivery.attempt.'),
    recordId: z.string().describe('Id of the record that it belongs to.'),
  })
  .meta({ id: 'Timer' });

const MAX_TIMERS = 1_000;

/** Clock moves wait for each other, unless they would deadlock. */
const MOVE_ERRORS = [{ status: 409, when: 'A clock move in progress may be waiting for the caller.' }];

const getClock = operation({
  id: 'clock.get',
  plane: 'control',
  method: 'GET',
  path: '/clock',
  summary: 'Get the time in the sandbox, and the pending timers that fall due first',
  fidelity: assumed('clock'),
  query: z.object({
    timers: wholeNumber(1, MAX_TIMERS)
      .optional()
      .describe('How many pending timers to list, in the order in which they fall due. Default: none.'),
  }),
  responses: {
    200: ClockView.extend({
      timers: z
        .array(TimerView)
        .exactOptional()
        .describe('The first pending timers, where the query asks for them.'),
    }).meta({ id: 'ClockWithTimers' }),
  },
  run({ state: { clock }, query: { timers } }) {
    const view = clock.view();
    return reply(200, timers === undefined ? view : { ...view, timers: firstTimers(clock, timers) });
  },
});

const advance = operation({
  id: 'clock.advance',
  plane: 'control',
  method: 'POST',
  path: '/clock/advance',
  summary: 'Advance the clock and run everything that falls due',
  fidelity: assumed('clock-moves'),
  body: z.object({ duration: Duration.describe('How far, such as `90s`, `24h` or `7d`.') }),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ state, body, onBegin }) {
    return reply(200, await state.clock.advance(body.duration, onBegin));
  },
});

const freeze = operation({
  id: 'clock.freeze',
  plane: 'control',
  method: 'POST',
  path: '/clock/freeze',
  summary: 'Freeze the clock, now or at a specified time',
  fidelity: assumed('clock-moves'),
  body: z.object({ at: Timestamp.optional().describe('ISO 8601. Default: the time in the sandbox.') }),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ state, body, onBegin }) {
    const frozen = await state.clock.freeze(body.at, onBegin);
    scheduleLowChecks(state);
    return reply(200, frozen);
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
  async run({ state, onBegin }) {
    return reply(200, await state.clock.resume(onBegin));
  },
});

export const clockOperations = [getClock, advance, freeze, resume];

function firstTimers(clock: WorldState['clock'], count: number): z.input<typeof TimerView>[] {
  const views: z.input<typeof TimerView>[] = [];
  // There can be very many, of which only the first are read.
  for (const { at, value } of clock.snapshot().timers) {
    if (views.length === count) break;
    views.push({ at: isoTime(at), kind: value.kind, recordId: value.ref });
  }
  return views;
}
