import { expect, test } from 'vitest';
import { realTime } from '../../../src/kernel/time/realtime.ts';

/** Whatever else wakes this process up does so less often than this in half a second. */
const ROUNDS = 50;

test('what is to happen at once does not wait for something else to wake the process up', async () => {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
  }, 500);
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>(resolve => {
      // Out of a timer, with nothing coming in: as when a decision falls due and its webhook is to be sent.
      setTimeout(() => realTime.after(0, resolve));
    });
  }
  clearTimeout(limit);
  expect(isLate).toBe(false);
});
