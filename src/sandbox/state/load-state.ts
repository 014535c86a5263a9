import type { RealTime } from '../../core/time/realtime.ts';
import { runInTurns } from '../../core/time/turns.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { rowRules, tables } from '../tables.ts';
import { tasks } from '../tasks.ts';
import { readState } from './document/state-reader.ts';
import type { StateRules } from './document/state-shape.ts';

const STATE_RULES: StateRules = { tables, rowRules, tasks };

type MakeWorld = (from: WorldSnapshot) => WorldState;

/** Checks in one slice. Each takes some microseconds. */
const CHECKS_PER_SLICE = 100;

/** How many records there are is known at the end only. */
const NO_PROGRESS = { loaded: 0, total: 0 };

/**
 * Reads a parsed state document into a world that `make` creates, in slices. Throws a StateError, and leaves no world
 * behind, if it cannot be used.
 */
export function* stateSteps(document: unknown, make: MakeWorld): Steps<WorldState> {
  const checks = readState(document, STATE_RULES, make);
  for (let count = 1; ; count++) {
    const { done, value } = checks.next();
    if (done) return value;
    if (count % CHECKS_PER_SLICE === 0) yield NO_PROGRESS;
  }
}

/** Does what `stateSteps` does, a slice in each turn of the event loop. */
export async function loadState(document: unknown, make: MakeWorld, realTime: RealTime): Promise<WorldState> {
  return runInTurns(stateSteps(document, make), realTime, 1);
}
