import { type Command, Option } from 'commander';
import { buildFixtures } from '../../../fixtures/define/build.ts';
import { builtInNames } from '../../../fixtures/file/read.ts';
import { type CoreOptions, DEFAULT_SEED, OptionError } from '../../../sandbox/options.ts';
import { type CoreHooks, createSandboxCore, type SandboxCore } from '../../../sandbox/sandbox.ts';
import { newControlToken } from '../../../surfaces/http/control-token.ts';
import { type RunningServer, serve } from '../../../surfaces/http/server.ts';
import type { Handlers } from '../../../surfaces/in-process/handlers.ts';
import {
  collected,
  decimalNumber,
  namesFlag,
  portNumber,
  refuseOption,
  visibleText,
  wholeNumber,
} from '../../flags.ts';
import { jsonDelivery, prettyDelivery } from '../../log/delivery-log.ts';
import { jsonRequest, prettyRequest } from '../../log/request-log.ts';
import { banner, listeningLine } from '../../output/banner.ts';
import { failure, print, progress } from '../../output/print.ts';
import { stopped } from './wait-for-stop.ts';
import { filesToWatch, watchFixtures } from './watch-fixtures.ts';

/** What `start` and `exec` can be told: a sandbox, and where it listens. */
export interface ServeFlags extends Omit<CoreOptions, 'fixtures'> {
  readonly fixtures?: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly trustProxy?: true;
  readonly controlToken?: string;
  readonly watch?: true;
  readonly handlers?: string;
}

interface StartFlags extends ServeFlags {
  readonly logFormat: 'pretty' | 'json';
  readonly json?: true;
}

const AFTER = () => `
Fixtures are YAML or JSON files. These come with the package: ${builtInNames().join(', ')}.
Durations are written 500ms, 90s, 30m, 2h or 1d; times as 2026-01-31T12:00:00Z.
SIGINT (Ctrl-C) and SIGTERM let running requests finish, then the exit code is 0.

Examples:
  $ card-sandbox start
  $ card-sandbox start --port 0 --log-format json
  $ card-sandbox start --fixtures empty ./people.yaml --kyc-delay 0s
  $ card-sandbox start --fixtures ./people.yaml --watch
  $ card-sandbox start --seed 7 --clock 2026-01-31T23:59:00Z --freeze
  $ card-sandbox start --forward-to http://127.0.0.1:3000/webhooks
  $ card-sandbox start --map https://hooks.partner.test=http://127.0.0.1:3000 --retry-speed 1
  $ card-sandbox start --names service=acme,idp1=checkly
  $ card-sandbox start --host 0.0.0.0 --control-token "$TOKEN"`;

/** Adds `card-sandbox start`, which runs a sandbox until a signal stops it. */
export function addStart(program: Command): void {
  const command = program.command('start').description('Start a sandbox and serve its API over HTTP.');
  serveFlags(command, 4242)
    .addOption(
      new Option(
        '--log-format <format>',
        'pretty for people, json for programs: one line a request and a delivery',
      )
        .choices(['pretty', 'json'])
        .default('pretty', 'pretty'),
    )
    .option('--json', 'the same as --log-format json')
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(card-sandbox start --help lists the options)')
    .addHelpText('after', AFTER)
    .action((flags: StartFlags) => naming(command, start(flags)));
}

/** Adds the flags that say which sandbox is to run, and where it listens. */
export function serveFlags(command: Command, defaultPort: number): Command {
  return command
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, defaultPort)
    .addOption(
      new Option(
        '--host <name>',
        'name or address to listen on; beyond loopback the control plane needs a token',
      )
        .argParser(visibleText)
        .default('127.0.0.1', '127.0.0.1'),
    )
    .option(
      '--fixtures <file...>',
      'what the world holds: built-in names or paths, merged (default: starter)',
    )
    .option(
      '--state <file>',
      'keep the world in this file: loaded when it is there, saved at the end (default: in memory only)',
    )
    .option('--watch', 'begin anew when a fixture file changes (default: it is read once)')
    .option('--seed <number>', 'seed of every id, name and card number (default: 42)', wholeNumber)
    .option('--clock <time>', 'where the sandbox clock starts (default: now)')
    .option('--freeze', 'stop the clock; it then moves only when advanced (default: it runs)')
    .option('--kyc-delay <duration>', 'time until the simulated provider decides (default: 2s)')
    .option(
      '--rate-limit <number>',
      'requests per minute and key; 0 is no limit (default: 1000)',
      wholeNumber,
    )
    .option('--allow-http-webhooks', 'accept http:// webhook URLs (default: https:// only)')
    .option(
      '--retry-speed <number>',
      'how many times faster than published failed webhooks are retried (default: 60)',
      decimalNumber,
    )
    .option('--forward-to <url>', 'send every webhook to this URL, whatever is configured')
    .option(
      '--map <from=to>',
      'send webhooks for URLs below FROM to the same path below TO; repeatable',
      collected,
    )
    .addOption(
      new Option('--egress <reach>', 'how far webhooks reach: loopback and private addresses, or any')
        .choices(['private', 'any'])
        .default('private', 'private'),
    )
    .option('--webhook-ca <file>', 'PEM file of certificates to trust when sending webhooks')
    .option('--insecure-webhook-tls', "take any certificate of a webhook's receiver (default: check it)")
    .option(
      '--documented-only',
      'refuse operations that the interface does not document (default: all answer)',
    )
    .option('--handlers <file>', 'module of MSW handlers that are asked before the sandbox (default: none)')
    .addOption(namesFlag())
    .option('--trust-proxy', "take the caller's address from X-Forwarded-For (default: from the socket)")
    .option(
      '--control-token <token>',
      'token of the control plane beyond loopback (default: made up and printed)',
      visibleText,
    );
}

/** Waits for a sandbox to run its course, and reports an option that it refused as commander would. */
export function naming<T>(command: Command, running: Promise<T>): Promise<T> {
  return running.catch(error => {
    if (error instanceof OptionError) refuseOption(command, error);
    throw error;
  });
}

/** Where the lines of a log go, and whether programs read them. */
export interface Log {
  readonly isJson: boolean;
  readonly write: (line: string) => void;
}

/** A sandbox that listens. */
export interface Launched {
  readonly sandbox: SandboxCore;
  readonly server: RunningServer;
  /** What its control plane wants when it listens beyond loopback. */
  readonly controlToken: string;
}

/** Starts a sandbox and serves it; rejects in words for people when it cannot listen. */
export async function launch(flags: ServeFlags, log: Log | null): Promise<Launched> {
  const { watch, port, host, trustProxy = false, controlToken: given, handlers: file, ...options } = flags;
  const files = watch ? filesToWatch(options.fixtures) : null;
  const handlers = file === undefined ? undefined : await handlersOf(file);
  const fixtures = options.fixtures && (await buildFixtures(options.fixtures, options.seed ?? DEFAULT_SEED));
  const sandbox = createSandboxCore(
    { ...options, fixtures },
    {
      ...(log === null ? {} : hooksFor(log)),
      onBug: (error, where) => failure(`bug in the sandbox, in ${where}: ${stackOf(error)}`),
    },
  );
  const controlToken = given ?? newControlToken();
  const server = await serve(sandbox, { port, host, trustProxy, controlToken, handlers }).catch(error => {
    throw new Error(explainListenError(error, host, port));
  });
  if (files !== null) watchFixtures(sandbox, files, log ?? { isJson: false, write: progress });
  return { sandbox, server, controlToken };
}

/** Loads handlers, and what asks them: only whoever has some pays for it. */
async function handlersOf(file: string): Promise<Handlers> {
  const { loadHandlers } = await import('../../../surfaces/in-process/handlers.ts');
  return loadHandlers(file);
}

/** What a sandbox tells a log: one line a request and a delivery. */
function hooksFor({ isJson, write }: Log): Pick<CoreHooks, 'onResponse' | 'onDelivery'> {
  const [request, delivery] = isJson ? [jsonRequest, jsonDelivery] : [prettyRequest, prettyDelivery];
  return {
    onResponse: answered => write(request(answered)),
    onDelivery: attempted => write(delivery(attempted)),
  };
}

async function start({ logFormat, json, ...flags }: StartFlags): Promise<void> {
  const isJson = json === true || logFormat === 'json';
  const { sandbox, server, controlToken } = await launch(flags, { isJson, write: print });
  const listening = {
    origin: server.origin,
    host: flags.host,
    partners: sandbox.partners(),
    webhookSecrets: sandbox.webhookSecrets(),
    options: sandbox.options,
    controlToken: server.needsToken && flags.controlToken === undefined ? controlToken : null,
  };
  // Signals are minded before anything is printed: whoever reads the first line may send one at once.
  const end = stopped(server, sandbox);
  print(isJson ? listeningLine(listening) : banner(listening));
  await end;
}

function explainListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use; stop what listens there, or pass --port 0 for a free one`;
  }
  if (code === 'EACCES') return `port ${port} on ${host} needs more rights; pass a --port from 1024 up`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `--host ${host} is no address of this machine; pass 127.0.0.1, or 0.0.0.0 for all its addresses`;
  }
  return `cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : error}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
