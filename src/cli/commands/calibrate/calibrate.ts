import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import type { Names } from '../../../core/values/names.ts';
import { evidenceFileOf, readObservations, readProfile } from '../../../sandbox/profile.ts';
import { type Calibration, calibrate, NO_PROBE } from '../../../tools/calibrate/calibrate.ts';
import type { Variables } from '../../../tools/calibrate/lab/lab.ts';
import type { Result, Verdict } from '../../../tools/calibrate/probe.ts';
import { evidenceText, knownResults, markdownReport, profileText } from '../../../tools/calibrate/profile.ts';
import type { WallTime } from '../../../tools/calibrate/service/service.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, UsageError } from '../../errors.ts';
import { duration } from '../../flags.ts';
import { openCapture } from '../../output/capture-file.ts';
import { colour, printable, printResult, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { namesFlag } from '../../sandbox/sandbox-flags.ts';
import { abortOnSignals } from '../../signals.ts';
import { baseUrlOf, entryOf, testKeyOf, variableOf } from './target.ts';

interface CalibrateFlags {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly names?: Names;
  readonly write?: true;
  readonly var?: Variables;
  readonly only?: readonly string[];
  readonly patience: number;
  readonly out?: string;
  readonly resume?: true;
  readonly report?: string;
  readonly capture?: string;
  readonly json?: true;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SIGNAL_BASE = 128;

const AFTER = `
Holds the sandbox environment of a service against the assumptions of card-sandbox. Each entry is observed, contradicted
(with what was seen, and the setting that fits, if any) or unknown (with what it would take). Only reads, unless --write
is given. With --write it creates records whose names begin with card-sandbox-calibration-, cancels the cards that it
has issued and puts the webhook configuration back, also when it is stopped.

The exit code is 0 when every probe could be made, whatever it found, and 1 when the service cannot be reached or refuses
the key. Production keys are refused before any request is sent.
${examples('calibrate --base-url http://127.0.0.1:4242/v1 --api-key "$SERVICE_API_KEY"', 'calibrate --base-url http://127.0.0.1:4242/v1 --api-key "$SERVICE_API_KEY" --write --out profile.yaml', 'start --profile profile.yaml')}`;

const GAP = 2;
const ORDER: readonly Verdict[] = ['observed', 'unknown', 'contradicted'];
const PAINTS: Readonly<Record<Verdict, (text: string) => string>> = {
  observed: colour.green,
  contradicted: colour.red,
  unknown: colour.yellow,
};

const wallTime: WallTime = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

/** Adds `calibrate`, which holds a service against the register of assumptions. */
export const add: AddCommand = program => {
  commandAt(program, ['calibrate'])
    .description('Hold a service against the assumptions, and report which of them it shares.')
    .addOption(
      new Option('--base-url <url>', 'base URL of the API of the service, version segment included')
        .env('SERVICE_BASE_URL')
        .argParser(baseUrlOf)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--api-key <key>', 'API key of the partner for the sandbox environment')
        .env('SERVICE_API_KEY')
        .argParser(testKeyOf)
        .makeOptionMandatory(),
    )
    .addOption(namesFlag())
    .option('--write', 'create and change records too (default: reads only)')
    .option('--var <name=value>', 'something that probes cannot make by themselves; repeatable', variableOf)
    .option('--only <id...>', 'probe these entries only (default: all)', entryOf)
    .option('--patience <duration>', 'how long to wait for a KYC decision or a webhook', duration, 15_000)
    .option('--out <file>', 'write a profile, for start --profile, with its evidence in a file beside it')
    .option('--resume', 'keep the verdicts beside the file of --out, and probe the rest')
    .option('--report <file>', 'write a report: Markdown, or JSON if the name ends in .json')
    .option('--capture <file>', 'keep each request and response, without secrets, as JSON lines')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', AFTER)
    .action(run);
};

async function run(flags: CalibrateFlags): Promise<void> {
  const {
    baseUrl,
    apiKey,
    names = {},
    write = false,
    only,
    patience: asyncTimeoutMs,
    out,
    report,
    json,
  } = flags;
  const known = flags.resume ? earlierResults(out, baseUrl) : new Map<string, Result>();
  const capture = flags.capture === undefined ? () => {} : openCapture(flags.capture, baseUrl);
  const signals = abortOnSignals(SIGNALS);
  let calibration: Calibration;
  try {
    calibration = await calibrate({
      baseUrl,
      apiKey,
      names,
      write,
      only,
      known,
      variables: flags.var ?? {},
      asyncTimeoutMs,
      webhookSecret: randomBytes(24).toString('hex'),
      signal: signals.signal,
      time: wallTime,
      onExchange: capture,
      onResult: result => {
        if (process.stderr.isTTY) progress(`${result.verdict.padEnd(13)} ${result.id}: ${remarkOn(result)}`);
      },
    });
  } finally {
    signals.release();
  }
  const { results, summary, leftovers } = calibration;
  for (const each of leftovers) progress(`not cleaned up: ${each}`);
  const asJson = printable(JSON.stringify({ results, summary }));
  if (out !== undefined) {
    const evidence = evidenceFileOf(out);
    await writeAtomically(evidence, evidenceText(calibration));
    await writeAtomically(out, profileText(calibration, basename(evidence)));
  }
  if (report !== undefined) {
    await writeAtomically(report, report.endsWith('.json') ? asJson : markdownReport(calibration));
  }
  await printResult(json ? asJson : verdictTable(calibration));
  if (calibration.failure !== null) throw new Error(calibration.failure);
  const received = signals.received();
  if (received !== null) throw new Exit(SIGNAL_BASE + constants.signals[received]);
}

/** Reads the verdicts that the file of `--out` holds, if it exists. Throws a UsageError when it is of another service. */
function earlierResults(file: string | undefined, baseUrl: string): ReadonlyMap<string, Result> {
  if (file === undefined) throw new UsageError('--resume needs --out, whose file it goes on from');
  if (!existsSync(file)) return new Map();
  const { service = baseUrl } = readProfile(file);
  if (service === baseUrl) return knownResults(readObservations(file));
  throw new UsageError(`--resume: ${file} is the profile of ${service}; pass another file to --out`);
}

/** Formats the verdicts for people, contradictions last, where they are seen first. Lists entries without a probe only once. */
function verdictTable({ results, summary }: Calibration): string {
  const withoutProbe = results.filter(({ evidence }) => evidence.needs === NO_PROBE).map(({ id }) => id);
  const probed = results.filter(({ id }) => !withoutProbe.includes(id));
  const width = Math.max(...probed.map(({ id }) => id.length)) + GAP;
  const lines = ORDER.flatMap(verdict =>
    probed
      .filter(each => each.verdict === verdict)
      .map(result => {
        const word = PAINTS[verdict](verdict.padEnd('contradicted'.length + GAP));
        return `${result.id.padEnd(width)}${word}${printable(remarkOn(result))}`;
      }),
  );
  const counts = `${summary.observed} observed, ${summary.contradicted} contradicted, ${summary.unknown} unknown, ${summary.requests} requests`;
  return [
    ...lines,
    '',
    ...(withoutProbe.length > 0 ? [`without a probe: ${withoutProbe.join(', ')}`, ''] : []),
    counts,
  ].join('\n');
}

/** What was seen, or what it would take, with the setting that fits. */
function remarkOn({ evidence: { seen, needs }, setting }: Result): string {
  const fit = setting === undefined ? '' : ` (--assume ${setting.name}=${setting.value})`;
  return (seen ?? `needs ${needs}`) + fit;
}
