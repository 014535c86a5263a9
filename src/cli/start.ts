import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import { OptionError, type SandboxOptions } from '../options.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import { type RunningServer, serve } from '../surfaces/server.ts';
import { banner, listeningLine } from './banner.ts';
import { failure, ignoreClosedPipes, print } from './output.ts';
import { jsonRequest, prettyRequest } from './request-log.ts';

/** How long what is in flight may take to finish after SIGTERM or SIGINT. */
const GRACE_MS = 1_500;

interface StartFlags extends SandboxOptions {
  readonly port: number;
  readonly host: string;
  readonly trustProxy: boolean;
  readonly controlToken?: string;
  readonly logFormat: 'pretty' | 'json';
}

const EXAMPLES = `
Examples:
  $ card-sandbox start
  $ card-sandbox start --port 0 --log-format json
  $ card-sandbox start --fixtures empty ./people.yaml --clock 2026-01-31T23:59:00Z --freeze`;

/** `card-sandbox start`: runs a sandbox until it is told to stop. */
export function startCommand(): Command {
  return new Command('start')
    .description('Start a sandbox and serve its API over HTTP.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber, 4242)
    .option('--host <name>', 'host or address to listen on', '127.0.0.1')
    .option('--fixtures <file...>', 'built-in names or YAML/JSON files, merged in order (default: starter)')
    .option('--seed <number>', 'seeds every id, name and card number (default: 42)', wholeNumber)
    .option('--clock <time>', 'where the sandbox clock starts, ISO 8601 (default: now)')
    .option('--freeze', 'stop the clock; it then moves only when it is advanced')
    .option('--kyc-delay <duration>', 'time until the simulated provider decides (default: 2s)')
    .option('--rate-limit <number>', 'requests a minute and key, 0 = off (default: 1000)', wholeNumber)
    .option('--allow-http-webhooks', 'accept http:// webhook URLs')
    .option('--documented-only', 'switch off what the interface does not document')
    .option('--trust-proxy', "take the caller's address from X-Forwarded-For", false)
    .option('--control-token <token>', 'guards the control plane beyond loopback (default: a random one)')
    .addOption(
      new Option('--log-format <format>', 'how requests are logged')
        .choices(['pretty', 'json'])
        .default('pretty'),
    )
    .addHelpText('after', EXAMPLES)
    .action(start);
}

async function start(flags: StartFlags): Promise<void> {
  const { port, host, trustProxy, controlToken: givenToken, logFormat, ...options } = flags;
  if (!(port <= 65_535)) throw new OptionError('port', 'must be a whole number from 0 to 65535');
  ignoreClosedPipes();
  const format = logFormat === 'json' ? jsonRequest : prettyRequest;
  const sandbox = createSandbox(options, {
    onAnswer: request => print(format(request)),
    onBug: (error, where) => failure(`bug in the sandbox, in ${where}: ${stackOf(error)}`),
  });
  const controlToken = givenToken ?? randomBytes(16).toString('hex');
  const server = await serve(sandbox, { port, host, trustProxy, controlToken }).catch(error => {
    throw new Error(explainListenError(error, host, port));
  });
  const listening = {
    origin: server.origin,
    partners: sandbox.partners(),
    options,
    controlToken: server.needsToken && givenToken === undefined ? controlToken : null,
  };
  print(logFormat === 'json' ? listeningLine(listening) : banner(listening));
  await stopped(server, sandbox);
}

/** Resolves when a signal has come and everything is closed; a second signal ends the process at once. */
function stopped(server: RunningServer, sandbox: Sandbox): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      for (const signal of ['SIGINT', 'SIGTERM']) {
        process.off(signal, stop).once(signal, () => process.exit(1));
      }
      sandbox.stop();
      void server.close(GRACE_MS).then(resolve);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  });
}

/** Never parseInt: commander hands the previous value over as a second argument. What is no number is refused later. */
function wholeNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function explainListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use; stop what listens there, or pass --port 0 for a free one`;
  }
  if (code === 'EACCES') return `port ${port} on ${host} needs more rights; pass a --port from 1024 up`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host ${host} is no address of this machine`;
  return `cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
