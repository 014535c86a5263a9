import { Option } from 'commander';
import { type Client, RefusedError, UnreachableError } from '../../client/client.ts';
import { sleep } from '../../core/values/builtins.ts';
import type { RequestLogEntry } from '../../sandbox/log-entries.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { endOfStream, readEvents, type ServerSentEvent } from '../connection/stream.ts';
import { withChoices } from '../flags.ts';
import { prettyRequest } from '../log.ts';
import { colour, isUnread, lineWidth, print, printable, progress } from '../output/print.ts';
import { cutTo } from '../output/width.ts';
import { type EndRequest, withEndRequest } from '../signals.ts';

const KINDS = ['request', 'event', 'delivery', 'clock', 'reset', 'change'] as const;
const RECONNECT_MS = 500;

interface TailFlags extends ConnectionFlags {
  readonly kind?: readonly string[];
}

const AFTER = `
Reconnects when the sandbox restarts. Ctrl-C stops it, with exit code 0.
${examples('tail', 'tail --kind request', 'tail --kind delivery --json')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['tail'])
    .description('Follow the running sandbox: requests, events, deliveries, clock changes, resets.')
    .addOption(
      withChoices(new Option('--kind <kind...>', 'print only these kinds (default: all but change)'), KINDS),
    );
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action((flags: TailFlags) => withEndRequest(end => tail(connect(flags), flags, end)));
};

async function tail(client: Client, flags: TailFlags, { signal, abort }: EndRequest): Promise<void> {
  const query = flags.kind === undefined ? {} : { kinds: flags.kind.join(',') };
  const place = client.world === 'main' ? client.url : `${client.url}, world ${client.world}`;
  let isFirst = true;
  while (!signal.aborted && !isUnread()) {
    try {
      const stream = await client.open({ method: 'GET', path: '/stream', query, signal });
      progress(isFirst ? `following ${place}` : `following ${place} again`);
      isFirst = false;
      for await (const event of readEvents(stream)) {
        if (isUnread()) abort();
        print(flags.json ? jsonEvent(event) : prettyEvent(event));
      }
      if (!signal.aborted)
        progress(`${endOfStream(client)}, or sends faster than this command reads; waiting for it`);
    } catch (error) {
      if (signal.aborted) return;
      if (isFirst || error instanceof RefusedError) throw error;
      if (!(error instanceof UnreachableError)) progress(`lost the connection to ${client.url}`);
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
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
  const cut = cutTo(printable(text), Math.max(8, lineWidth() - time.length - kind.length - 1));
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
