import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Client } from '../../../client/client.ts';
import type { HistoryEntry } from '../../../client/generated/records.ts';
import { createControlCall } from '../../../client/operation-calls.ts';
import { type Activity, activityOf } from '../../../control/history/record/activity.ts';
import type { RecordEnd } from '../../../control/history/record/format.ts';
import { RECORD_SUFFIX } from '../../../control/history/record/limits.ts';
import { RecordError, readRecord } from '../../../control/history/record/read.ts';
import { createRecordFolder } from '../../../sandbox/records/record-folder.ts';
import { ALL_RECORDS_VARIABLE, RECORDS_VARIABLE } from '../../../server/in-process/own-records.ts';
import { failure } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';

/** A record of a run. The states in it are not kept: a run may have thousands of them. */
export interface RunRecord {
  readonly file: string;
  readonly activity: Activity;
  /** Whether anything was asked of the world, be it undone since. */
  readonly hasEntries: boolean;
  /** The last line; null when the file was cut short. */
  readonly end: RecordEnd | null;
}

/** The records of a run: one for each world of its sandbox and for each sandbox in process. */
export class RunRecords {
  readonly path = mkdtempSync(join(tmpdir(), 'card-sandbox-records-'));
  readonly variables = { [RECORDS_VARIABLE]: this.path, [ALL_RECORDS_VARIABLE]: '1' };
  readonly folder = createRecordFolder(this.path, ({ id }) => id, failure);
  /** The files that `read` found and could not read, which it reported. */
  readonly unreadable: string[] = [];

  /** Adds the record of a world of another process, from the entry after `last` on. */
  async add(client: Client, last: string | null): Promise<void> {
    const entries = await historyOf(client);
    const index = entries.findIndex(({ id }) => id === last);
    const first = index === -1 ? entries.at(-1) : entries[index - 1];
    if (first === undefined) return;
    const query = { from: first.id };
    const content = await client.open({ method: 'GET', path: '/history/export', query });
    await writeAtomically(join(this.path, `${client.world}${RECORD_SUFFIX}`), content);
  }

  /** Ends the records of the sandbox, and returns all that have an entry, in the order of their names. */
  async read(): Promise<readonly RunRecord[]> {
    this.folder.finish();
    return (await readFolder(this.path, this.unreadable)).filter(({ hasEntries }) => hasEntries);
  }

  release(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export async function historyOf(client: Client, limit?: number): Promise<readonly HistoryEntry[]> {
  return createControlCall(client)('history.list', { limit });
}

/** Reads the records in a folder, in the order of their names. Reports those that cannot be read, and adds them to `unreadable`. */
async function readFolder(folder: string, unreadable: string[]): Promise<RunRecord[]> {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(each => each.isFile() && each.name.endsWith(RECORD_SUFFIX))
    .map(({ name }) => join(folder, name))
    .sort();
  const records: RunRecord[] = [];
  for (const file of files) {
    try {
      const record = await readRecord(file);
      const activity = activityOf(basename(file, RECORD_SUFFIX), record);
      const hasEntries = record.lines.some(({ line }) => 'entry' in line);
      records.push({ file, activity, hasEntries, end: record.end });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      failure(error.message);
      unreadable.push(file);
    }
  }
  return records;
}
