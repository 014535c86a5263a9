import * as z from 'zod';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { Duration } from '../../values/duration.ts';
import { Timestamp, TimestampText } from '../../values/timestamp.ts';

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
  run: ({ world }) => reply(200, world.clock.view()),
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
  async run({ world, body }) {
    return reply(200, await world.clock.advance(body.duration));
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
  async run({ world, body }) {
    return reply(200, await world.clock.freeze(body.at));
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
  async run({ world }) {
    return reply(200, await world.clock.resume());
  },
});

/** Operations on the sandbox clock. */
export const clockOperations = [getClock, advance, freeze, resume];
