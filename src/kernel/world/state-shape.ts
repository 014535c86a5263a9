import { isObject } from '../request/input.ts';
import { describeIssue } from '../request/validation-messages.ts';
import type { AnyTable } from '../store/table-definition.ts';
import type { TimerRule } from '../time/timer-rule.ts';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';
import { isStateDocument, STATE_FORMAT, STATE_VERSION, StateDocument, StateTimer } from './state-document.ts';
import { pathText, quoted, StateError, throwProblems } from './state-error.ts';

type Tables = Readonly<Record<string, AnyTable>>;
type Timers = Readonly<Record<string, TimerRule>>;

/** Cap on the tables, counts and random streams of a document. */
const MAX_MEMBERS = 1_000;

/** Checks the shape of a document of the current version, its counts and the names in it. Throws a StateError. */
export function checkShape(value: unknown, tables: Tables, timers: Timers): StateDocument {
  if (!isStateDocument(value)) {
    throw new StateError([`format: must be "${STATE_FORMAT}"; this is not the state of a sandbox`]);
  }
  if (value.version !== STATE_VERSION) {
    const version = shorten(JSON.stringify(value.version) ?? 'missing');
    throw new StateError([
      `version: is ${version}, and this release reads versions 1 to ${STATE_VERSION}; use the release that wrote the state`,
    ]);
  }
  throwProblems(tooLargeMembers(value));
  const result = StateDocument.safeParse(value, { error: describeIssue });
  if (!result.success) {
    throw new StateError(
      result.error.issues.map(({ path, message }) => [pathText(path), message].filter(Boolean).join(': ')),
    );
  }
  // The schema has checked it. Its output is not used because rows keep the order of their members.
  const document = value as unknown as StateDocument;
  throwProblems(wrongNames(document, tables, timers));
  return document;
}

/** Yields the members whose validation would take long because they have many problems. */
function* tooLargeMembers(value: Readonly<Record<string, unknown>>): Generator<string> {
  for (const name of ['random', 'counts', 'tables']) {
    const member = value[name];
    const size = isObject(member) ? Object.keys(member).length : 0;
    if (size > MAX_MEMBERS) yield `${name}: must have at most ${MAX_MEMBERS} members, has ${size}`;
  }
  const timers = isObject(value.clock) ? value.clock.timers : undefined;
  if (!Array.isArray(timers)) return;
  for (const [index, timer] of timers.entries()) {
    const result = StateTimer.safeParse(timer, { error: describeIssue });
    for (const { path, message } of result.error?.issues ?? []) {
      yield `${pathText(['clock', 'timers', index, ...path])}: ${message}`;
    }
  }
}

function* wrongNames(document: StateDocument, tables: Tables, timers: Timers): Generator<string> {
  yield* wrongCounts(document, tables);
  yield* unknownTables(document, tables);
  yield* wrongTimers(document, timers);
}

function wrongCounts({ tables, counts }: StateDocument, known: Tables): string[] {
  const names = new Set([...Object.keys(known), ...Object.keys(tables), ...Object.keys(counts)]);
  return [...names].flatMap(name => {
    const [rows, count] = [tables[name]?.length, counts[name]];
    if (rows === count) return [];
    return [
      `counts.${name}: says ${count ?? 'nothing'}, and tables.${name} ${rows === undefined ? 'is missing' : `has ${rows}`}`,
    ];
  });
}

function unknownTables({ tables }: StateDocument, known: Tables): string[] {
  return Object.keys(tables)
    .filter(name => !Object.hasOwn(known, name))
    .map(name => `tables.${name}: is not a table${nearest(name, known)}`);
}

function* wrongTimers({ clock }: StateDocument, known: Timers): Generator<string> {
  const seen = new Set<string>();
  for (const [index, { kind, ref }] of clock.timers.entries()) {
    const place = `clock.timers[${index}]`;
    const key = `${kind} ${ref}`;
    if (!Object.hasOwn(known, kind)) {
      yield `${place}: ${quoted(kind)} is not a kind of timer${nearest(kind, known)}`;
    } else if (seen.has(key)) {
      yield `${place}: there is already a timer ${kind} for ${quoted(ref)}`;
    }
    seen.add(key);
  }
}

function nearest(name: string, known: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(known);
  return suggestion(name, names) || `; known are ${names.join(', ')}`;
}
