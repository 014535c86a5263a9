import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { errorCode } from '../../errors.ts';
import { failure, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { bundleOptions } from './bundle-options.ts';
import { type CommandResult, summaryMarkdown } from './failure-summary.ts';

/** A finished run of a command against a sandbox. */
export interface FinishedRun extends CommandResult {
  readonly client: Client;
  /** The log of the sandbox. */
  readonly log: string;
}

/** The content of a file: a text, or bytes that are written as they are read. */
type Content = string | AsyncIterable<Uint8Array>;

/** The files of a folder of artifacts. Each is made and written apart from the others. */
const ARTIFACTS: Readonly<Record<string, (run: FinishedRun) => Content | Promise<Content>>> = {
  'start.json': ({ client }) => stateAtStart(client),
  'state.json': ({ client }) => stateOf(client),
  'requests.json': ({ activity }) => json(activity.requests),
  'deliveries.json': ({ activity }) => json(activity.deliveries),
  'history.yaml': ({ client }) => client.open({ method: 'GET', path: '/history/export' }),
  'options.json': async ({ client }) => json(bundleOptions((await client.info()).options)),
  'sandbox.log': ({ log }) => log,
  'summary.md': summaryMarkdown,
};

/** Writes the artifacts of a run to a folder, which is created. Reports what cannot be written; never rejects. */
export async function writeArtifacts(folder: string, run: FinishedRun): Promise<void> {
  try {
    await createFolder(resolve(folder));
  } catch (error) {
    failure(`the folder ${folder} of --artifacts cannot be created (${errorCode(error)})`);
    return;
  }
  let written = 0;
  for (const [name, content] of Object.entries(ARTIFACTS)) {
    try {
      await writeAtomically(join(folder, name), await content(run));
      written += 1;
    } catch (error) {
      failure(error instanceof Error ? error.message : String(error));
    }
  }
  if (written > 0) progress(`saved ${written} files to ${folder}`);
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
  await writeAtomically(file, await stateOf(client));
  progress(`saved the state of the sandbox to ${file}`);
}

/** Reads the state before the oldest entry of the history. */
async function stateAtStart(client: Client): Promise<ReadableStream<Uint8Array>> {
  const { body } = await client.control({ method: 'GET', path: '/history' });
  // The sandbox checks its responses: this is a list of entries, newest first.
  return stateOf(client, (body as readonly { readonly id: string }[]).at(-1)?.id);
}

/** Reads the state, by default as it is now, as bytes: a large one does not fit into one string. */
function stateOf(client: Client, at?: string): Promise<ReadableStream<Uint8Array>> {
  return client.open({ method: 'GET', path: '/state', query: at === undefined ? {} : { at } });
}

/** Formats a value as a JSON file. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
