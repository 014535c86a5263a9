import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createFolder } from '../../../sandbox/records/create-folder.ts';
import { recordsIn } from '../../../sandbox/records/record-folder.ts';
import { attempt, errorCode } from '../../errors.ts';
import { failure, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { type CommandResult, summaryMarkdown } from './failure-summary.ts';

const SUMMARY = 'summary.md';
const LOG = 'sandbox.log';

/** Removes what an earlier run has left in a folder, which nobody shall read as of this run. Reports a failure; never rejects. */
export async function removeArtifacts(folder: string): Promise<void> {
  try {
    const files = [...recordsIn(folder), join(folder, SUMMARY), join(folder, LOG)];
    for (const file of files) await rm(file, { force: true });
  } catch (error) {
    const code = errorCode(error);
    // Whether there can be such a folder shows once something is written to it.
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    failure(
      `what an earlier run has left in ${folder} cannot be removed (${code}); remove it, or pass another folder`,
    );
  }
}

/** Writes the summary and the log of a run beside its records. Reports what cannot be written; never rejects. */
export async function saveSummary(
  folder: string,
  run: CommandResult,
  log: string,
  records: number,
): Promise<void> {
  const written = [
    await attempt(() => writeAtomically(join(folder, SUMMARY), summaryMarkdown(run))),
    await attempt(() => writeAtomically(join(folder, LOG), log)),
  ];
  const all = records + written.filter(Boolean).length;
  if (all > 0) progress(`saved ${all} ${all === 1 ? 'file' : 'files'} to ${folder}`);
}

/**
 * Copies records to a folder, which is created. Reports what cannot be written; never rejects. Resolves with the number of
 * files; null without the folder.
 */
export async function saveRecords(folder: string, records: readonly string[]): Promise<number | null> {
  try {
    createFolder(resolve(folder));
  } catch (error) {
    failure(
      `the folder ${folder} of --artifacts cannot be created (${errorCode(error)}); pass another folder`,
    );
    return null;
  }
  const written = [];
  for (const file of records) {
    const target = join(folder, basename(file));
    written.push(await attempt(() => writeAtomically(target, createReadStream(file))));
  }
  return written.filter(Boolean).length;
}
