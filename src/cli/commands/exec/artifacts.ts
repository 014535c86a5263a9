import { statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { errorCode, errorMessage } from '../../errors.ts';
import { failure, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { historyJson } from './activity.ts';
import { type CommandResult, summaryMarkdown } from './failure-summary.ts';

/** A finished run of a command against a sandbox. */
export interface FinishedRun extends CommandResult {
  /** The log of the sandbox. */
  readonly log: string;
}

/** The end of the names of the files with the history of a world. */
const HISTORY = '.history.json';

/**
 * Writes the artifacts of a run to a folder, which is created, and removes the histories of an earlier run from it. Reports
 * what cannot be written; never rejects.
 */
export async function writeArtifacts(folder: string, run: FinishedRun): Promise<void> {
  try {
    await createFolder(resolve(folder));
  } catch (error) {
    failure(`the folder ${folder} of --artifacts cannot be created (${errorCode(error)})`);
    return;
  }
  let written = 0;
  try {
    await removeHistories(folder);
  } catch (error) {
    failure(`the histories of an earlier run in ${folder} cannot be removed (${errorCode(error)})`);
  }
  for (const [name, content] of filesOf(run)) {
    try {
      await writeAtomically(join(folder, name), content());
      written += 1;
    } catch (error) {
      failure(errorMessage(error));
    }
  }
  if (written > 0) progress(`saved ${written} ${written === 1 ? 'file' : 'files'} to ${folder}`);
}

/** The files of a folder of artifacts, with what makes their contents. */
function filesOf(run: FinishedRun): ReadonlyMap<string, () => string> {
  const files = new Map([
    ['summary.md', () => summaryMarkdown(run)],
    ['sandbox.log', () => run.log],
  ]);
  // A world can have the id of one that has ended, and some file systems do not distinguish the case of names.
  const used = new Map<string, number>();
  for (const { world, calls } of run.worlds) {
    const key = world.toLowerCase();
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    files.set(`${world}${count === 1 ? '' : `.${count}`}${HISTORY}`, () => historyJson(calls));
  }
  return files;
}

async function removeHistories(folder: string): Promise<void> {
  for (const each of await readdir(folder, { withFileTypes: true })) {
    if (each.isFile() && each.name.endsWith(HISTORY)) await rm(join(folder, each.name));
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
