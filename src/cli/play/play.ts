import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../client/client.ts';
import { openReceiver as openWebhookReceiver, type WebhookReceiver } from '../../client/webhook-receiver.ts';
import { performance, sleep } from '../../core/values/builtins.ts';
import { isError } from '../../core/values/is-error.ts';
import { createHeaderTranslator, type Names, translateTexts } from '../../core/values/names.ts';
import { suggestion } from '../../core/values/nearest.ts';
import type { Scenario } from '../../tools/scenarios/file/read.ts';
import { playScenario } from '../../tools/scenarios/play/play.ts';
import { headingOf } from '../../tools/scenarios/play/player.ts';
import type { Stage, WallClock } from '../../tools/scenarios/play/stage.ts';
import { isControlCall, type Watcher } from '../../tools/scenarios/play/watcher.ts';
import { directWebhooks, usesWebhooks } from '../../tools/scenarios/play/webhooks.ts';
import { type JunitSuite, suiteOf } from '../../tools/scenarios/report/junit.ts';
import type { Report } from '../../tools/scenarios/report/report.ts';
import { isLoopback } from '../connection/connection.ts';
import { UsageError } from '../errors.ts';
import { path } from '../flags.ts';
import { flushOutput, isUnread, progress } from '../output/print.ts';
import type { EndRequest } from '../signals.ts';

export interface PlayInput {
  readonly scenario: Scenario;
  readonly api: Client;
  readonly apiKey: string;
  readonly control: Client | null;
  /** The value of `${run}`, unique among the runs on one server. */
  readonly run: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly keepGoing: boolean;
  readonly names?: Names | undefined;
  /** URL at which the server reaches the receiver; undefined for loopback. */
  readonly webhookUrl?: string | undefined;
  readonly webhookPort?: number | undefined;
  readonly end: EndRequest;
}

/** What a scenario is called, and how many steps it has. */
export interface Title {
  readonly name: string;
  readonly description?: string | undefined;
  readonly steps: number;
}

/** Prints progress, from the title to the summary, in the names of the server. */
export interface PlayReporter extends Watcher {
  title(title: Title): void;
  closes(report: Report): void;
}

export interface ReportFlags {
  readonly junit?: string;
  readonly json?: true;
}

/** What came of playing a scenario. */
export interface PlayedScenario {
  readonly report: Report;
  readonly suite: JunitSuite;
}

/** Plays a scenario with its own webhook receiver, then restores the partner's webhook configuration. */
export async function playWithReceiver(
  input: PlayInput,
  reporter: PlayReporter | null,
): Promise<PlayedScenario> {
  const { scenario, api, apiKey, control, run, variables, keepGoing, end, names = {} } = input;
  const { signal } = end;
  const wallClock: WallClock = {
    sleep: ms => sleep(ms, undefined, { signal }).catch(() => undefined),
    elapsed: () => performance.now(),
  };
  const receiver = await openReceiver(input);
  const { inbox, redirect } = receiver;
  const stage: Stage = { api, apiKey, control, inbox, redirect, wallClock, signal };
  try {
    const inNames = <T>(value: T) => translateTexts(value, names);
    const { name, description } = scenario;
    reporter?.title({ ...inNames({ name, description }), steps: scenario.steps.length });
    const watcher: Watcher = {
      async begins(opening) {
        await flushOutput();
        if (isUnread()) end.abort();
        else await reporter?.begins?.(inNames(opening));
      },
      shows: scene => reporter?.shows?.(isControlCall(scene) ? scene : inNames(scene)),
      ends: result => reporter?.ends?.(inNames(result)),
    };
    const report = await playScenario(scenario, stage, { keepGoing, run, variables }, watcher);
    if (!signal.aborted) reporter?.closes(report);
    const unplayed = scenario.steps.slice(report.steps.length).map((step, index) => ({
      number: report.steps.length + index + 1,
      heading: headingOf(step),
    }));
    return { report, suite: suiteOf(report, signal.aborted, unplayed) };
  } finally {
    await receiver.close();
  }
}

/** Opens a receiver and directs the partner's webhooks to it. `inbox` is the reason when there is no receiver. */
async function openReceiver({ scenario, api, apiKey, webhookUrl, webhookPort, names = {} }: PlayInput) {
  const none = (reason: string) => ({ inbox: reason, redirect: undefined, close: async () => {} });
  if (!usesWebhooks(scenario)) return none('this scenario expects no webhooks');
  if (webhookUrl === undefined && !isLoopback(api.url)) {
    return none('the server cannot reach this machine; pass an address that it can reach with --webhook-url');
  }
  const inbox: WebhookReceiver = await openWebhookReceiver({
    secret: randomBytes(24).toString('hex'),
    port: webhookPort,
    url: webhookUrl,
    headerName: createHeaderTranslator(names),
  }).catch(error => {
    if (webhookPort === undefined || webhookPort === 0 || !isError(error) || !('code' in error)) throw error;
    const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
    throw new Error(`--webhook-port ${webhookPort} ${reason}; pass another port`);
  });
  try {
    const direction = await directWebhooks(scenario, { api, apiKey }, inbox);
    if (typeof direction === 'string') {
      inbox.close();
      return none(direction);
    }
    const { redirect, restore } = direction;
    const close = async () => {
      inbox.close();
      // Not an error: the server may have stopped, and the steps may have changed the key or set a fault.
      const problem = await restore().catch(() => 'the server does not respond');
      if (problem === null) return;
      progress(`the partner's webhook configuration could not be restored (${problem}); set it again`);
    };
    return { inbox, redirect, close };
  } catch (error) {
    inbox.close();
    throw error;
  }
}

export function playFlags(command: Command): Command {
  return command
    .option('--var <name=value>', 'set a variable of the scenario; repeatable', variable)
    .option('--junit <file>', 'write a JUnit XML report with one test case per step or record', path)
    .option('--json', 'print only the report, as JSON; of several scenarios, {ok, scenarios}');
}

/** Returns the values of `--var`. Throws a UsageError for a name that the scenario does not use. */
export function variablesOf(
  scenario: Scenario,
  values: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const known = [
    'run',
    ...Object.keys(scenario.variables),
    ...scenario.steps.flatMap(({ capture }) => Object.keys(capture ?? {})),
  ];
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    const hint = suggestion(name, known) || `; its variables are ${known.join(', ')}`;
    throw new UsageError(`--var ${name}: the scenario has no such variable${hint}`);
  }
  return values;
}

function variable(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be a name and a value, such as user=user-7.');
  return { ...previous, [name]: value };
}
