import { Buffer } from 'node:buffer';
import { resolve } from 'node:path';
import { isDeepStrictEqual, TextDecoder } from 'node:util';
import type { HistoryEntry } from '../../client/generated/records.ts';
import type { Sandbox } from '../../client/handle.ts';
import { VERSION } from '../../core/operation/version.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import { shellWord } from '../../core/values/text.ts';
import { createFolder } from '../../sandbox/records/create-folder.ts';
import { MAX_RECORDS, recordsIn, writeRecord } from '../../sandbox/records/record-folder.ts';
import { ALL_RECORDS_VARIABLE, RECORDS_VARIABLE } from './own-records.ts';

// The package has these two modules once: the fixture of Vitest takes both from here.
export { unrecorded } from './own-records.ts';

interface FailedTest {
  readonly name: string;
  readonly result?: { readonly errors?: { message: string }[] | undefined } | undefined;
}

/**
 * Returns the folder for the records of failed tests: the one given, or the one that a user named in the environment; null
 * for none. Under `exec` and `exam`, which keep the records of all sandboxes, there is none.
 */
export function recordFolder(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  if (given !== undefined) return given;
  return (environment[ALL_RECORDS_VARIABLE] === undefined && environment[RECORDS_VARIABLE]) || null;
}

/**
 * Keeps what was asked of a sandbox during a test that failed, after the entry `last`, and adds to the failure how to open
 * it. Where a rewind of the test has undone that entry, it keeps the whole history.
 */
export async function keepRecord(
  sandbox: Sandbox,
  folder: string,
  test: FailedTest,
  last: HistoryEntry | undefined,
): Promise<void> {
  // A test that is retried has the errors of all tries.
  const error = test.result?.errors?.at(-1);
  try {
    const entries = await sandbox.history.list();
    const first = firstAfter(entries, last);
    if (first === undefined) {
      const reason =
        'the test asked nothing of `sandbox`; what it asked of another host, or of another sandbox, is not recorded';
      return addTo(error, `No record: ${reason}.`);
    }
    createFolder(resolve(folder));
    if (recordsIn(folder).length >= MAX_RECORDS) {
      console.error(
        `card-sandbox: ${folder} has ${MAX_RECORDS} records, which is the most; this one is left out`,
      );
      return;
    }
    const content = await sandbox.history.export({ from: first.id });
    const file = writeRecord(folder, fileName(test.name), content);
    addTo(error, `What happened in the sandbox: npx card-sandbox@${VERSION} open ${shellWord(file)}`);
  } catch (problem) {
    const reason = messageOf(problem);
    console.error(`card-sandbox: the record of ${JSON.stringify(test.name)} cannot be written: ${reason}`);
  }
}

/**
 * Returns the first entry after the one that was the last before, or the oldest where there was none, or a rewind has undone
 * it: then another one may have its id. `entries` are newest first.
 */
export function firstAfter(
  entries: readonly HistoryEntry[],
  last: HistoryEntry | undefined,
): HistoryEntry | undefined {
  const index = entries.findIndex(each => isDeepStrictEqual(each, last));
  return index === -1 ? entries.at(-1) : entries[index - 1];
}

function addTo(error: { message: string } | undefined, text: string): void {
  if (error === undefined) console.error(`card-sandbox: ${text}`);
  else error.message += `\n\n${text}`;
}

/** In bytes, of which file systems allow 255. A letter has up to four. */
const MAX_NAME_BYTES = 200;

/** Returns the name of a file for a test, without its suffix. */
function fileName(test: string): string {
  return cutToBytes(test.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')) || 'test';
}

function cutToBytes(name: string): string {
  // In streaming mode a letter that the cut splits is left out instead of replaced.
  return new TextDecoder().decode(Buffer.from(name).subarray(0, MAX_NAME_BYTES), { stream: true });
}
