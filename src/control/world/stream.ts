import * as z from 'zod';
import type { FeedMessage } from '../../kernel/journal/feed.ts';
import { redactData } from '../../kernel/journal/redact.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, streamReply } from '../../kernel/operation/operation.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import { deliveries, viewDelivery } from '../../resources/webhooks/deliveries.ts';
import { viewRequest } from './requests.ts';

const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again. */
const RETRY_MS = 1_000;

type Kind = FeedMessage['kind'];

/** What each kind of news tells. */
const TOLD: { readonly [K in Kind]: (news: Extract<FeedMessage, { kind: K }>, host: Host) => unknown } = {
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

const KINDS = Object.keys(TOLD);

const Kinds = z.string().transform((text, context) => {
  const kinds = text.split(',').map(each => each.trim());
  const unknown = kinds.find(each => !KINDS.includes(each));
  if (unknown === undefined) return new Set(kinds);
  const message = `must be kinds out of ${KINDS.join(', ')}, with commas between them${suggestion(unknown, KINDS)}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const follow = operation({
  id: 'stream',
  plane: 'control',
  method: 'GET',
  path: '/stream',
  summary: 'What happens in the sandbox from now on, as server-sent events',
  fidelity: assumed('event-stream'),
  query: z.object({
    kinds: Kinds.optional().describe(`Some of ${KINDS.join(', ')}, with commas between them; else all.`),
  }),
  responses: { 200: null },
  run({ world: { realTime }, host, query: { kinds } }) {
    return streamReply(send => {
      send(`: hello from card-sandbox ${host.version}\nretry: ${RETRY_MS}\n\n`);
      const unsubscribe = host.feed.subscribe((news, number) => {
        if (kinds === undefined || kinds.has(news.kind)) send(message(host, news, number));
      });
      let endHeartbeat: () => void;
      const beat = () => {
        endHeartbeat = realTime.after(HEARTBEAT_MS, () => {
          send(': still here\n\n');
          beat();
        });
      };
      beat();
      return () => {
        unsubscribe();
        endHeartbeat();
      };
    });
  },
});

function message(host: Host, news: FeedMessage, number: number): string {
  // The table has, under each kind, a function for that kind of news.
  const tell = TOLD[news.kind] as (news: FeedMessage, host: Host) => unknown;
  return `event: ${news.kind}\ndata: ${JSON.stringify(tell(news, host))}\nid: ${number}\n\n`;
}

/** The control operation that tells what happens while it happens. */
export const streamOperations = [follow];
