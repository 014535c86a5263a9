import { describeIssue } from '../request/validation-messages.ts';
import type { RowRule } from '../store/row-rule.ts';
import type { AnyTable, Row } from '../store/table-definition.ts';
import type { TimerRule } from '../time/timer-rule.ts';
import { brokenRowRules, missingTimers, unneededTimers } from './state-consistency.ts';
import type { StateDocument } from './state-document.ts';
import { pathText, rowPlace, throwProblems } from './state-error.ts';
import { checkShape } from './state-shape.ts';
import type { World, WorldSnapshot } from './world.ts';

/** What state documents consist of, and what they are checked against. */
export interface StateRules {
  /** Every table, by its name in documents. */
  readonly tables: Readonly<Record<string, AnyTable>>;
  readonly rowRules: readonly RowRule[];
  /** Every kind of timer, with the rows that wait for one. */
  readonly timers: Readonly<Record<string, TimerRule>>;
  /** Converts a document of an earlier version to the current one. Returns anything else unchanged. */
  readonly upgrade: (document: unknown) => unknown;
}

/**
 * Reads a state document of this or an earlier version into a world that `make` creates. Throws a StateError, and
 * leaves no world behind, if the value is not a state document or is inconsistent.
 */
export function readState(value: unknown, rules: StateRules, make: (from: WorldSnapshot) => World): World {
  const { tables, rowRules, timers } = rules;
  const document = checkShape(rules.upgrade(value), tables, timers);
  const world = make(emptySnapshot(document));
  try {
    throwProblems(insertRows(world, document, tables));
    throwProblems(brokenRowRules(world, tables, rowRules));
    throwProblems(timerProblems(world, document, rules));
    // Not before the rows are there, whose order decides that of timers due at the same moment.
    for (const { kind, ref, at } of document.clock.timers)
      world.clock.schedule(Date.parse(at), { kind, ref });
    return world;
  } catch (error) {
    world.end();
    throw error;
  }
}

/** Everything that a document says except its rows and their timers. */
function emptySnapshot({ seed, clock, random, secrets }: StateDocument): WorldSnapshot {
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

function* timerProblems(world: World, document: StateDocument, rules: StateRules): Generator<string> {
  yield* unneededTimers(world, document, rules.timers);
  yield* missingTimers(world, document, rules.tables, rules.timers);
}

/** Inserts the rows that are valid by themselves and unique. Yields the problems of the others. */
function* insertRows(world: World, document: StateDocument, tables: StateRules['tables']): Generator<string> {
  for (const [name, definition] of Object.entries(tables)) {
    const table = world.anyTable(definition);
    for (const [index, value] of (document.tables[name] ?? []).entries()) {
      const result = definition.row.safeParse(value, { error: describeIssue });
      if (!result.success) {
        for (const { path, message } of result.error.issues) {
          yield `${rowPlace(name, index, value)}: ${pathText(path) || 'row'}: ${message}`;
        }
        continue;
      }
      // The schema has checked it. Its output is not used because rows keep the order of their members.
      const row = value as Row;
      const taken = table.conflict(row);
      if (taken === null) table.insert(row);
      else yield `${rowPlace(name, index, value)}: ${taken}: is taken by another ${definition.kind}`;
    }
  }
}
