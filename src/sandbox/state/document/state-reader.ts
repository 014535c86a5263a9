import { partners } from '../../../core/access/partners.ts';
import type { Row } from '../../../core/store/table-definition.ts';
import type { Steps } from '../../../core/time/turns.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { skippedMember } from '../../../core/values/skipped-member.ts';
import { timeOf } from '../../../core/values/timestamp.ts';
import type { StateDocument } from '../../../core/world/document-schema.ts';
import type { WorldSnapshot } from '../../../core/world/world-snapshot.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import { rowRules, tables } from '../../tables.ts';
import { tasks } from '../../tasks.ts';
import { expectNoProblems, pathText, quoted, rowPlace } from './state-error.ts';
import { checkShape, wrongNames } from './state-shape.ts';

/**
 * Reads a parsed state document into a world that `make` creates, and that keeps rows of the document. Yields often, so
 * that the caller can do something else between two steps. Throws a StateError, and leaves no world behind, if the
 * document is not a state or inconsistent.
 */
export function* readState(value: unknown, make: (from: WorldSnapshot) => WorldState): Steps<WorldState> {
  const document = yield* checkShape(value);
  yield* expectNoProblems(wrongNames(document));
  const state = make(emptySnapshot(document));
  let isComplete = false;
  try {
    yield* expectNoProblems(insertRows(state, document));
    yield* expectNoProblems(brokenRowRules(state));
    yield* expectNoProblems(timerProblemsOf(state, document));
    // After the rows, whose order decides the order of timers due at the same moment.
    for (const { kind, ref, at } of document.clock.timers) state.clock.schedule(timeOf(at), { kind, ref });
    isComplete = true;
    return state;
  } finally {
    if (!isComplete) state.end();
  }
}

/** Everything that a document says except its rows and their timers. */
function emptySnapshot({ seed, clock, random, secrets }: StateDocument): WorldSnapshot {
  return {
    seed,
    clock: {
      now: timeOf(clock.now),
      frozen: clock.mode === 'frozen',
      advancedMs: clock.advancedMs,
      timers: [],
    },
    random: Object.entries(random),
    secrets: secrets ?? null,
    tables: new Map(),
  };
}

function* timerProblemsOf(state: WorldState, document: StateDocument): Generator<string | null> {
  yield* unneededTimers(state, document);
  yield* missingTimers(state, document);
}

/** Inserts the rows that are valid by themselves and unique. Yields the problems of the others. */
function* insertRows(state: WorldState, document: StateDocument): Generator<string | null> {
  for (const [name, definition] of Object.entries(tables)) {
    const table = state.anyTable(definition);
    for (const [index, value] of (document.tables[name] ?? []).entries()) {
      const skipped = skippedMember(value);
      if (skipped !== null)
        yield `${rowPlace(name, index, value)}: ${pathText(skipped)}: is unknown; remove it`;
      const { error } = definition.row().safeParse(value, { error: describeIssue });
      if (error !== undefined) {
        for (const { path, message } of error.issues) {
          yield `${rowPlace(name, index, value)}: ${pathText(path) || 'row'}: ${message}`;
        }
        continue;
      }
      // The schema has checked it. Its output is not used, because rows keep the order of their members.
      const row = value as Row;
      const taken = table.conflict(row);
      if (taken === null) table.insert(row);
      const hint = definition.conflictHints?.[taken ?? ''];
      yield taken === null
        ? null
        : `${rowPlace(name, index, row)}: ${taken}: is taken by another ${definition.kind}${hint === undefined ? '' : `; ${hint}`}`;
    }
  }
}

/** Yields for each row of a loaded world the rules that it breaks, and then null. Every row must belong to a partner. */
function* brokenRowRules(state: WorldState): Generator<string | null> {
  if (state.table(partners).size === 0) {
    yield 'tables.partners: a world needs at least one partner';
    return;
  }
  for (const [name, definition] of Object.entries(tables)) {
    const checks = rowRules.filter(({ table }) => table === definition).map(rule => rule.begin(state));
    let index = 0;
    for (const row of state.anyTable(definition).all()) {
      const place = () => rowPlace(name, index, row);
      if (state.table(partners).get(row.partnerId) === undefined) {
        yield `${place()}: partnerId: there is no partner ${quoted(row.partnerId)}`;
      } else {
        for (const check of checks) {
          const broken = check(row);
          if (broken !== null) yield `${place()}: ${broken}`;
        }
        yield null;
      }
      index += 1;
    }
  }
}

/** Yields for each timer of a document a problem if no row waits for it, or null. */
function* unneededTimers(state: WorldState, { clock }: StateDocument): Generator<string | null> {
  for (const [index, { kind, ref }] of clock.timers.entries()) {
    const rule = tasks[kind];
    if (rule === undefined) continue;
    const place = `clock.timers[${index}]: ref: `;
    const row = state.anyTable(rule.table).get(ref);
    if (row === undefined) yield `${place}there is no ${rule.table.kind} ${quoted(ref)}`;
    else if (rule.waits(row, state)) yield null;
    else yield `${place}${rule.table.kind} ${quoted(ref)} does not wait for ${kind}; remove the timer`;
  }
}

/** Yields for each row of a loaded world a problem if it waits for a timer that the document lacks, or null. */
function* missingTimers(state: WorldState, { clock }: StateDocument): Generator<string | null> {
  for (const [kind, rule] of Object.entries(tasks)) {
    const refs = new Set<string>();
    for (const timer of clock.timers) {
      if (timer.kind === kind) refs.add(timer.ref);
      yield null;
    }
    const [name] = Object.entries(tables).find(([, table]) => table === rule.table) ?? [rule.table.kind];
    let index = 0;
    for (const row of state.anyTable(rule.table).all()) {
      if (refs.has(row.id) || !rule.waits(row, state)) {
        yield null;
      } else {
        const timer = `{"kind": ${JSON.stringify(kind)}, "ref": ${quoted(row.id)}, "at": …}`;
        yield `${rowPlace(name, index, row)}: waits for a timer that clock.timers lacks; add ${timer}`;
      }
      index += 1;
    }
  }
}
