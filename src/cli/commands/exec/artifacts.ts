import { createReadStream, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { RECORD_SUFFIX } from '../../../control/history/record/limits.ts';
import { errorCode, errorMessage } from '../../errors.ts';
import { failure, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { type CommandResult, summaryMarkdown } from './failure-summary.ts';
import type { RunRecord } from './run-records.ts';

/** A finished run of a command against a sandbox. */
export interface FinishedRun extends CommandResult {
  /** The log of the sandbox. */
  readonly log: string;
  /** The records to keep. */
  readonly records: readonly RunRecord[];
}

/**
 * Writes the artifacts of a run to a folder, which is created, and removes the records of an earlier run from it. Reports
 * what cannot be written; never rejects.
 */
export async function writeArtifacts(folder: string, run: FinishedRun): Promise<void> {
  try {
    await createFolder(resolve(folder));
  } catch (error) {
    failure(`the folder ${folder} of --artifacts cannot be created (${errorCode(error)})`);
    return;
  }
  try {
    await removeRecords(folder);
  } catch (error) {
    failure(`the records of an earlier run in ${folder} cannot be removed (${errorCode(error)})`);
  }
  const written = [
    await attempt(() => writeAtomically(join(folder, 'summary.md'), summaryMarkdown(run))),
    await attempt(() => writeAtomically(join(folder, 'sandbox.log'), run.log)),
  ];
  for (const { file } of run.records) {
    const target = join(folder, basename(file));
    written.push(await attempt(() => writeAtomically(target, createReadStream(file))));
  }
  const count = written.filter(Boolean).length;
  if (count > 0) progress(`saved ${count} ${count === 1 ? 'file' : 'files'} to ${folder}`);
}

/** Runs an action. Returns whether it succeeded; reports why it did not. */
async function attempt(action: () => Promise<void>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    failure(errorMessage(error));
    return false;
  }
}

async function removeRecords(folder: string): Promise<void> {
  for (const each of await readdir(folder, { withFileTypes: true })) {
    if (each.isFile() && each.name.endsWith(RECORD_SUFFIX)) await rm(join(folder, each.name));
  }
}

/**
 * Creates a folder and those above it. The recursive `mkdir` of Node.js 20 never ends where a file system says that there
 * is no such folder, as /proc does.
 */
async function createFolder(folder: string): Promise<void> {
  const isFolder = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) return;
  const parent = dirname(folder);
  if (parent !== folder) await createFolder(parent);
  await mkdir(folder).catch(error => {
    // Another process may have created it meanwhile.
    if (!isFolder()) throw error;
  });
}

/** Saves the state of a sandbox to a file. Rejects with a message for people when it cannot be written. */
export async function saveState(client: Client, file: string): Promise<void> {
  // As bytes: a large state does not fit into one string.
  await writeAtomically(file, await client.open({ method: 'GET', path: '/state' }));
  progress(`saved the state of the sandbox to ${file}`);
}
