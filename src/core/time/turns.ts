import { Buffer } from 'node:buffer';
import type { RealTime } from './realtime.ts';

/** The pieces of a text that are made in one turn when there are no more. */
const PIECES_AT_ONCE = 4;

/** Resolves in a later turn of the event loop, after what has arrived from outside. */
export function nextTurn(realTime: RealTime): Promise<void> {
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

/** Returns few pieces as one text, and otherwise each piece in a turn of the event loop of its own. */
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

/** Work in steps of some microseconds, such as a record each. Other work can run between two of them. */
export type Steps<T> = Generator<undefined, T, undefined>;

const STEPS_PER_TURN = 100;

/**
 * Takes all steps, a hundred in each turn of the event loop, and resolves with their result. Calls `onTurn` after each
 * turn with the number of those taken so far.
 */
export async function runInTurns<T>(
  steps: Steps<T>,
  realTime: RealTime,
  onTurn: (taken: number) => void = () => undefined,
): Promise<T> {
  for (let taken = 1; ; taken++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (taken % STEPS_PER_TURN !== 0) continue;
    onTurn(taken);
    await nextTurn(realTime);
  }
}

const STEPS_AT_ONCE = 500;

/** Takes all steps: now if there are few, and otherwise in turns of the event loop. */
export function runNowOrInTurns<T>(steps: Steps<T>, realTime: RealTime): T | Promise<T> {
  for (let count = 0; count < STEPS_AT_ONCE; count++) {
    const step = steps.next();
    if (step.done) return step.value;
  }
  return nextTurn(realTime).then(() => runInTurns(steps, realTime));
}

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The wall time for which work runs before other events of the process get their turn, in milliseconds. */
const SLICE_MS = 1;

/**
 * Cuts long work into slices, with a turn of the event loop between them. A slice ends with the turn in which it began,
 * however that ended: work that waits for something else in between needs no further turn. What shares the slices takes
 * turns, so that none waits until another has ended.
 */
export class Slices {
  readonly #realTime: RealTime;
  #endsAt: number | null = null;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Whether work may continue in this turn. Otherwise it continues in `nextTurn`. */
  hasTime(): boolean {
    const now = this.#realTime.elapsed();
    if (this.#endsAt === null) {
      this.#endsAt = now + SLICE_MS;
      this.#realTime.after(0, () => {
        this.#endsAt = null;
      });
    }
    return now < this.#endsAt;
  }

  /** Calls `work` in a later turn, in which there is time again, after all other work that waits. */
  nextTurn(work: () => void): void {
    this.#waiting.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#realTime.after(0, () => {
      this.#isScheduled = false;
      this.#runWaiting();
    });
  }

  #runWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let started = 0;
    do waiting[started++]?.();
    while (started < waiting.length && this.hasTime());
    if (started === waiting.length) return;
    this.#waiting = [...waiting.slice(started), ...this.#waiting];
    this.#schedule();
  }
}
