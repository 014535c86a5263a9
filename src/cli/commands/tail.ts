import { TextDecoder } from 'node:util';
import { Option } from 'commander';
import { type Client, RefusedError, UnreachableError } from '../../client/client.ts';
import { createControlCall } from '../../client/operation-calls.ts';
import { AbortController, sleep } from '../../core/values/builtins.ts';
import type { RequestLogEntry } from '../../sandbox/log-entries.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { withChoices } from '../flags.ts';
import { prettyRequest } from '../log.ts';
import { colour, isUnread, lineWidth, print, printable, progress } from '../output/print.ts';

const KINDS = ['request', 'event', 'delivery', 'clock', 'reset', 'change'] as const;
const RECONNECT_MS = 500;

interface TailFlags extends ConnectionFlags {
  readonly kind?: readonly string[];
  readonly path?: string;
  readonly status?: string;
}

const AFTER = `
Reconnects when the sandbox restarts. Ctrl-C stops it, with exit code 0.
${examples('tail', 'tail --kind request --status 409', 'tail --kind delivery --json')}`;

/** Adds `tail`, which prints what happens in a running sandbox as it happens. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['tail'])
    .description('Follow the running sandbox: requests, events, deliveries, clock changes, resets.')
    .addOption(
      withChoices(new Option('--kind <kind...>', 'print only these kinds (default: all but change)'), KINDS),
    )
    .option('--path <path>', 'print only requests to this path, literal or as a pattern with {id}')
    .option('--status <status>', 'print only requests or deliveries with this status');
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action((flags: TailFlags) => tail(connect(flags), flags));
};

async function tail(client: Client, flags: TailFlags): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const query = flags.kind === undefined ? {} : { kinds: flags.kind.join(',') };
  const place = client.world === 'main' ? client.url : `${client.url}, world ${client.world}`;
  let isFirst = true;
  while (!stop.signal.aborted && !isUnread()) {
    try {
      const call = { method: 'GET', path: '/stream', query, signal: stop.signal };
      const stream = await client.open(call);
      progress(isFirst ? `following ${place}` : `following ${place} again`);
      isFirst = false;
      await follow(client, stream, flags, stop);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (isFirst || error instanceof RefusedError) throw error;
      if (!(error instanceof UnreachableError)) progress(`lost the connection to ${client.url}`);
    }
    await sleep(RECONNECT_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

async function follow(
  client: Client,
  stream: ReadableStream<Uint8Array>,
  flags: TailFlags,
  stop: AbortController,
): Promise<void> {
  for await (const event of readEvents(stream)) {
    if (isUnread()) stop.abort();
    const complete = await withDelivery(client, event);
    if (matches(complete, flags)) print(flags.json ? jsonEvent(complete) : prettyEvent(complete));
  }
  if (!stop.signal.aborted) progress(`the sandbox at ${client.url} has stopped; waiting for it`);
}

/** Adds the delivery record to an event that only names its id. */
async function withDelivery(client: Client, event: ServerSentEvent): Promise<ServerSentEvent> {
  const { kind, data } = event;
  if (kind !== 'delivery' || data.status !== undefined) return event;
  const delivery = await createControlCall(client)('deliveries.get', String(data.id)).catch(() => data);
  return { kind, data: { ...data, ...delivery } };
}

function matches({ kind, data }: ServerSentEvent, { kind: kinds, path, status }: TailFlags): boolean {
  if (kinds !== undefined && !kinds.includes(kind)) return false;
  if (path !== undefined) {
    if (kind !== 'request') return false;
    if (![data.path, withoutPrefix(data.path), data.pattern].includes(path)) return false;
  }
  return status === undefined || (['request', 'delivery'].includes(kind) && String(data.status) === status);
}

/** Returns a path as the interface writes it: without the version segment. */
function withoutPrefix(path: unknown): string {
  return String(path).replace(/^\/v1(?=\/|$)/, '');
}

/** One event of a sandbox's stream. */
interface ServerSentEvent {
  /** One of `KINDS`. */
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads server-sent events whose data is a JSON object. Skips comments, heartbeats and everything else. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event !== null) yield event;
    }
  }
}

function parse(block: string): ServerSentEvent | null {
  const fields = block.split(/\r?\n/).map(line => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap(field => (field?.[1] === name ? [field[2] ?? ''] : []));
  const [kind] = valuesOf('event');
  const text = valuesOf('data').join('\n');
  if (kind === undefined || text === '') return null;
  const data: unknown = JSON.parse(text);
  return typeof data === 'object' && data !== null ? { kind, data: { ...data } } : null;
}

function jsonEvent({ kind, data }: ServerSentEvent): string {
  return printable(JSON.stringify({ type: kind, ...data }));
}

/** Formats a stream event for people: one line with its time and id, with details below a request. */
function prettyEvent({ kind, data }: ServerSentEvent): string {
  const at = data.at ?? data.lastAttemptAt ?? data.createdAt ?? data.now;
  const time = typeof at === 'string' ? `${at.slice(11, 19)} ` : '';
  if (kind === 'request') return prettyRequest(logEntryOf(data), `${time}${data.id} `);
  const text = TEXTS[kind]?.(data) ?? JSON.stringify(data);
  const room = Math.max(8, lineWidth() - time.length - kind.length - 1);
  const line = printable(text);
  const cut = line.length > room ? `${line.slice(0, room - 1)}…` : line;
  const paint = data.status === 'failed' ? colour.red : (plain: string) => plain;
  return `${colour.dim(time)}${colour.cyan(kind)} ${paint(cut)}`.trimEnd();
}

type Data = ServerSentEvent['data'];

const TEXTS: Readonly<Record<string, (data: Data) => string>> = {
  event: ({ id, eventType, resourceId }) => `${id} ${eventType} ${resourceId}`,
  delivery: ({ id, eventType = '', status = '', cause }) =>
    `${id} ${eventType} ${status}${typeof cause === 'string' ? `: ${cause}` : ''}`,
  clock: ({ now, mode }) => `${now} ${mode}`,
  reset: () => '',
  change: ({ action, kind, id }) => `${action} ${kind} ${id}`,
};

/** Converts a journal entry, as the stream sends it, to the entry that the request log prints. */
function logEntryOf(data: Data): RequestLogEntry {
  const rule = data.rule as {
    readonly fidelity: string;
    readonly id: string;
    readonly section: string;
  } | null;
  const source = rule?.fidelity === 'documented' ? `interface ${rule.section}` : `assumption ${rule?.id}`;
  const query = typeof data.query === 'string' && data.query !== '' ? `?${data.query}` : '';
  // A journal entry has all other members of a logged request.
  return {
    ...data,
    url: `${data.path}${query}`,
    rule: rule === null ? null : source,
  } as unknown as RequestLogEntry;
}
