import { writeFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { openReceiver } from '../../src/client/webhook-receiver.ts';
import { readScenario, type Scenario } from '../../src/tools/scenarios/file/read.ts';
import { playScenario } from '../../src/tools/scenarios/play/play.ts';
import type { Stage } from '../../src/tools/scenarios/play/stage.ts';
import type { Scene } from '../../src/tools/scenarios/play/watcher.ts';
import { directWebhooks, usesWebhooks } from '../../src/tools/scenarios/play/webhooks.ts';
import type { Report } from '../../src/tools/scenarios/report/report.ts';
import { temporaryFile } from '../cli/support/temporary-file.ts';
import { SECRET } from './receiver.ts';
import { ACME_KEY } from './sandbox.ts';

const wallClock = { sleep: () => new Promise<void>(setImmediate), elapsed: () => performance.now() };

/** The settings of a stage that tests can change. */
export interface StageOptions {
  readonly fetch?: typeof fetch;
  readonly hasControl?: boolean;
  readonly inbox?: Stage['inbox'];
  /** The secret that the receiver verifies with. */
  readonly secret?: string;
}

/** Creates a stage for the sandbox at a URL, with a receiver on loopback. */
export async function createStage(
  url: string,
  { fetch = globalThis.fetch, hasControl = true, inbox, secret = SECRET }: StageOptions = {},
): Promise<Stage> {
  const api = createClient({ url, fetch });
  const stage = { api, apiKey: ACME_KEY, control: hasControl ? api : null, wallClock };
  if (inbox !== undefined) return { ...stage, inbox };
  const opened = await openReceiver({ secret });
  onTestFinished(() => opened.close());
  return { ...stage, inbox: opened };
}

/** Reads a scenario from the text of its steps. The first step is at line 3. */
export async function parseScenario(steps: string, top = ''): Promise<Scenario> {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, `name: A test\nsteps:\n${steps}\n${top}`);
  return readScenario(file);
}

/** Plays a scenario, by default to its end. Resolves with the report and all scenes. */
export async function playToEnd(
  scenario: Scenario,
  stage: Stage,
  options: { readonly keepGoing?: boolean; readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<Report & { readonly scenes: readonly Scene[] }> {
  const scenes: Scene[] = [];
  const direction =
    usesWebhooks(scenario) && typeof stage.inbox !== 'string'
      ? await directWebhooks(scenario, stage, stage.inbox)
      : undefined;
  if (typeof direction === 'string') throw new Error(direction);
  const report = await playScenario(
    scenario,
    { ...stage, redirect: direction?.redirect },
    { keepGoing: true, run: 'test', variables: {}, ...options },
    { shows: scene => scenes.push(scene) },
  );
  return { ...report, scenes };
}
