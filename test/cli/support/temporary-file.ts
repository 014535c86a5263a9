import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns a path in a new folder, which is removed when the test ends. */
export async function temporaryFile(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  // A sandbox that was stopped may still be writing a file to it.
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }));
  return join(folder, name);
}
