import { expect, test } from 'vitest';
import {
  onePerTurn,
  runInTurns,
  runNowOrInTurns,
  type Steps,
  wholeOrPieces,
} from '../../../src/core/time/turns.ts';
import { manualTime } from '../../support/manual-time.ts';

/** Wall time of which turns of the event loop take none; they are counted. */
function counting() {
  let turns = 0;
  const { realTime } = manualTime();
  const after = (_delayMs: number, task: () => void) => {
    turns += 1;
    queueMicrotask(task);
    return () => undefined;
  };
  return { realTime: { ...realTime, after }, turns: () => turns };
}

function* steps(count: number): Steps<string> {
  for (let step = 1; step <= count; step++) yield;
  return 'done';
}

function* texts(count: number): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.from(`${index}`);
}

test('the first piece comes in the turn in which it is asked for, and each other one in its own', async () => {
  const { realTime, turns } = counting();
  const seen: [number, number][] = [];
  for await (const piece of onePerTurn([1, 2, 3], realTime)) seen.push([piece, turns()]);
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
});

test('few pieces are one text, and more of them come in turns', async () => {
  const { realTime, turns } = counting();
  expect(wholeOrPieces(texts(3), realTime)).toBe('012');
  const pieces = wholeOrPieces(texts(6), realTime);
  if (typeof pieces === 'string') throw new Error('they are one text');
  let whole = '';
  for await (const piece of pieces) whole += Buffer.from(piece).toString();
  expect([whole, turns()]).toEqual(['012345', 5]);
});

test('few steps are taken at once, and more of them in turns', async () => {
  const { realTime, turns } = counting();
  expect(runNowOrInTurns(steps(400), realTime)).toBe('done');
  expect(turns()).toBe(0);
  const running = runNowOrInTurns(steps(600), realTime);
  expect(running).toBeInstanceOf(Promise);
  expect([await running, turns()]).toEqual(['done', 2]);
});

test('a turn has a hundred steps, and tells how many were taken', async () => {
  const { realTime, turns } = counting();
  const told: number[] = [];
  expect(await runInTurns(steps(250), realTime, taken => told.push(taken))).toBe('done');
  expect([told, turns()]).toEqual([[100, 200], 2]);
});
