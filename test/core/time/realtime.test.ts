import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';

/** More rounds than other events wake this process up within the limit. A round takes about a millisecond. */
const ROUNDS = 500;
const LIMIT_MS = 30_000;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('a task without a delay does not wait for another event to wake the process up', async () => {
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
  }, LIMIT_MS);
  for (let round = 0; round < ROUNDS && !isLate; round++) {
    await new Promise<void>(resolve => {
      // From a timer without other events, as when a KYC decision falls due and its webhook is sent.
      setTimeout(() => realTime.after(0, resolve));
    });
  }
  clearTimeout(limit);
  expect(isLate).toBe(false);
});

test('tasks run in order, also those that have to wait for a later turn', async () => {
  const ran: number[] = [];
  await new Promise<void>(resolve => {
    const busy = () => {
      const end = performance.now() + 2;
      while (performance.now() < end);
    };
    for (let number = 0; number < 10; number++) {
      realTime.after(0, () => {
        ran.push(number);
        busy();
        realTime.after(0, () => ran.push(100 + number));
      });
    }
    realTime.after(50, resolve);
  });
  await vi.waitFor(() => expect(ran).toHaveLength(20));
  expect(ran).toEqual([...ran].toSorted((a, b) => a - b));
});

test('a task that is cancelled leaves nothing behind, whatever its delay is', () => {
  const heapAfter = (firstDelayMs: number) => {
    for (let count = 0; count < 50_000; count++) realTime.after(firstDelayMs + count, () => undefined)();
    collect();
    return process.memoryUsage().heapUsed;
  };
  heapAfter(3_600_000);
  const before = heapAfter(7_200_000);
  // 200 bytes for each delay would be 10 MB.
  expect(heapAfter(10_800_000) - before).toBeLessThan(5_000_000);
});

test('a task that has run leaves nothing behind, also where others are cancelled and some always wait', async () => {
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let left = 100_000;
  const chain = (resolve: (bytes: number) => void) => {
    realTime.after(0, () => undefined)();
    left -= 1;
    if (left === 0) resolve(heap() - before);
    else if (left > 0) realTime.after(0, () => chain(resolve));
  };
  const kept = await new Promise<number>(resolve => {
    realTime.after(0, () => undefined);
    chain(resolve);
    chain(resolve);
  });
  // 50 bytes for each task would be 10 MB.
  expect(kept).toBeLessThan(5_000_000);
});

test('tens of thousands of tasks at the end of a turn run in order, without those that were cancelled', async () => {
  const run: number[] = [];
  const cancels: (() => void)[] = [];
  await new Promise<void>(resolve => {
    for (let number = 0; number < 30_000; number++) {
      cancels.push(realTime.after(0, () => run.push(number)));
    }
    for (let number = 0; number < 30_000; number += 3) cancels[number]?.();
    realTime.after(0, resolve);
  });
  expect(run).toEqual(Array.from({ length: 30_000 }, (_, number) => number).filter(number => number % 3 > 0));
});

test('a task that is added or cancelled by another one at the end of a turn runs last, or not at all', async () => {
  const run: string[] = [];
  await new Promise<void>(resolve => {
    let cancel = () => {};
    realTime.after(0, () => {
      run.push('first');
      cancel();
      realTime.after(0, () => {
        run.push('added');
        resolve();
      });
    });
    cancel = realTime.after(0, () => run.push('cancelled'));
    realTime.after(0, () => run.push('second'));
  });
  expect(run).toEqual(['first', 'second', 'added']);
});
