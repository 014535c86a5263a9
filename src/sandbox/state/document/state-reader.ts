import type { WorldSnapshot } from '../../../core/world/world-snapshot.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import { InvalidRow } from './row-list.ts';
import { brokenRowRules, missingTimers, unneededTimers } from './state-consistency.ts';
import { expectNoProblems, pathText, rowPlace } from './state-error.ts';
import { StateParser } from './state-parser.ts';
import type { StateRules } from './state-rules.ts';
import { checkShape, type ReadDocument, wrongNames } from './state-shape.ts';

/** Reads a state document that arrives in pieces, of this or an earlier version. */
export class StateReader {
  readonly #rules: StateRules;
  readonly #parser: StateParser;

  constructor(rules: StateRules) {
    const { tables, renamedTables } = rules;
    const named = (name: string) => (Object.hasOwn(tables, name) ? tables[name] : undefined);
    this.#rules = rules;
    this.#parser = new StateParser(
      name =>
        named(name) ?? (Object.hasOwn(renamedTables, name) ? named(renamedTables[name] ?? '') : undefined),
    );
  }

  /** Takes the next piece of the document. The bytes must not change afterwards. Throws a StateSyntaxError. */
  write(bytes: Uint8Array): void {
    this.#parser.write(bytes);
  }

  /**
   * Ends the document, and returns the world that `make` creates with it. Yields often, so that the caller can do
   * something else between two steps. Throws a StateSyntaxError or a StateError, and leaves no world behind, if the
   * document is not complete, not a state or inconsistent.
   */
  *finish(make: (from: WorldSnapshot) => WorldState): Generator<undefined, WorldState> {
    const rules = this.#rules;
    const { value, timerProblems } = this.#parser.end();
    const document = checkShape(rules.upgrade(value), timerProblems);
    yield* expectNoProblems(wrongNames(document, rules));
    const state = make(emptySnapshot(document));
    let isComplete = false;
    try {
      followCreation(state, document, rules);
      yield* expectNoProblems(insertRows(state, document, rules));
      yield* expectNoProblems(brokenRowRules(state, rules));
      yield* expectNoProblems(timerProblemsOf(state, document, rules));
      // Not before the rows are there, whose order decides that of timers due at the same moment.
      for (const { kind, ref, at } of document.clock.timers)
        state.clock.schedule(Date.parse(at), { kind, ref });
      isComplete = true;
      return state;
    } finally {
      if (!isComplete) state.end();
    }
  }
}

/** Everything that a document says except its rows and their timers. */
function emptySnapshot({ seed, clock, random, secrets }: ReadDocument): WorldSnapshot {
  return {
    seed,
    clock: {
      now: Date.parse(clock.now),
      frozen: clock.mode === 'frozen',
      advancedMs: clock.advancedMs,
      timers: [],
    },
    random,
    secrets: secrets ?? null,
    tables: new Map(),
  };
}

/** Has the order of rows with timers recorded while they are inserted, which is faster than reading it from a table. */
function followCreation(state: WorldState, { clock }: ReadDocument, { timers }: StateRules): void {
  for (const kind of new Set(clock.timers.map(timer => timer.kind))) {
    const rule = timers[kind];
    if (rule !== undefined) state.creationOrder.ofRow(rule.table, '');
  }
}

function* timerProblemsOf(
  state: WorldState,
  document: ReadDocument,
  rules: StateRules,
): Generator<string | null> {
  yield* unneededTimers(state, document, rules);
  yield* missingTimers(state, document, rules);
}

/** Inserts the rows that are valid by themselves and unique. Yields the problems of the others. */
function* insertRows(
  state: WorldState,
  document: ReadDocument,
  { tables }: StateRules,
): Generator<string | null> {
  for (const [name, definition] of Object.entries(tables)) {
    const table = state.anyTable(definition);
    for (const [index, row] of (document.tables[name]?.rows ?? []).entries()) {
      if (row instanceof InvalidRow) {
        for (const { path, message } of row.issues) {
          yield `${rowPlace(name, index, row.value)}: ${pathText(path) || 'row'}: ${message}`;
        }
        continue;
      }
      const taken = table.conflict(row);
      if (taken === null) table.insert(row);
      yield taken === null
        ? null
        : `${rowPlace(name, index, row)}: ${taken}: is taken by another ${definition.kind}`;
    }
  }
}
