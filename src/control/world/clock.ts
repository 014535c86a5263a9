import * as z from 'zod';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { Duration } from '../../kernel/values/duration.ts';
import { Timestamp, TimestampText } from '../../kernel/values/timestamp.ts';

const ClockView = z
  .strictObject({
    now: TimestampText,
    mode: z.enum(['running', 'frozen']),
    pendingTimers: z.int(),
  })
  .meta({ id: 'Clock' });

/** Moves of the clock wait for each other, except where that would be for ever. */
const MOVE_ERRORS = [{ status: 409, when: 'The clock is being advanced, and waits for the caller.' }];

const getClock = operation({
  id: 'clock.get',
  plane: 'control',
  method: 'GET',
  path: '/clock',
  summary: 'What time it is in the sandbox',
  fidelity: assumed('clock'),
  responses: { 200: ClockView },
  run: ({ world }) => reply(200, world.clock.view()),
});

const advance = operation({
  id: 'clock.advance',
  plane: 'control',
  method: 'POST',
  path: '/clock/advance',
  summary: 'Move the clock on and run everything that falls due on the way',
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
  summary: 'Stop the clock, where it is or at a given moment',
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
  summary: 'Let a stopped clock run on with wall time',
  fidelity: assumed('clock-moves'),
  responses: { 200: ClockView },
  errors: MOVE_ERRORS,
  async run({ world }) {
    return reply(200, await world.clock.resume());
  },
});

/** Control operations on the sandbox clock. */
export const clockOperations = [getClock, advance, freeze, resume];
