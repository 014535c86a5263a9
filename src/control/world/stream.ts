import * as z from 'zod';
import type { FeedMessage } from '../../kernel/journal/feed.ts';
import { redactData } from '../../kernel/journal/redact.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, streamReply } from '../../kernel/operation/operation.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import { deliveries, viewDelivery } from '../../resources/webhooks/deliveries.ts';
import { followChanges } from './change-messages.ts';
import { viewRequest } from './requests.ts';

const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 1_000;

type Kind = FeedMessage['kind'];

/** The data of a stream message for each kind of feed message. */
const DATA_OF: { readonly [K in Kind]: (message: Extract<FeedMessage, { kind: K }>, host: Host) => unknown } =
  {
    request: ({ entry }, host) => viewRequest(host, entry),
    event: ({ event: { id, type, data, ...members } }) => ({
      id,
      eventType: type,
      ...members,
      data: redactData(data),
    }),
    delivery({ id, step }, { world }) {
      const row = world.table(deliveries).get(id);
      return { step, ...(row === undefined ? { id } : viewDelivery(row)) };
    },
    clock: ({ clock }) => clock,
    reset: () => ({}),
  };

const DEFAULT_KINDS = Object.keys(DATA_OF);
const KINDS = [...DEFAULT_KINDS, 'change'];

const Kinds = z.string().transform((text, context) => {
  const kinds = text.split(',').map(each => each.trim());
  const unknown = kinds.find(each => !KINDS.includes(each));
  if (unknown === undefined) return new Set(kinds);
  const message = `must be a comma-separated list of ${KINDS.join(', ')}${suggestion(unknown, KINDS)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const follow = operation({
  id: 'stream',
  plane: 'control',
  method: 'GET',
  path: '/stream',
  summary: 'Stream what happens in the sandbox as server-sent events',
  fidelity: assumed('event-stream'),
  query: z.object({
    kinds: Kinds.optional().describe(
      `A comma-separated list of ${KINDS.join(', ')}. Default: all but change.`,
    ),
  }),
  responses: { 200: null },
  run({ world: { realTime }, host, query: { kinds } }) {
    return streamReply(send => {
      send(`: hello from card-sandbox ${host.version}\nretry: ${RECONNECT_MS}\n\n`);
      const unsubscribe = host.feed.subscribe((message, number) => {
        if (kinds === undefined || kinds.has(message.kind)) send(eventText(host, message, number));
      });
      const stopChanges = kinds?.has('change') ? followChanges(host, send) : null;
      let cancelHeartbeat: () => void;
      const scheduleHeartbeat = () => {
        cancelHeartbeat = realTime.after(HEARTBEAT_MS, () => {
          send(': still here\n\n');
          scheduleHeartbeat();
        });
      };
      scheduleHeartbeat();
      return () => {
        unsubscribe();
        stopChanges?.();
        cancelHeartbeat();
      };
    });
  },
});

function eventText(host: Host, message: FeedMessage, number: number): string {
  // The function under each kind takes messages of that kind.
  const dataOf = DATA_OF[message.kind] as (message: FeedMessage, host: Host) => unknown;
  return `event: ${message.kind}\ndata: ${JSON.stringify(dataOf(message, host))}\nid: ${number}\n\n`;
}

/** The operation that streams what happens. */
export const streamOperations = [follow];
