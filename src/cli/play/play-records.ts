import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { activityOf, isRefused, isUndelivered } from '../../control/history/record/activity.ts';
import type { RecordEntry } from '../../control/history/record/format.ts';
import { RECORD_SUFFIX } from '../../control/history/record/limits.ts';
import { readRecord, releaseHint, type WorldRecord } from '../../control/history/record/read.ts';
import { redactPath, redactText } from '../../core/redaction/redact.ts';
import { mayHaveWritten } from '../../core/request/http.ts';
import { recordsIn } from '../../sandbox/records/record-folder.ts';
import { type Played, playRecord } from '../../sandbox/replay/player.ts';
import type { JunitCase, JunitSuite } from '../../tools/scenarios/report/junit.ts';
import { colour, lineWidth, print, printable } from '../output/print.ts';
import { wrapLines } from '../output/wrap.ts';

export interface UnreadableRecord {
  readonly file: string;
  readonly message: string;
}

export function isRecordPath(path: string): boolean {
  return isRecordName(path) || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** Returns whether a file that a user names is a record: scenarios are YAML or JSON. */
function isRecordName(path: string): boolean {
  return path.endsWith('.jsonl');
}

/** Returns the records at a path: itself, or those in the folder. Throws for a folder that has none. */
export function recordsAt(path: string): string[] {
  if (isRecordName(path)) return [path];
  const files = recordsIn(path);
  if (files.length > 0) return files;
  const [folder] = readdirSync(path, { withFileTypes: true }).filter(
    each => each.isDirectory() && recordsIn(join(path, each.name)).length > 0,
  );
  const hint =
    folder === undefined
      ? `exec --artifacts writes them, as files with the end ${RECORD_SUFFIX}`
      : `its folders have some, as exam --artifacts writes them: name one, such as ${join(path, folder.name)}`;
  throw new Error(`${path}: the folder has no record; ${hint}`);
}

/** Plays a record. Rejects with a RecordError for a file that is not a record. */
export async function reportRecord(file: string): Promise<RecordReport> {
  const record = await readRecord(file);
  const { played, sandbox } = await playRecord(record);
  sandbox.stop();
  return reportOf(record, played);
}

/** What came of playing a record. */
export type RecordReport = ReturnType<typeof reportOf>;
type EntryReport = ReturnType<typeof entryReport>;

function reportOf(record: WorldRecord, played: Played) {
  const { file, header } = record;
  const { calls, deliveries, isCutShort } = activityOf(file, record);
  const skipped = played.skipped.map(({ entry, reason }) => ({
    ...entryReport(entry),
    reason,
    /** Whether it may have changed the world, so that what follows may differ. */
    // A page is an entry only where it changed something.
    changedTheWorld: entry.plane === 'page' || mayHaveWritten(entry.method, entry.status),
  }));
  const isSent = played.missing.length === 0 || skipped.some(({ changedTheWorld }) => changedTheWorld);
  return {
    file,
    world: header.world,
    version: header.cardSandbox,
    compared: played.compared,
    same: played.same,
    different: played.different.map(({ entry, members }) => ({ ...entryReport(entry), members })),
    skipped,
    /** Whether the process that wrote it was killed or could no longer write, so that what happened last may be missing. */
    isCutShort,
    /** Ids of events whose attempts were not made again. */
    missing: played.missing.map(({ event }) => event),
    refused: calls
      .filter(isRefused)
      .map(entry => ({ ...entryReport(entry), summary: redactText(entry.summary) })),
    undelivered: deliveries.filter(isUndelivered).map(({ id, eventType, attempts }) => {
      return { id, eventType, cause: attempts.at(-1)?.cause ?? null };
    }),
    /**
     * Whether responses were compared, all of them are the same, and each webhook was sent again that no call which could not
     * be played may have raised.
     */
    ok: played.compared > 0 && played.different.length === 0 && isSent,
  };
}

function entryReport({ id, requestId, method, path, status }: RecordEntry) {
  return {
    id,
    requestId: requestId ?? null,
    method: redactText(method),
    path: redactPath(path),
    status,
  };
}

export function printReport(report: RecordReport): void {
  const { file, different, skipped, isCutShort, missing, refused, undelivered, ok } = report;
  print(printable(`${nameOf(file)}: `) + (ok ? colour.green : colour.red)(resultOf(report)));
  const say = (text: string, paint = (line: string) => line) =>
    print(paint(wrapLines(`  ${printable(text)}`, lineWidth())));
  for (const { members, ...entry } of different) {
    say(`differs ${line(entry)}`, text => text.replace('differs', colour.red('differs')));
    for (const member of members) say(`    ${member}`);
  }
  for (const { reason, ...entry } of skipped) say(`not compared: ${line(entry)}: ${reason}`);
  if (skipped.some(({ changedTheWorld }) => changedTheWorld))
    say('what follows may differ: a call that cannot be played may have changed the world');
  if (isCutShort)
    say(
      'cut short: its process was killed or could no longer write, so that what happened last may be missing',
    );
  for (const event of missing) say(`not sent again: ${event}`);
  for (const { summary, ...entry } of refused)
    say(`refused: ${entry.status ?? 'lost'} ${line(entry)}: ${summary}`);
  for (const { id, eventType, cause } of undelivered)
    say(`undelivered: ${eventType} (${id}): ${cause ?? ''}`);
}

/** What came of a record, in one line. Where nothing was compared, nothing was reproduced. */
function resultOf({ version, compared, same, skipped, missing, ok }: RecordReport): string {
  const { length } = missing;
  const unsent =
    length === 0
      ? ''
      : `, ${length} webhook ${length === 1 ? 'attempt was' : 'attempts were'} not made again`;
  if (compared > 0)
    return `${ok ? 'reproduced' : 'not reproduced'}: ${same} of ${compared} responses are the same${unsent}${ok ? '' : releaseHint(version)}`;
  if (skipped.length === 0) return 'nothing was recorded: it has no entry';
  return `nothing was compared: none of its ${skipped.length} entries can be played`;
}

function nameOf(file: string): string {
  return basename(file, RECORD_SUFFIX);
}

function line({ id, requestId, method, path }: EntryReport): string {
  return printable(`${method} ${path} (${requestId ?? id})`);
}

/** What came of playing records. */
export interface PlayedRecords {
  readonly ok: boolean;
  readonly records: readonly RecordReport[];
  readonly unreadable: readonly UnreadableRecord[];
}

export function suiteOfRecords({ records, unreadable }: PlayedRecords): JunitSuite {
  const cases = records.map((report): JunitCase => {
    const { file, world, ok, different, missing } = report;
    const differing = [
      ...different.map(({ members, ...entry }) => `${line(entry)}: ${members.join('; ')}`),
      ...missing.map(event => `not sent again: ${event}`),
    ];
    const message = resultOf(report);
    return {
      classname: 'records',
      name: `${nameOf(file)} (${world})`,
      file,
      ms: 0,
      ...(!ok && { result: { kind: 'failure', message, text: differing.join('\n') } }),
    };
  });
  const errors = unreadable.map(({ file, message }): JunitCase => {
    return { classname: 'records', name: nameOf(file), file, ms: 0, result: { kind: 'error', message } };
  });
  return { name: 'records', cases: [...cases, ...errors] };
}
