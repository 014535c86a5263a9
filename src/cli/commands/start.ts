import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { AbortController } from '../../core/values/builtins.ts';
import { builtInKeys, builtInNames } from '../../sandbox/fixtures/file/source.ts';
import type { PartnerKey } from '../../sandbox/sandbox.ts';
import { isLoopbackHost } from '../../sandbox/surface-address.ts';
import { type AddCommand, commandAt } from '../command.ts';
import { isLoopback } from '../connection/connection.ts';
import { UsageError } from '../errors.ts';
import { checkField, path, withChoices } from '../flags.ts';
import { print } from '../output/print.ts';
import { isInBackground, ownProcess, reportToParent, startInBackground } from '../sandbox/background.ts';
import { banner, listeningLine, NO_TOKEN, PUBLIC_KEYS } from '../sandbox/banner.ts';
import { launch, shutDown } from '../sandbox/launch.ts';
import { type ServeFlags, sandboxFlags } from '../sandbox/sandbox-flags.ts';
import { abortOnSignals } from '../signals.ts';

interface StartFlags extends ServeFlags {
  readonly logFormat: 'pretty' | 'json';
  readonly json?: true;
  readonly background?: true;
  readonly logFile?: string;
  readonly print?: string;
}

const AFTER = () => `
Fixtures are YAML or JSON files. Built-in fixtures: ${builtInNames().join(', ')}.
Durations are written 500ms, 90s, 30m, 2h or 1d; times as 2026-01-31T12:00:00Z.
On SIGINT (Ctrl-C), SIGTERM or SIGHUP, requests in flight finish and the exit code is 0, or 1 if --state is not saved.
--background prints the line of --log-format json with instance, pid and log, the path of the log; stop ends it.

Examples:
  $ card-sandbox start
  $ card-sandbox start --port 0 --log-format json
  $ card-sandbox start --background --log-file sandbox.log
  $ card-sandbox start --background --port 0 --print url
  $ card-sandbox start --fixtures empty ./people.yaml --kyc-delay 0s
  $ card-sandbox start --fixtures ./people.yaml --watch
  $ card-sandbox start --state world.json
  $ card-sandbox start --seed 7 --clock 2026-01-31T23:59:00Z --freeze
  $ card-sandbox start --forward-to http://127.0.0.1:3000/webhooks
  $ card-sandbox start --map https://hooks.partner.test=http://127.0.0.1:3000 --retry-speed 1
  $ card-sandbox start --names service=acme,idp1=checkly
  $ card-sandbox start --host 0.0.0.0 --control-token "$TOKEN"`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['start']).description('Start a sandbox and serve its API over HTTP.');
  sandboxFlags(command, 4242)
    .addOption(
      withChoices(
        new Option(
          '--log-format <format>',
          'pretty for people or json for programs; one line per request and per delivery',
        ),
        ['pretty', 'json'],
      ).default('pretty', 'pretty'),
    )
    .option('--json', 'short for --log-format json')
    .option('--background', 'end once the sandbox responds, and print its address and process as JSON')
    .option(
      '--log-file <file>',
      'log of --background (default: a file in the folder for temporary files)',
      path,
    )
    .option('--print <field>', 'with --background: print only the value of this field (default: all as JSON)')
    .showHelpAfterError('(card-sandbox start --help lists the options)')
    .addHelpText('after', AFTER)
    .action(start);
};

/** The last ones only where there is such a thing. */
const LISTENING_FIELDS = [
  ...['url', 'baseUrl', 'dashboardUrl', 'partners', 'instance', 'pid', 'log'],
  ...['controlToken', 'webhookSecrets', 'loadedState', 'listensOn', 'warnings'],
];

async function start(
  { background, logFile, logFormat, json, print: field, ...flags }: StartFlags,
  command: Command,
): Promise<void> {
  if (background && !isInBackground()) {
    if (field !== undefined) checkField(command, field, LISTENING_FIELDS);
    return startInBackground(logFile, field);
  }
  if (field !== undefined && !isInBackground()) throw new UsageError('--print is for --background');
  if (logFile !== undefined && !isInBackground())
    throw new UsageError('--log-file is for --background; redirect the output instead');
  const isJson = json === true || logFormat === 'json';
  const stopping = new AbortController();
  const own = ownProcess(() => stopping.abort());
  // A token in the environment is there for every sandbox of a machine; a flag is meant for this one.
  const requireToken = command.getOptionValueSource('controlToken') === 'cli';
  const { sandbox, server, controlToken } = await launch(
    { ...flags, requireToken },
    { isJson, write: print },
    own,
  );
  const isTokenGenerated = server.needsToken && flags.controlToken === undefined;
  const partners = sandbox.partners();
  const url = sandbox.options.publicUrl ?? server.origin;
  const isShared = !isLoopbackHost(flags.host) || !isLoopback(url);
  const { main } = sandbox;
  const isSaved = sandbox.loadedState !== null || main.states.isSaved;
  const listening = {
    url,
    origin: server.origin,
    host: flags.host,
    partners,
    webhookSecrets: sandbox.webhookSecrets(),
    options: sandbox.options,
    loadedState: sandbox.loadedState,
    stateFile: sandbox.stateFile,
    saved: isSaved ? { ...main.state.clock.view(), seed: main.state.seed } : null,
    controlToken: isTokenGenerated ? controlToken : null,
    warnings: [
      ...(isShared && !server.needsToken ? [NO_TOKEN] : []),
      ...(isShared && hasPublicKey(partners) ? [PUBLIC_KEYS] : []),
    ],
  };
  // Install signal handlers before printing: a reader of the first line may send a signal at once.
  const signals = abortOnSignals(stopping);
  print(isJson ? listeningLine(listening) : banner(listening));
  reportToParent(() => listeningLine(listening), own);
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  await shutDown({ sandbox, server });
  // After a signal the process ends next, and a second one must not end it before with another exit code.
  if (signals.received() === null) signals.release();
}

function hasPublicKey(partners: readonly PartnerKey[]): boolean {
  const known = builtInKeys();
  return partners.some(({ apiKey }) => known.has(apiKey));
}
