import { isObject } from '../../../core/request/input.ts';
import type { Steps } from '../../../core/time/turns.ts';
import { suggestion } from '../../../core/values/nearest.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { skippedMember } from '../../../core/values/skipped-member.ts';
import { shorten } from '../../../core/values/text.ts';
import { StateDocument, StateTimer } from '../../../core/world/document-schema.ts';
import { isStateDocument, STATE_FORMAT, STATE_VERSION } from '../../../core/world/state-document.ts';
import { tables as knownTables } from '../../tables.ts';
import { tasks } from '../../tasks.ts';
import { expectNoProblems, pathText, quoted, StateError, throwProblems } from './state-error.ts';

const MAX_MEMBERS = 1_000;

/** Checks a document except for its rows. Throws a StateError. Yields often. */
export function* checkShape(value: unknown): Steps<StateDocument> {
  if (!isStateDocument(value)) {
    throw new StateError([`format: must be "${STATE_FORMAT}"; this is not the state of a sandbox`]);
  }
  if (value.version !== STATE_VERSION) {
    const version = shorten(JSON.stringify(value.version) ?? 'missing');
    throw new StateError([
      `version: is ${version}, and this release reads version ${STATE_VERSION}; use the release that wrote the state`,
    ]);
  }
  throwProblems([...tooLargeMembers(value), ...unreadMembers(value)]);
  yield* expectNoProblems(invalidTimers(value));
  const result = StateDocument.safeParse(withoutLists(value), { error: describeIssue });
  throwProblems(
    (result.error?.issues ?? []).map(({ path, message }) =>
      [pathText(path), message].filter(Boolean).join(': '),
    ),
  );
  // The schema has checked it, and the lists of timers and tables are lists.
  return value as unknown as StateDocument;
}

/** The members whose validation would take long because they have many problems. */
function tooLargeMembers(value: Readonly<Record<string, unknown>>): string[] {
  return ['random', 'counts', 'tables'].flatMap(name => {
    const member = value[name];
    const size = isObject(member) ? Object.keys(member).length : 0;
    return size > MAX_MEMBERS ? [`${name}: must have at most ${MAX_MEMBERS} members, has ${size}`] : [];
  });
}

/** The members that schemas skip. Rows and timers are checked one by one. */
function unreadMembers(value: Readonly<Record<string, unknown>>): string[] {
  const path = skippedMember(withoutLists(value));
  return path === null ? [] : [`${pathText(path)}: is unknown; remove it`];
}

/** Yields the problems of each timer, or null if it has none. */
function* invalidTimers({ clock }: Readonly<Record<string, unknown>>): Generator<string | null> {
  if (!isObject(clock) || !Array.isArray(clock.timers)) return;
  for (const [index, timer] of clock.timers.entries()) {
    const { error } = StateTimer.safeParse(timer, { error: describeIssue });
    if (error === undefined) yield null;
    for (const { path, message } of error?.issues ?? []) {
      yield `${pathText(['clock', 'timers', index, ...path])}: ${message}`;
    }
  }
}

/** A copy without rows and timers, which can be many and are checked one by one. */
function withoutLists(value: Readonly<Record<string, unknown>>): unknown {
  const { clock, tables } = value;
  return {
    ...value,
    ...(isObject(clock) && { clock: { ...clock, timers: emptied(clock.timers) } }),
    ...(isObject(tables) && {
      tables: Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, emptied(rows)])),
    }),
  };
}

function emptied(list: unknown): unknown {
  return Array.isArray(list) ? [] : list;
}

/** Yields the counts that are wrong, the tables that do not exist, and the timers that are unknown or repeated. */
export function* wrongNames(document: StateDocument): Generator<string | null> {
  yield* wrongCounts(document);
  yield* unknownTables(document);
  yield* wrongTimers(document);
}

function wrongCounts({ tables, counts }: StateDocument): string[] {
  const names = new Set([...Object.keys(knownTables), ...Object.keys(tables), ...Object.keys(counts)]);
  return [...names].flatMap(name => {
    const [rows, count] = [tables[name]?.length, counts[name]];
    if (rows === count) return [];
    return [
      `counts.${name}: says ${count ?? 'nothing'}, and tables.${name} ${rows === undefined ? 'is missing' : `has ${rows}`}`,
    ];
  });
}

function unknownTables({ tables }: StateDocument): string[] {
  return Object.keys(tables)
    .filter(name => !Object.hasOwn(knownTables, name))
    .map(name => `tables.${name}: is not a table${nearest(name, knownTables)}`);
}

function* wrongTimers({ clock }: StateDocument): Generator<string | null> {
  const seen = new Set<string>();
  for (const [index, { kind, ref }] of clock.timers.entries()) {
    const place = `clock.timers[${index}]`;
    const key = `${kind} ${ref}`;
    if (!Object.hasOwn(tasks, kind)) {
      yield `${place}: ${quoted(kind)} is not a kind of timer${nearest(kind, tasks)}`;
    } else {
      yield seen.has(key) ? `${place}: there is already a timer ${kind} for ${quoted(ref)}` : null;
    }
    seen.add(key);
  }
}

function nearest(name: string, known: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(known);
  return suggestion(name, names) || `; known are ${names.join(', ')}`;
}
