import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidArgumentError, Option } from 'commander';
import { listenForPosts, readWebhook } from '../../../client/webhook-receiver.ts';
import { setTimeout } from '../../../core/values/builtins.ts';
import { parseDuration } from '../../../core/values/duration.ts';
import { createHeaderTranslator, type Names } from '../../../core/values/names.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { forwardMeanwhile } from '../../connection/forwarding.ts';
import { hostToListenOn, portNumber } from '../../flags.ts';
import { colour, isUnread, print, printable, progress } from '../../output/print.ts';
import { namesFlag } from '../../sandbox/sandbox-flags.ts';
import { forwardUrl } from '../forward.ts';
import { PartnerSecrets, passOn, type Verified } from './relay.ts';

interface ListenFlags extends ConnectionFlags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly respond: readonly ResponseMode[];
  readonly names?: Names;
  readonly forwardTo?: string;
}

/** A terminal that is closed sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const AFTER = `
A delivery with an invalid signature gets 401, every other the response of --respond. Without a secret, signatures
are not checked. Ctrl-C stops it, with exit code 0.

With --forward-to the running sandbox sends all its webhooks here. Each one is verified with the secrets of its
partners, passed on to the URL with the same headers and bytes, and printed with the response, which the sandbox gets
as well. At the end the sandbox forwards as before.
${examples('listen --secret a-secret-of-some-length', 'listen --port 4300 --respond 500,500,200', 'listen --respond slow:3s --json', 'listen --forward-to http://127.0.0.1:3000/webhooks')}`;

const RULE =
  'It must be a comma-separated list of statuses such as 500, hang, drop or slow:3s; the last is repeated.';

/** Adds `listen`, a webhook receiver that verifies, prints and responds as its flags say. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['listen'])
    .description('Receive webhooks: verify and print each one, and respond with failures of your choice.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', portNumber, 4243)
    .addOption(
      new Option('--host <name>', 'name or address to listen on')
        .argParser(hostToListenOn)
        .default('127.0.0.1', '127.0.0.1'),
    )
    .addOption(new Option('--secret <secret>', 'the webhook secret').env('SERVICE_WEBHOOK_SECRET'))
    .addOption(
      new Option(
        '--respond <answers>',
        'comma-separated statuses, hang, drop or slow:3s; the last is repeated',
      )
        .argParser(responseModes)
        .default([{ kind: 'status', status: 200 }], '200'),
    )
    .addOption(
      new Option(
        '--forward-to <url>',
        'receive the webhooks of the running sandbox and pass them on to this URL',
      )
        .argParser(forwardUrl)
        .conflicts('respond'),
    )
    .addOption(namesFlag());
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action((flags: ListenFlags) => listen(flags));
};

async function listen(flags: ListenFlags): Promise<void> {
  const receiver = new Receiver(flags);
  const stopped = new Promise<void>(resolve => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.once(signal, stop);
    receiver.onUnread = stop;
  });
  const { origin: url, close } = await listenForPosts(receiver.receive.bind(receiver), flags).catch(error => {
    throw listenError(error, flags);
  });
  try {
    const { forwardTo } = flags;
    const restore = forwardTo === undefined ? null : await forwardMeanwhile(connect(flags), url);
    if (flags.json) print(JSON.stringify({ type: 'listening', url, ...(forwardTo && { forwardTo }) }));
    else progress(`receiving webhooks at ${url}${forwardTo === undefined ? '' : `, for ${forwardTo}`}`);
    await stopped;
    await restore?.();
  } finally {
    close();
  }
}

function listenError(error: NodeJS.ErrnoException, { port, host }: ListenFlags): Error {
  const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
  return new Error(`port ${port} on ${host} ${reason}; pass another --port, or 0 for a free one`);
}

class Receiver {
  /** Called when the reader of standard output is gone. */
  onUnread: () => void = () => undefined;
  readonly #flags: ListenFlags;
  readonly #headerName: (header: string) => string;
  readonly #partnerSecrets: PartnerSecrets;
  readonly #attempts = new Map<string, number>();
  #responses = 0;

  constructor(flags: ListenFlags) {
    this.#flags = flags;
    this.#headerName = createHeaderTranslator(flags.names ?? {});
    this.#partnerSecrets = new PartnerSecrets(connect(flags), this.#headerName);
  }

  receive(raw: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const { forwardTo } = this.#flags;
    if (forwardTo !== undefined) {
      void this.#passOn(forwardTo, raw, request, response);
      return;
    }
    // `env` prints an empty secret for a partner without one.
    const secret = this.#flags.secret || null;
    const webhook = readWebhook(raw, request.headers, secret, this.#headerName);
    const mode = webhook.problem === null ? this.#nextMode() : { kind: 'status' as const, status: 401 };
    this.#print({ ...webhook, isChecked: secret !== null }, request, modeText(mode));
    respond(mode, request, response);
    if (isUnread()) this.onUnread();
  }

  async #passOn(url: string, raw: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = passOn(url, raw, request, response);
    const webhook = await this.#partnerSecrets.read(raw, request.headers);
    this.#print(webhook, request, await answer);
    if (isUnread()) this.onUnread();
  }

  #print(
    { id, eventType, body, problem, isChecked }: Verified,
    { url }: IncomingMessage,
    answer: string,
  ): void {
    const webhook: ReceivedWebhook = {
      id,
      eventType,
      attempt: id === null ? 1 : this.#countAttempt(id),
      signature: !isChecked ? 'unchecked' : problem === null ? 'valid' : 'invalid',
      problem,
      answer,
      path: url ?? '/',
      body,
    };
    print(this.#flags.json ? jsonWebhook(webhook) : prettyWebhook(webhook));
  }

  #nextMode(): ResponseMode {
    const { respond: modes } = this.#flags;
    const mode = modes[Math.min(this.#responses, modes.length - 1)];
    this.#responses += 1;
    return mode ?? { kind: 'status', status: 200 };
  }

  #countAttempt(id: string): number {
    const attempt = (this.#attempts.get(id) ?? 0) + 1;
    this.#attempts.set(id, attempt);
    return attempt;
  }
}

/** How a receiver responds to one delivery. */
type ResponseMode =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' };

/** Parses a flag's value as response modes, one per delivery. */
function responseModes(text: string): readonly ResponseMode[] {
  return text.split(',').map(each => parseMode(each.trim()));
}

function parseMode(text: string): ResponseMode {
  if (text === 'hang' || text === 'drop') return { kind: text };
  if (/^[2-5]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const delayMs = parseDuration(/^slow:(.*)$/.exec(text)?.[1] ?? '');
  if (delayMs === null) throw new InvalidArgumentError(RULE);
  return { kind: 'slow', delayMs };
}

/** Returns a response mode as log lines show it. */
function modeText(mode: ResponseMode): string {
  if (mode.kind === 'status') return String(mode.status);
  return mode.kind === 'slow' ? `200 after ${mode.delayMs} ms` : mode.kind;
}

/** Responds to a delivery. */
function respond(mode: ResponseMode, request: IncomingMessage, response: ServerResponse): void {
  if (mode.kind === 'drop') request.socket.destroy();
  else if (mode.kind === 'status') response.writeHead(mode.status).end();
  else if (mode.kind === 'slow') setTimeout(() => response.writeHead(200).end(), mode.delayMs).unref();
}

/** A webhook that `listen` received, and the response to it. */
interface ReceivedWebhook {
  /** The delivery's id, or null when the body has none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** How many times this delivery has arrived, including this time. */
  readonly attempt: number;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** What is wrong with the signature, or null when it is valid or unchecked. */
  readonly problem: string | null;
  /** A status, a status after a delay, `hang` or `drop`. */
  readonly answer: string;
  readonly path: string;
  /** The parsed JSON of the body, or its text when it is not JSON. */
  readonly body: unknown;
}

/** Formats a webhook as one line of JSON. */
function jsonWebhook(webhook: ReceivedWebhook): string {
  return printable(JSON.stringify({ type: 'webhook', ...webhook }));
}

/** Formats a webhook for people: a line with event, signature and response, then the body, which all attempts share. */
function prettyWebhook(webhook: ReceivedWebhook): string {
  const { id, eventType, attempt, signature, problem, answer, body } = webhook;
  const paint = signature === 'valid' ? colour.green : signature === 'invalid' ? colour.red : colour.yellow;
  const head = [
    colour.bold(printable(eventType ?? 'unknown event')),
    colour.dim(printable(id ?? 'without an id')),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    paint(`signature ${signature}${problem === null ? '' : `: ${problem}`}`),
    (/^2/.test(answer) ? colour.green : colour.red)(`-> ${answer}`),
  ].join(' ');
  if (attempt > 1) return head;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [head, ...text.split('\n').map(line => `  ${printable(line)}`)].join('\n');
}
