import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import type { Client } from '../../../client/client.ts';
import type { HistoryEntry } from '../../../client/generated/records.ts';
import { createControlCall } from '../../../client/operation-calls.ts';
import { type Activity, activityOf } from '../../../control/history/record/activity.ts';
import { numberOf, type RecordEnd } from '../../../control/history/record/format.ts';
import { RECORD_SUFFIX } from '../../../control/history/record/limits.ts';
import { RecordError, readRecord } from '../../../control/history/record/read.ts';
import { createRecordFolder, recordsIn } from '../../../sandbox/records/record-folder.ts';
import { ALL_RECORDS_VARIABLE, RECORDS_VARIABLE } from '../../../server/in-process/own-records.ts';
import { firstAfter } from '../../../server/in-process/test-records.ts';
import { errorMessage } from '../../errors.ts';
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

/** The records of a run: one for each world of its sandbox and for each sandbox in process. None is written before `begin`. */
export class RunRecords {
  readonly path = join(tmpdir(), `card-sandbox-records-${randomUUID()}`);
  readonly variables = { [RECORDS_VARIABLE]: this.path, [ALL_RECORDS_VARIABLE]: this.path };
  readonly folder = createRecordFolder(
    this.path,
    ({ id }) => id,
    problem => this.#report(problem),
  );
  /** Why something may be missing in the records, as it was reported. */
  readonly problems: string[] = [];
  /** The files that `read` found and could not read. */
  readonly unreadable: string[] = [];

  constructor() {
    this.folder.pause();
  }

  /** Creates the folder. Call it once the sandbox has started: what loads fixtures of a user may end this process. */
  begin(): void {
    mkdirSync(this.path, { mode: 0o700 });
    this.folder.resume();
  }

  /** Adds the record of a world of another process, from the entry after `last` on. Reports why it cannot; never rejects. */
  async add(client: Client, last: HistoryEntry | undefined): Promise<void> {
    try {
      const entries = await historyOf(client);
      const [newest] = entries;
      const first = firstAfter(entries, last);
      if (newest === undefined || first === undefined) return;
      const before = numberOf(first.id) === 1 ? 0 : numberOf(last?.id ?? 'ent_0');
      const [kept, all] = [numberOf(newest.id) - numberOf(first.id) + 1, numberOf(newest.id) - before];
      if (kept < all)
        this.#report(
          `the record of world ${client.world} has the last ${kept} of ${all} requests and calls: the history of a running sandbox keeps no more`,
        );
      const query = { from: first.id };
      const content = await client.open({ method: 'GET', path: '/history/export', query });
      await writeAtomically(join(this.path, `${client.world}${RECORD_SUFFIX}`), content);
    } catch (error) {
      this.#report(`the record of world ${client.world} cannot be read: ${errorMessage(error)}`);
    }
  }

  /** Ends the records of the sandbox, and returns all that have an entry, in the order of their names. */
  async read(): Promise<readonly RunRecord[]> {
    this.folder.finish();
    const all = await readFolder(this.path, ({ message }, file) => {
      // The artifacts have a file of this name.
      this.#report(message.replace(`${this.path}${sep}`, ''));
      this.unreadable.push(file);
    });
    return all.filter(({ hasEntries }) => hasEntries);
  }

  #report(problem: string): void {
    failure(problem);
    this.problems.push(problem);
  }

  release(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export async function historyOf(client: Client, limit?: number): Promise<readonly HistoryEntry[]> {
  return createControlCall(client)('history.list', { limit });
}

/** Reads the records in a folder, in the order of their names. Calls `onUnreadable` with those that cannot be read. */
async function readFolder(
  folder: string,
  onUnreadable: (error: RecordError, file: string) => void,
): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  for (const file of existsSync(folder) ? recordsIn(folder) : []) {
    try {
      const record = await readRecord(file);
      const activity = activityOf(basename(file, RECORD_SUFFIX), record);
      const hasEntries = record.lines.some(({ line }) => 'entry' in line);
      records.push({ file, activity, hasEntries, end: record.end });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      onUnreadable(error, file);
    }
  }
  return records;
}
