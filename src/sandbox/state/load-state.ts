import { endsWithin, type RealTime } from '../../core/time/realtime.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { rowRules, tables } from '../tables.ts';
import { tasks } from '../tasks.ts';
import { onePerTurn, runInTurns } from '../turns.ts';
import { StateBusyError } from './document/state-error.ts';
import { StateReader } from './document/state-reader.ts';
import type { StateRules } from './document/state-shape.ts';

const STATE_RULES: StateRules = { tables, rowRules, tasks };

/** Creates a world from a snapshot. */
type MakeWorld = (from: WorldSnapshot) => WorldState;

/** Steps of one turn of the event loop. A step checks a row at most, which takes some microseconds. */
const STEPS_PER_TURN = 50;

/** How much of a document is read in one turn of the event loop. */
const BYTES_PER_TURN = 16 * 1024;

/** How long a document waits for another one to be loaded. */
const MAX_WAIT_MS = 10_000;

/** Steps of one slice. */
const STEPS_PER_SLICE = 500;

/**
 * Reads a state document into a world that `make` creates, in slices of some milliseconds. Throws a StateSyntaxError or a
 * StateError, and leaves no world behind, if it cannot be used.
 */
export function* stateSteps(pieces: Iterable<Uint8Array>, make: MakeWorld): Steps<WorldState> {
  const reader = new StateReader(STATE_RULES);
  for (const piece of pieces) {
    reader.write(piece);
    yield NO_PROGRESS;
  }
  const steps = reader.finish(make);
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return value;
    if (count % STEPS_PER_SLICE === 0) yield NO_PROGRESS;
  }
}

/** How many records there are is known at the end only. */
const NO_PROGRESS = { loaded: 0, total: 0 };

/** Loads state documents over many turns of the event loop, one at a time, so that at most one takes memory. */
export class StateLoader {
  readonly #realTime: RealTime;
  /** Resolves when the document that is being loaded is loaded or refused; null when there is none. */
  #current: Promise<void> | null = null;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /**
   * Does what `stateSteps` does. Reads no more of the document than it has checked, and nothing before those that
   * have been sent earlier are loaded. Rejects with a StateBusyError when one of them takes long.
   */
  async load(content: AsyncIterable<Uint8Array>, make: MakeWorld): Promise<WorldState> {
    while (this.#current !== null) {
      if (!(await endsWithin(MAX_WAIT_MS, this.#current, this.#realTime))) throw new StateBusyError();
    }
    const loading = this.#load(content, make);
    const end = () => {
      this.#current = null;
    };
    this.#current = loading.then(end, end);
    return loading;
  }

  async #load(content: AsyncIterable<Uint8Array>, make: MakeWorld): Promise<WorldState> {
    const reader = new StateReader(STATE_RULES);
    for await (const piece of content) {
      for await (const part of onePerTurn(parts(piece), this.#realTime)) reader.write(part);
    }
    return runInTurns(reader.finish(make), this.#realTime, STEPS_PER_TURN);
  }
}

function* parts(piece: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < piece.length; at += BYTES_PER_TURN) yield piece.subarray(at, at + BYTES_PER_TURN);
}
