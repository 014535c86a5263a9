import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Keeps the temporary files of all tests, and of the processes they start, in one folder, which is removed at the end. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-tests-'));
  // Some tests run as another user.
  chmodSync(folder, 0o1777);
  // Windows reads the other two.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, maxRetries: 10 });
}
