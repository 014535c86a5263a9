import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { URL } from 'node:url';
import { InvalidArgumentError, Option } from 'commander';
import type { WebhookDelivery } from '../../../client/generated/records.ts';
import { listenForPosts, readWebhook } from '../../../client/webhook-receiver.ts';
import { createHeaderTranslator, type Names } from '../../../core/values/names.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { forwardMeanwhile } from '../../connection/forwarding.ts';
import { endOfStream, readEvents } from '../../connection/stream.ts';
import { hostToListenOn, portNumber } from '../../flags.ts';
import { colour, isUnread, print, printable, progress } from '../../output/print.ts';
import { optionFlag } from '../../sandbox/sandbox-flags.ts';
import { type EndRequest, withEndRequest } from '../../signals.ts';
import { forwardUrl } from '../forward.ts';

interface ListenFlags extends ConnectionFlags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly respond: readonly number[];
  readonly names?: Names;
  readonly forwardTo?: string;
}

const AFTER = `
A delivery with an invalid signature gets 401, every other the response of --respond. Without a secret, signatures
are not checked. Ctrl-C stops it, with exit code 0.

With --forward-to the running sandbox sends all its webhooks to the URL, and each attempt is printed with the response
of the app. An attempt to another URL, after the forwarding has been changed, names that URL. At the end the sandbox
forwards as before, unless the forwarding has been changed.
${examples('listen --secret a-secret-of-some-length', 'listen --port 4300 --respond 500,500,200', 'listen --forward-to http://127.0.0.1:3000/webhooks')}`;

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
      new Option('--respond <statuses>', 'comma-separated statuses of the responses; the last is repeated')
        .argParser(statuses)
        .default(DEFAULT_STATUSES, '200'),
    )
    .addOption(
      new Option(
        '--forward-to <url>',
        'send the webhooks of the running sandbox to this URL, and print them with its responses',
      )
        .argParser(forwardUrl)
        .conflicts('respond'),
    )
    .addOption(optionFlag('names'));
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action((flags: ListenFlags) => {
      const { forwardTo: url } = flags;
      return withEndRequest(end => (url === undefined ? receive(flags, end) : forward(flags, url, end)));
    });
};

async function receive(flags: ListenFlags, { signal, abort }: EndRequest): Promise<void> {
  // `env` prints an empty secret for a partner without one.
  const secret = flags.secret || null;
  const headerName = createHeaderTranslator(flags.names ?? {});
  const attempts = new Map<string, number>();
  let responses = 0;
  const onWebhook = (raw: Buffer, request: IncomingMessage, response: ServerResponse) => {
    const { id, eventType, body, ...read } = readWebhook(raw, request.headers, secret, headerName);
    const problem = read.problem && read.problem + otherNames(read.problem, request.headers);
    const status = problem === null ? (flags.respond[responses++] ?? flags.respond.at(-1) ?? 200) : 401;
    // After a reset of the sandbox, another webhook has the id.
    const key = `${id} ${JSON.stringify(body)}`;
    const attempt = id === null ? 1 : (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    const signature = secret === null ? 'unchecked' : problem === null ? 'valid' : 'invalid';
    const shown = { id, eventType, attempt, signature, problem, answer: String(status) } as const;
    printWebhook({ ...shown, path: request.url ?? '/', body }, flags);
    response.writeHead(status).end();
    if (isUnread()) abort();
  };
  const { origin: url, close } = await listenForPosts(onWebhook, flags).catch(error => {
    throw listenError(error, flags);
  });
  if (flags.json) print(JSON.stringify({ type: 'listening', url }));
  else progress(`receiving webhooks at ${url}`);
  if (!signal.aborted) await once(signal, 'abort');
  close();
}

/** The way out where the signature is missing because the sandbox has other names than the receiver. */
function otherNames(problem: string, headers: IncomingHttpHeaders): string {
  if (!problem.endsWith('is missing')) return '';
  const [service] = Object.keys(headers).flatMap(name => /^x-(.+)-signature$/.exec(name)?.[1] ?? []);
  return service === undefined ? '' : `; the webhook has x-${service}-signature: --names service=${service}`;
}

function listenError(error: NodeJS.ErrnoException, { port, host }: ListenFlags): Error {
  const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
  return new Error(`port ${port} on ${host} ${reason}; pass another --port, or 0 for a free one`);
}

/** Has the running sandbox send its webhooks to a URL, and prints each attempt, until it stops or a signal arrives. */
async function forward(flags: ListenFlags, url: string, { signal, abort }: EndRequest): Promise<void> {
  const client = connect(flags);
  const query = { kinds: 'delivery' };
  let restore: (() => Promise<string | null>) | undefined;
  try {
    const stream = await client.open({ method: 'GET', path: '/stream', query, signal });
    restore = await forwardMeanwhile(client, url);
    if (flags.json) print(JSON.stringify({ type: 'listening', url }));
    else progress(`showing the webhooks that ${client.url} sends to ${url}`);
    for await (const { data } of readEvents(stream)) {
      // The stream sends deliveries as the control plane responds with them.
      if (data.step === 'attempted')
        printWebhook(sentWebhook(data as unknown as WebhookDelivery, url), flags);
      if (isUnread()) abort();
    }
    if (!signal.aborted) progress(endOfStream(client));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    const left = await restore?.();
    if (left != null)
      progress(`the sandbox at ${client.url} forwards to ${left} now; card-sandbox forward changes it`);
  }
}

function sentWebhook(
  { id, eventType, attemptCount, attempts, payload }: WebhookDelivery,
  forwardTo: string,
): ShownWebhook {
  const { status = null, cause = null, url = null } = attempts.at(-1) ?? {};
  return {
    id,
    eventType,
    attempt: attemptCount,
    signature: null,
    problem: null,
    answer: String(status ?? cause),
    ...(url !== null && new URL(url).href !== new URL(forwardTo).href && { sentTo: url }),
    path: url === null ? null : new URL(url).pathname,
    body: JSON.parse(payload),
  };
}

const DEFAULT_STATUSES: readonly number[] = [200];

function statuses(text: string, previous: readonly number[]): readonly number[] {
  const added = text.split(',').map(each => {
    if (/^[2-5]\d\d$/.test(each.trim())) return Number(each);
    throw new InvalidArgumentError('It must be a comma-separated list of statuses, such as 500,500,200.');
  });
  return previous === DEFAULT_STATUSES ? added : [...previous, ...added];
}

interface ShownWebhook {
  readonly id: string | null;
  readonly eventType: string | null;
  /** How many times this delivery has arrived, including this time. */
  readonly attempt: number;
  /** Null for a webhook that the sandbox sends to the app. */
  readonly signature: 'valid' | 'invalid' | 'unchecked' | null;
  readonly problem: string | null;
  /** The status of the response, or why there was none. */
  readonly answer: string;
  /** The URL of an attempt that did not go to that of `--forward-to`: somebody has changed the forwarding. */
  readonly sentTo?: string;
  readonly path: string | null;
  /** The parsed JSON of the body, or its text when it is not JSON. */
  readonly body: unknown;
}

function printWebhook(webhook: ShownWebhook, { json }: ListenFlags): void {
  print(json ? printable(JSON.stringify({ type: 'webhook', ...webhook })) : prettyWebhook(webhook));
}

/** Formats a webhook for people: a line with event, signature and response, then the body, which all attempts share. */
function prettyWebhook(webhook: ShownWebhook): string {
  const { id, eventType, attempt, signature, problem, answer, sentTo, body } = webhook;
  const paint = signature === 'valid' ? colour.green : signature === 'invalid' ? colour.red : colour.yellow;
  const head = [
    colour.bold(printable(eventType ?? 'unknown event')),
    colour.dim(printable(id ?? 'without an id')),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(signature === null ? [] : [paint(`signature ${signature}${problem === null ? '' : `: ${problem}`}`)]),
    (/^2/.test(answer) ? colour.green : colour.red)(`-> ${answer}`),
    ...(sentTo === undefined ? [] : [colour.yellow(`at ${printable(sentTo)}`)]),
  ].join(' ');
  if (attempt > 1) return head;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [head, ...text.split('\n').map(line => `  ${printable(line)}`)].join('\n');
}
