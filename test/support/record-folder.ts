import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecordFolder } from '../../src/sandbox/records/record-folder.ts';

/** A folder, not created yet, in which the record of `main` is `file`, and what it reports. Pass `records` to the sandbox. */
export function temporaryRecords() {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'of-this-run');
  const problems: string[] = [];
  const records = createRecordFolder(
    folder,
    ({ id }) => id,
    problem => problems.push(problem),
  );
  return { records, problems, file: join(folder, 'main.record.jsonl') };
}
