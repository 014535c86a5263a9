import type { RealTime } from '../../core/time/realtime.ts';

/** The steps of one turn of the event loop. A step is a row at most, which takes some microseconds. */
const STEPS_PER_TURN = 50;

/** The pieces of a text that are made in one turn when there are no more. */
const PIECES_AT_ONCE = 4;

/** Resolves in a later turn of the event loop, after what has arrived from outside. */
function nextTurn(realTime: RealTime): Promise<void> {
  return new Promise(resolve => realTime.after(0, resolve));
}

/** Passes on each piece in a turn of the event loop of its own. */
export async function* onePerTurn<T>(pieces: Iterable<T>, realTime: RealTime): AsyncGenerator<T, void, void> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await nextTurn(realTime);
    isFirst = false;
    yield piece;
  }
}

/**
 * Returns a text that has few pieces at once, and otherwise its pieces, each to be made in a turn of the event loop of
 * its own.
 */
export function wholeOrPieces(
  pieces: Generator<Uint8Array>,
  realTime: RealTime,
): string | AsyncIterable<Uint8Array> {
  const first: Uint8Array[] = [];
  while (first.length < PIECES_AT_ONCE) {
    const { done, value } = pieces.next();
    if (done) return Buffer.concat(first).toString();
    first.push(value);
  }
  return onePerTurn(chain(first, pieces), realTime);
}

function* chain<T>(first: Iterable<T>, rest: Iterable<T>): Generator<T> {
  yield* first;
  yield* rest;
}

/** Takes all steps in as many turns as they need, and resolves with their result. */
export async function inTurns<T>(steps: Generator<undefined, T>, realTime: RealTime): Promise<T> {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % STEPS_PER_TURN === 0) await nextTurn(realTime);
  }
}

/** Takes all steps now, and returns their result. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
