import { expect, test } from 'vitest';
import { realTime } from '../../../src/kernel/time/realtime.ts';

/** More rounds than other events wake this process up within half a second. */
const ROUNDS = 50;

test('a task without a delay does not wait for another event to wake the process up', async () => {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
  }, 500);
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>(resolve => {
      // From a timer without other events, as when a KYC decision falls due and its webhook is sent.
      setTimeout(() => realTime.after(0, resolve));
    });
  }
  clearTimeout(limit);
  expect(isLate).toBe(false);
});
