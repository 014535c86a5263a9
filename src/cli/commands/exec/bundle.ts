import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../../../client/client.ts';
import { findOperation } from '../../../client/find-operation.ts';
import { type AttemptOutcome, deliveryIdIn, type Transport } from '../../../core/world/transport.ts';
import { operations } from '../../../sandbox/operations.ts';
import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import { isStateFile } from '../../../sandbox/state/state-file.ts';
import { readScenario, type Scenario } from '../../../tools/scenarios/file/read.ts';
import { CALL, type Step } from '../../../tools/scenarios/file/schema.ts';
import { type LaunchHooks, launch } from '../../sandbox/launch.ts';
import { type BundleOptions, readBundleOptions } from './bundle-options.ts';

/** How an attempt to send a webhook ended. */
export type RecordedOutcome = Omit<AttemptOutcome, 'url' | 'durationMs'>;

/** The history of a world in a folder, with all that is needed to play it again. */
export interface Bundle {
  readonly scenario: Scenario;
  readonly options: BundleOptions;
  /** The outcomes of the attempts by the id of their delivery event, in order. */
  readonly outcomes: ReadonlyMap<string, readonly RecordedOutcome[]>;
  /** The file with the state at the start. */
  readonly start: string;
}

/** Who writes such folders, and in which form. */
export interface BundleKind {
  /** The command that writes them, in messages. */
  readonly writer: string;
  /** Ends each message about a folder that was not written so. */
  readonly advice: string;
  /** Reads `deliveries.json`. */
  readonly readOutcomes: (text: string) => Bundle['outcomes'];
}

/**
 * Reads a folder, which may come from a stranger. Throws an error that names file and member for what the writer of such
 * folders does not write.
 */
export function readBundle(folder: string, kind: BundleKind): Bundle {
  const fail = (place: string, problem: string) => new Error(`${place}: ${problem}; ${kind.advice}`);
  /** Returns the path of a file. Throws an error if it is missing, or a link. */
  const fileIn = (name: string) => {
    const file = join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw fail(file, 'is missing');
    if (!stats.isFile()) throw fail(file, 'is not a regular file');
    return file;
  };
  const read = <T>(name: string, parse: (text: string) => T): T => {
    const file = fileIn(name);
    try {
      return parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw fail(file, error instanceof Error ? error.message : String(error));
    }
  };
  const scenario = readScenario(fileIn('history.yaml'));
  for (const [index, step] of scenario.steps.entries()) {
    const problem = stepProblem(step, kind.writer);
    if (problem !== null) throw fail(scenario.placeOf(index), problem);
  }
  const options = read('options.json', text => readBundleOptions(text, kind.writer));
  const outcomes = read('deliveries.json', kind.readOutcomes);
  const start = fileIn('start.json');
  if (!isStateFile(start)) throw fail(start, 'is not a saved state');
  return { scenario, options, outcomes, start };
}

/** A sandbox in which a history is played again. */
export interface BundleSandbox {
  readonly core: SandboxCore;
  readonly client: Client;
  /** The key of the partner of the history. */
  readonly apiKey: string;
  close(): Promise<void>;
}

/** How long requests in flight may take to finish once the history has been played. */
const GRACE_MS = 1_000;

/**
 * Starts a sandbox as the one of the history started. No webhook leaves this process: each attempt ends as it did. It is
 * not the sandbox of `exec`, which configures webhooks: the history has every change since the state at its start.
 */
export async function openBundle(
  { options, outcomes, start, scenario }: Bundle,
  hooks: LaunchHooks = {},
): Promise<BundleSandbox> {
  const { sandbox, server } = await launch(
    { ...options, fixtures: [start], port: 0, host: '127.0.0.1' },
    null,
    undefined,
    { ...hooks, transport: recordedReceiver(outcomes) },
  );
  const client = createClient({ url: server.origin });
  // Without a partner no request of the history has a key.
  const apiKey = sandbox.partners().find(({ id }) => id === scenario.partner)?.apiKey ?? 'none';
  return {
    core: sandbox,
    client,
    apiKey,
    async close() {
      await server.close(GRACE_MS);
      sandbox.stop();
    },
  };
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

/** What a history expects: no regular expressions, which could take forever. */
const EXPECTED: readonly string[] = [
  ...(['status', 'recorded', 'dropped'] satisfies (keyof NonNullable<Step['expect']>)[]),
];

/** What exports read although reading changes nothing: keys of other partners, passcodes and share tokens. */
const READS = ['info', 'threeDSecure.get', 'shareTokens.details'];

/** Returns what is wrong with a step of a history, or null. A history has only what changes a world from outside. */
function stepProblem(step: Step, writer: string): string | null {
  const member = Object.keys(step).find(name => !MEMBERS.includes(name));
  if (member !== undefined) return `${member}: is not a member that ${writer} writes`;
  const expected = Object.keys(step.expect ?? {}).find(name => !EXPECTED.includes(name));
  if (expected !== undefined) return `expect.${expected}: is not a member that ${writer} writes`;
  if (step.control === undefined) return null;
  const [, method = '', path = ''] = CALL.exec(step.control) ?? [];
  const id = findOperation('control', method, path)?.id ?? '';
  const isRecorded = operations.find(each => each.id === id)?.isRecorded ?? false;
  return isRecorded || READS.includes(id) ? null : `control: ${step.control} is in no history`;
}

/** Creates a transport that sends nothing: each attempt ends as it did. */
function recordedReceiver(recorded: Bundle['outcomes']): Transport {
  const outcomes = new Map(Array.from(recorded, ([id, list]) => [id, [...list]]));
  return {
    async send({ url, body }) {
      const end = outcomes.get(deliveryIdIn(body))?.shift();
      const none = { status: null, body: null, cause: 'the history has no result of this attempt' };
      return { url, durationMs: 0, ...(end ?? none) };
    },
    close: () => outcomes.clear(),
  };
}
