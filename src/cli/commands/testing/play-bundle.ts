import { statSync } from 'node:fs';
import * as z from 'zod';
import { type Scenario, scenarioNames } from '../../../tools/scenarios/file/read.ts';
import { progress } from '../../output/print.ts';
import { type Bundle, openBundle, type RecordedOutcome, readBundle } from '../exec/bundle.ts';
import { readActivity, summaryText } from '../exec/failure-summary.ts';

/** Where a history is played again. */
export interface BundleTarget {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
}

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
  const advice = 'run plays folders as exec --artifacts has written them';
  const bundle = readBundle(folder, { writer: 'exec', advice, readOutcomes });
  const { client, apiKey, close } = await openBundle(bundle);
  try {
    try {
      const { url } = client;
      await play(bundle.scenario, { baseUrl: `${url}/v1`, controlUrl: url, apiKey });
    } finally {
      const text = summaryText(await readActivity(client));
      if (text !== null) progress(text);
    }
  } finally {
    await close();
  }
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

/** Returns the outcome of each attempt in a list of deliveries. */
function readOutcomes(text: string): Bundle['outcomes'] {
  const outcomes = new Map<string, RecordedOutcome[]>();
  for (const { id, lastResponseBody: body, attempts } of Deliveries.parse(JSON.parse(text))) {
    const sent = attempts.filter(({ url, fault }) => url !== null && fault !== 'drop');
    const ends = sent.map(({ status, cause }) => ({ status, cause, body: status === null ? null : body }));
    outcomes.set(
      id,
      ends.flatMap((end, index) => (sent[index]?.fault === 'duplicate' ? [end, end] : [end])),
    );
  }
  return outcomes;
}
