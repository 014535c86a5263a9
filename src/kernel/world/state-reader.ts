import { partners } from '../access/partners.ts';
import { redactText } from '../journal/redact.ts';
import { describeIssue } from '../request/validation-messages.ts';
import type { RowRule } from '../store/row-rule.ts';
import type { AnyTable, Row } from '../store/table-definition.ts';
import type { TimerRule } from '../time/timer-rule.ts';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';
import { isStateDocument, STATE_FORMAT, STATE_VERSION, StateDocument } from './state-document.ts';
import type { World, WorldSnapshot } from './world.ts';

/** More problems than this help nobody. */
const MOST_PROBLEMS = 20;

/** What states are made of and held against. */
export interface StateRules {
  /** Every table, by its name in documents. */
  readonly tables: Readonly<Record<string, AnyTable>>;
  readonly rowRules: readonly RowRule[];
  /** Every kind of timer, with the rows that wait for one. */
  readonly timers: Readonly<Record<string, TimerRule>>;
}

/** What is wrong with a state document: where it is, and the rule that is broken. */
export class StateError extends Error {
  override readonly name = 'StateError';

  constructor(problems: readonly string[]) {
    const left = problems.length - MOST_PROBLEMS;
    const more = left > 0 ? [`and ${left} more`] : [];
    // Keys and card numbers are told to nobody, not even in a complaint about them.
    super([...problems.slice(0, MOST_PROBLEMS), ...more].map(redactText).join('; '));
  }
}

/**
 * Makes the world that a document describes, with `make`. Throws a StateError when it is no state document, or
 * one that contradicts itself; no world is left behind then.
 */
export function readState(value: unknown, rules: StateRules, make: (from: WorldSnapshot) => World): World {
  const document = checkShape(value, rules);
  const world = make({
    seed: document.seed,
    clock: {
      now: Date.parse(document.clock.now),
      frozen: document.clock.mode === 'frozen',
      advancedMs: document.clock.advancedMs,
      timers: document.clock.timers.map(({ kind, ref, at }) => ({
        at: Date.parse(at),
        value: { kind, ref },
      })),
    },
    random: document.random,
    tables: new Map(),
  });
  try {
    stopAt(fill(world, document, rules));
    stopAt(brokenRules(world, rules));
    stopAt([...lostTimers(world, document, rules), ...missingTimers(world, document, rules)]);
    return world;
  } catch (error) {
    world.end();
    throw error;
  }
}

function stopAt(problems: readonly string[]): void {
  if (problems.length > 0) throw new StateError(problems);
}

function checkShape(value: unknown, { tables, timers }: StateRules): StateDocument {
  if (!isStateDocument(value)) {
    throw new StateError([`format: must be "${STATE_FORMAT}"; this is no state of a sandbox`]);
  }
  const { version } = value as { readonly version?: unknown };
  if (version !== STATE_VERSION) {
    const written = JSON.stringify(version) ?? 'missing';
    throw new StateError([
      `version: is ${shorten(written)}, and this release reads version ${STATE_VERSION} only; use the release that wrote the state`,
    ]);
  }
  const result = StateDocument.safeParse(value, { error: describeIssue });
  if (!result.success)
    stopAt(
      result.error.issues.map(({ path, message }) => [nameOf(path), message].filter(Boolean).join(': ')),
    );
  // Not what the schema makes of it: rows keep the order of their members.
  const document = value as StateDocument;
  stopAt([
    ...wrongCounts(document, tables),
    ...Object.keys(document.tables)
      .filter(name => !Object.hasOwn(tables, name))
      .map(name => `tables.${name}: is no table${suggestion(name, Object.keys(tables)) || known(tables)}`),
    ...wrongTimers(document, timers),
  ]);
  return document;
}

function wrongCounts({ tables, counts }: StateDocument, listed: StateRules['tables']): string[] {
  const names = new Set([...Object.keys(listed), ...Object.keys(tables), ...Object.keys(counts)]);
  return [...names].flatMap(name => {
    const [rows, count] = [tables[name]?.length, counts[name]];
    if (rows === count) return [];
    return [
      `counts.${name}: says ${count ?? 'nothing'}, and tables.${name} ${rows === undefined ? 'is missing' : `has ${rows}`}`,
    ];
  });
}

function wrongTimers({ clock }: StateDocument, timers: StateRules['timers']): string[] {
  const seen = new Set<string>();
  return clock.timers.flatMap(({ kind, ref }, index) => {
    const place = `clock.timers[${index}]`;
    if (!Object.hasOwn(timers, kind)) {
      return [
        `${place}: ${quoted(kind)} is no kind of timer${suggestion(kind, Object.keys(timers)) || known(timers)}`,
      ];
    }
    const pair = `${kind} ${ref}`;
    if (seen.has(pair)) return [`${place}: there is a timer ${kind} for ${quoted(ref)} already`];
    seen.add(pair);
    return [];
  });
}

/** Puts the rows into the world, each checked by itself and against those before it. */
function fill(world: World, document: StateDocument, { tables }: StateRules): string[] {
  const problems: string[] = [];
  for (const [name, definition] of Object.entries(tables)) {
    const table = world.anyTable(definition);
    document.tables[name]?.forEach((value, index) => {
      const result = definition.row.safeParse(value, { error: describeIssue });
      if (!result.success) {
        const place = placeOf(name, index, value);
        problems.push(
          ...result.error.issues.map(({ path, message }) => `${place}: ${nameOf(path) || 'row'}: ${message}`),
        );
        return;
      }
      // Just checked; what the schema makes of it would lose the order of its members.
      const row = value as Row;
      const taken = table.conflict(row);
      if (taken === null) table.insert(row);
      else problems.push(`${placeOf(name, index, row)}: ${taken}: is taken by another ${definition.kind}`);
    });
  }
  return problems;
}

function brokenRules(world: World, { tables, rowRules }: StateRules): string[] {
  if (world.table(partners).size === 0) return ['tables.partners: a world needs at least one partner'];
  return Object.entries(tables).flatMap(([name, definition]) => {
    const own = rowRules.filter(({ table }) => table === definition).map(rule => rule.begin(world));
    return [...world.anyTable(definition).all()].flatMap((row, index) => {
      const place = placeOf(name, index, row);
      if (world.table(partners).get(row.partnerId) === undefined) {
        return [`${place}: partnerId: there is no partner ${quoted(row.partnerId)}`];
      }
      return own.flatMap(check => {
        const broken = check(row);
        return broken === null ? [] : [`${place}: ${broken}`];
      });
    });
  });
}

function lostTimers(world: World, { clock }: StateDocument, { timers }: StateRules): string[] {
  return clock.timers.flatMap(({ kind, ref }, index) => {
    const rule = timers[kind];
    if (rule === undefined) return [];
    const place = `clock.timers[${index}]: ref: `;
    const row = world.anyTable(rule.table).get(ref);
    if (row === undefined) return [`${place}there is no ${rule.table.kind} ${quoted(ref)}`];
    if (rule.waits(row, world)) return [];
    return [`${place}${rule.table.kind} ${quoted(ref)} waits for no ${kind}; take the timer out`];
  });
}

function missingTimers(world: World, { clock }: StateDocument, { tables, timers }: StateRules): string[] {
  return Object.entries(timers).flatMap(([kind, rule]) => {
    const there = new Set(clock.timers.filter(timer => timer.kind === kind).map(({ ref }) => ref));
    const name = Object.keys(tables).find(each => tables[each] === rule.table) ?? rule.table.kind;
    return [...world.anyTable(rule.table).all()].flatMap((row, index) => {
      if (there.has(row.id) || !rule.waits(row, world)) return [];
      const timer = `{"kind": ${JSON.stringify(kind)}, "ref": ${quoted(row.id)}, "at": …}`;
      return [`${placeOf(name, index, row)}: waits for a timer that clock.timers lacks; add ${timer}`];
    });
  });
}

function placeOf(table: string, index: number, row: unknown): string {
  const id =
    typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : null;
  return `tables.${table}[${index}]${id === null ? '' : ` (${shorten(id)})`}`;
}

function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return name.replace(/^\./, '');
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}

function known(names: Readonly<Record<string, unknown>>): string {
  return `; known are ${Object.keys(names).join(', ')}`;
}
