import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createClient } from '../../../client/client.ts';
import { findOperation } from '../../../client/find-operation.ts';
import type { AttemptOutcome, Transport } from '../../../core/world/transport.ts';
import { operations } from '../../../sandbox/operations.ts';
import { isStateFile } from '../../../sandbox/state/state-file.ts';
import { readScenario, type Scenario, scenarioNames } from '../../../tools/scenarios/file/read.ts';
import { CALL, type Step } from '../../../tools/scenarios/file/schema.ts';
import { progress } from '../../output/print.ts';
import { launch } from '../../sandbox/launch.ts';
import { readBundleOptions } from '../exec/bundle-options.ts';
import { readActivity, summaryText } from '../exec/failure-summary.ts';

/** Where a history is played again. */
export interface BundleTarget {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
}

/** How long requests in flight may take to finish once the history has been played. */
const GRACE_MS = 1_000;

/** Whether the argument of `run` is a folder of artifacts, and not a scenario. */
export function isBundle(path: string): boolean {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && !scenarioNames().includes(path);
}

/**
 * Starts a sandbox as the one of a failed job started, has its history played, and lists what was refused and what could
 * not be delivered, as the failed job did. The folder may come from a stranger: nothing outside it is read or written, and
 * no webhook leaves this process.
 */
export async function playBundle(
  folder: string,
  play: (scenario: Scenario, target: BundleTarget) => Promise<void>,
): Promise<void> {
  const scenario = readHistory(folder);
  const options = readFile(folder, 'options.json', readBundleOptions);
  const transport = readFile(folder, 'deliveries.json', recordedReceiver);
  const start = fileIn(folder, 'start.json');
  if (!isStateFile(start)) throw notABundle(start, 'is not a saved state');
  // Not the sandbox of `exec`, which configures webhooks: the history has every change since the state at its start.
  const { sandbox, server } = await launch(
    { ...options, fixtures: [start], port: 0, host: '127.0.0.1' },
    null,
    undefined,
    { transport },
  );
  try {
    const client = createClient({ url: server.origin });
    const { partners } = await client.info();
    // Without a partner no request of the history has a key.
    const apiKey = partners.find(({ id }) => id === scenario.partner)?.apiKey ?? 'none';
    try {
      await play(scenario, { baseUrl: `${server.origin}/v1`, controlUrl: server.origin, apiKey });
    } finally {
      const text = summaryText(await readActivity(client));
      if (text !== null) progress(text);
    }
  } finally {
    await server.close(GRACE_MS);
    sandbox.stop();
  }
}

/** Reads the history in a folder of artifacts. Throws an error if it has steps that no history has. */
function readHistory(folder: string): Scenario {
  const scenario = readScenario(fileIn(folder, 'history.yaml'));
  for (const [index, step] of scenario.steps.entries()) {
    const problem = stepProblem(step);
    if (problem !== null) throw notABundle(scenario.placeOf(index), problem);
  }
  return scenario;
}

const MEMBERS: readonly string[] = [
  ...([
    'say',
    'at',
    'request',
    'control',
    'key',
    'headers',
    'body',
    'expect',
    'capture',
  ] satisfies (keyof Step)[]),
];

/** What exports read although reading changes nothing: keys of other partners, passcodes and share tokens. */
const READS = ['info', 'threeDSecure.get', 'shareTokens.details'];

/** Returns what is wrong with a step of a history, or null. A history has only what changes a world from outside. */
function stepProblem(step: Step): string | null {
  const member = Object.keys(step).find(name => !MEMBERS.includes(name));
  if (member !== undefined) return `${member}: is not a member that exec writes`;
  if (step.control === undefined) return null;
  const [, method = '', path = ''] = CALL.exec(step.control) ?? [];
  const id = findOperation('control', method, path)?.id ?? '';
  const isRecorded = operations.find(each => each.id === id)?.isRecorded ?? false;
  return isRecorded || READS.includes(id) ? null : `control: ${step.control} is in no history`;
}

/** Returns the path of a file in the folder. Throws an error if it is missing, or a link. */
function fileIn(folder: string, name: string): string {
  const file = join(folder, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw notABundle(file, 'is missing');
  if (!stats.isFile()) throw notABundle(file, 'is not a regular file');
  return file;
}

/** Reads a file in the folder. Throws an error with the file if `read` throws. */
function readFile<T>(folder: string, name: string, read: (text: string) => T): T {
  const file = fileIn(folder, name);
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    throw notABundle(file, error instanceof Error ? error.message : String(error));
  }
}

function notABundle(place: string, problem: string): Error {
  return new Error(`${place}: ${problem}; run plays folders as exec --artifacts has written them`);
}

/** What a bundle has of deliveries. Members that are not used here may be anything. */
const Deliveries = z.array(
  z.object({
    id: z.string(),
    lastResponseBody: z.string().nullable(),
    attempts: z.array(
      z.object({
        url: z.string().nullable(),
        status: z.int().nullable(),
        cause: z.string().nullable(),
        fault: z.string().nullable(),
      }),
    ),
  }),
);

/** Creates a transport that sends nothing: each attempt ends as it did in the failed job. */
function recordedReceiver(text: string): Transport {
  const outcomes = new Map<string, Omit<AttemptOutcome, 'url' | 'durationMs'>[]>();
  for (const { id, lastResponseBody: body, attempts } of Deliveries.parse(JSON.parse(text))) {
    const sent = attempts.filter(({ url, fault }) => url !== null && fault !== 'drop');
    const ends = sent.map(({ status, cause }) => ({ status, cause, body: status === null ? null : body }));
    outcomes.set(
      id,
      ends.flatMap((end, index) => (sent[index]?.fault === 'duplicate' ? [end, end] : [end])),
    );
  }
  return {
    async send({ url, body }) {
      const [, id = ''] = /^\{"id":"([^"]*)"/.exec(body) ?? [];
      const end = outcomes.get(id)?.shift();
      const none = { status: null, body: null, cause: 'the failed job has no result of this attempt' };
      return { url, durationMs: 0, ...(end ?? none) };
    },
    close: () => outcomes.clear(),
  };
}
