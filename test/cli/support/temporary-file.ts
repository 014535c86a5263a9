import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns a path in a new folder, which is removed when the test ends. */
export async function temporaryFile(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, name);
}
