import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createFolder } from '../../../sandbox/records/create-folder.ts';
import { recordsIn } from '../../../sandbox/records/record-folder.ts';
import { attempt, errorCode } from '../../errors.ts';
import { failure, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { type CommandResult, summaryMarkdown } from './failure-summary.ts';

export interface FinishedRun extends CommandResult {
  readonly log: string;
  /** The files of its records. */
  readonly records: readonly string[];
  /** The records that were in the folder before the command ran. */
  readonly earlier: readonly string[];
}

/** Returns the records in a folder; none if it cannot be read, which shows once something is written to it. */
export function earlierRecords(folder: string): readonly string[] {
  try {
    return recordsIn(folder);
  } catch {
    return [];
  }
}

/** Writes the artifacts of a run to a folder. Reports what cannot be written; never rejects. */
export async function writeArtifacts(folder: string, run: FinishedRun): Promise<void> {
  const count = await saveRecords(folder, run.records, run.earlier);
  if (count === null) return;
  const written = [
    await attempt(() => writeAtomically(join(folder, 'summary.md'), summaryMarkdown(run))),
    await attempt(() => writeAtomically(join(folder, 'sandbox.log'), run.log)),
  ];
  const all = count + written.filter(Boolean).length;
  if (all > 0) progress(`saved ${all} ${all === 1 ? 'file' : 'files'} to ${folder}`);
}

/**
 * Removes the records of an earlier run from a folder, which is created, and copies others to it. Those that the command has
 * written there itself stay. Reports what cannot be written; never rejects. Resolves with the number of files; null without
 * the folder.
 */
export async function saveRecords(
  folder: string,
  records: readonly string[],
  earlier = earlierRecords(folder),
): Promise<number | null> {
  try {
    createFolder(resolve(folder));
  } catch (error) {
    failure(`the folder ${folder} of --artifacts cannot be created (${errorCode(error)})`);
    return null;
  }
  try {
    for (const file of earlier) await rm(file, { force: true });
  } catch (error) {
    failure(`the records of an earlier run in ${folder} cannot be removed (${errorCode(error)})`);
  }
  const written = [];
  for (const file of records) {
    const target = join(folder, basename(file));
    written.push(await attempt(() => writeAtomically(target, createReadStream(file))));
  }
  return written.filter(Boolean).length;
}
