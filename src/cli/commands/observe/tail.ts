import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { type Client, RefusedError, UnreachableError } from '../../../client/client.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { readNews, type ServerSentEvent } from '../../log/server-sent-events.ts';
import { jsonNews, prettyNews } from '../../log/tail-lines.ts';
import { isUnread, print, progress } from '../../output/print.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';

const KINDS = ['request', 'event', 'delivery', 'clock', 'reset'] as const;
const PAUSE_MS = 500;

interface TailFlags extends ConnectionFlags {
  readonly kind?: readonly string[];
  readonly path?: string;
  readonly status?: string;
}

const AFTER = `
A sandbox that goes away is waited for. Ctrl-C ends it, with exit code 0.
${examples('tail', 'tail --kind request --status 409', 'tail --kind delivery --json | jq .status')}`;

/** Adds `tail`, which prints what happens in a running sandbox while it happens. */
export const addTail: AddCommands = program => {
  const command = commandAt(program, ['tail'])
    .description('Follow what happens in the running sandbox: requests, events, deliveries, clock, resets.')
    .addOption(new Option('--kind <kind...>', 'only these (default: all)').choices(KINDS))
    .option('--path <path>', 'only requests to this path, as called or as a pattern with {id}')
    .option('--status <status>', 'only requests with this HTTP status, or deliveries with this one');
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action((flags: TailFlags) => tail(connect(flags), flags));
};

async function tail(client: Client, flags: TailFlags): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const query = flags.kind === undefined ? {} : { kinds: flags.kind.join(',') };
  let isFirst = true;
  while (!stop.signal.aborted && !isUnread()) {
    try {
      const call = { method: 'GET', path: '/stream', query, signal: stop.signal };
      const stream = await client.open(call);
      progress(isFirst ? `following ${client.url}` : `following ${client.url} again`);
      isFirst = false;
      await follow(client, stream, flags, stop);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (isFirst || error instanceof RefusedError) throw error;
      if (!(error instanceof UnreachableError)) progress(`the connection to ${client.url} was lost`);
    }
    await sleep(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

async function follow(
  client: Client,
  stream: ReadableStream<Uint8Array>,
  flags: TailFlags,
  stop: AbortController,
): Promise<void> {
  for await (const news of readNews(stream)) {
    if (isUnread()) stop.abort();
    const told = await complete(client, news);
    if (matches(told, flags)) print(flags.json ? jsonNews(told) : prettyNews(told));
  }
  if (!stop.signal.aborted) progress(`the sandbox at ${client.url} has ended; waiting for it`);
}

/** The stream names a delivery; the delivery itself says how it stands. */
async function complete(client: Client, news: ServerSentEvent): Promise<ServerSentEvent> {
  const { kind, data } = news;
  if (kind !== 'delivery' || data.status !== undefined) return news;
  const path = `/deliveries/${encodeURIComponent(String(data.id))}`;
  const { body } = await client.control({ method: 'GET', path }).catch(() => ({ body: data }));
  return { kind, data: { ...data, ...(body as Record<string, unknown>) } };
}

function matches({ kind, data }: ServerSentEvent, flags: TailFlags): boolean {
  const { path, status } = flags;
  if (flags.kind !== undefined && !flags.kind.includes(kind)) return false;
  if (
    path !== undefined &&
    (kind !== 'request' || ![data.path, below(data.path), data.pattern].includes(path))
  )
    return false;
  return status === undefined || (['request', 'delivery'].includes(kind) && String(data.status) === status);
}

/** A path as the interface writes it: without the version segment. */
function below(path: unknown): string {
  return String(path).replace(/^\/v1(?=\/|$)/, '');
}
