import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { RECORD_SUFFIX } from '../../../control/history/record/limits.ts';
import {
  entriesOf,
  RecordError,
  readRecord,
  type WorldRecord,
} from '../../../control/history/record/read.ts';
import { createRecordFolder } from '../../../sandbox/records/record-folder.ts';
import { ALL_RECORDS_VARIABLE, RECORDS_VARIABLE } from '../../../server/in-process/own-records.ts';
import { failure } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';

/** A record of a run. */
export interface RunRecord {
  /** The name of its world or, for a sandbox in process, of its file without the suffix. */
  readonly name: string;
  readonly record: WorldRecord;
}

/** The records of a run of a command: those of the worlds of its sandbox, and of every sandbox in process. */
export class RunRecords {
  /** The folder in which they are written. */
  readonly path = mkdtempSync(join(tmpdir(), 'card-sandbox-records-'));
  /** The variables by which sandboxes in process find the folder. */
  readonly variables = { [RECORDS_VARIABLE]: this.path, [ALL_RECORDS_VARIABLE]: '1' };
  /** Where the sandbox of the run writes the records of its worlds. */
  readonly folder = createRecordFolder(this.path, ({ id }) => id, failure);

  /** Adds the record of a world of another process. */
  async add(client: Client): Promise<void> {
    const content = await client.open({ method: 'GET', path: '/history/export' });
    await writeAtomically(join(this.path, `${client.world}${RECORD_SUFFIX}`), content);
  }

  /** Ends the records of the sandbox, and returns all that have an entry, in the order of their names. */
  async read(): Promise<readonly RunRecord[]> {
    this.folder.finish();
    return (await readFolder(this.path)).filter(({ record }) => entriesOf(record).length > 0);
  }

  /** Removes the folder. */
  release(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Reads the records in a folder, in the order of their names. Reports those that cannot be read, and leaves them out. */
async function readFolder(folder: string): Promise<RunRecord[]> {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(each => each.isFile() && each.name.endsWith(RECORD_SUFFIX))
    .map(({ name }) => join(folder, name))
    .sort();
  const records: RunRecord[] = [];
  for (const file of files) {
    try {
      records.push({ name: basename(file, RECORD_SUFFIX), record: await readRecord(file) });
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      failure(error.message);
    }
  }
  return records;
}
