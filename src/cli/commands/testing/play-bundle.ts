import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../client/client.ts';
import { readScenario, type Scenario, scenarioNames } from '../../../tools/scenarios/file/read.ts';
import { UsageError } from '../../errors.ts';
import { progress } from '../../output/print.ts';
import { launch } from '../../sandbox/launch.ts';
import type { ServeFlags } from '../../sandbox/sandbox-flags.ts';
import { readActivity, summaryText } from '../exec/failure-summary.ts';

/** Where a history is played again. */
export interface BundleTarget {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
}

/** How long requests in flight may take to finish once the history has been played. */
const GRACE_MS = 1_000;

/** Returns the path of the history if the argument of `run` is a folder of artifacts, and null if it is a scenario. */
export function historyIn(path: string): string | null {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && !scenarioNames().includes(path) ? join(path, 'history.yaml') : null;
}

/**
 * Starts a sandbox as the one of a failed job started, has its history played, and lists what was refused and what could
 * not be delivered, as the failed job did.
 */
export async function playBundle(
  folder: string,
  play: (scenario: Scenario, target: BundleTarget) => Promise<void>,
): Promise<void> {
  const scenario = readScenario(join(folder, 'history.yaml'));
  // Not the sandbox of `exec`, which configures webhooks: the history has every change since the state at its start.
  const { sandbox, server } = await launch(
    { ...readOptions(join(folder, 'options.json')), fixtures: [join(folder, 'start.json')] },
    null,
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

function readOptions(file: string): ServeFlags {
  try {
    // The start of a sandbox checks the options.
    return { ...JSON.parse(readFileSync(file, 'utf8')), port: 0, host: '127.0.0.1' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new UsageError(
      `${file} cannot be read: ${reason}; run takes a folder that exec --artifacts has written`,
    );
  }
}
