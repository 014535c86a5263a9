import * as z from 'zod';
import { apiKeys, partners } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, streamReply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import type { Change } from '../../core/store/table-definition.ts';
import { suggestion } from '../../core/values/nearest.ts';
import type { World } from '../../core/world/world.ts';
import { cards, vault } from '../../service/cards/records.ts';
import { spendWindows } from '../../service/cards/spending.ts';
import { revealLinks } from '../../service/reveal/records.ts';
import { DEFAULT_KINDS, followMessages } from './stream-messages.ts';

const MAX_NEWEST = 1_000;
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 1_000;

const KINDS = [...DEFAULT_KINDS, 'change', 'entry'];

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
      `A comma-separated list of ${KINDS.join(', ')}. Default: all but change and entry.`,
    ),
    newest: wholeNumber(1, MAX_NEWEST)
      .optional()
      .describe(
        'Of more messages of a kind in a quarter of a second, send only this many, the newest, and a message skipped. All changes are sent.',
      ),
  }),
  responses: { 200: null },
  mediaType: 'text/event-stream',
  run({ state, world, query: { kinds, newest } }) {
    const { realTime } = state.setup;
    return streamReply((send, end) => {
      send(`: hello from card-sandbox ${world.version}\nretry: ${RECONNECT_MS}\n\n`);
      const stopMessages = followMessages(world, { kinds, newest }, send, end);
      const stopChanges = kinds?.has('change') ? followChanges(world, send) : null;
      const stopEntries = kinds?.has('entry') ? followEntries(world, send) : null;
      let cancelHeartbeat: () => void;
      const scheduleHeartbeat = () => {
        cancelHeartbeat = realTime.after(HEARTBEAT_MS, () => {
          send(': still here\n\n');
          scheduleHeartbeat();
        });
      };
      scheduleHeartbeat();
      return () => {
        stopMessages();
        stopChanges?.();
        stopEntries?.();
        cancelHeartbeat();
      };
    });
  },
});

export const streamOperations = [follow];

interface ChangeMessage extends Change {
  readonly partnerId: string;
}

/** Converts the change of a row to a change of the record that shows it; null for a row that no record shows. */
type Conversion = (change: Change, partnerId: string) => Change | null;

/** The tables whose rows are parts of other records, or whose ids are secrets. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  // The id is the key.
  [apiKeys.kind]: (_change, partnerId) => ({ kind: partners.kind, id: partnerId, action: 'updated' }),
  // The id is the token of the link.
  [revealLinks.kind]: () => null,
  [vault.kind]: () => null,
  // The id is the period and the card.
  [spendWindows.kind]: ({ id }) => ({
    kind: cards.kind,
    id: id.slice(id.indexOf(' ') + 1),
    action: 'updated',
  }),
};

/** Sends one message per changed record after the responses of each turn. Returns a function that stops it. */
function followChanges({ feed, state }: World, send: (text: string) => void): () => void {
  const { realTime } = state.setup;
  const pending = new Map<string, ChangeMessage>();
  let cancelFlush: (() => void) | null = null;
  const clear = () => {
    cancelFlush?.();
    cancelFlush = null;
    pending.clear();
  };
  const flush = () => {
    const text = [...pending.values()].map(textOf).join('');
    clear();
    send(text);
  };
  const unsubscribe = feed.subscribeToWrites(write => {
    const { partnerId } = write;
    const convert = CONVERSIONS[write.kind];
    const change = convert === undefined ? write : convert(write, partnerId);
    if (change === null) return;
    const key = `${change.kind} ${change.id}`;
    const isNew = pending.get(key)?.action === 'created' && change.action === 'updated';
    const action = isNew ? 'created' : change.action;
    pending.set(key, { kind: change.kind, id: change.id, action, partnerId });
    cancelFlush ??= realTime.after(0, flush);
  });
  const unsubscribeReset = feed.subscribe(({ kind }) => {
    if (kind === 'reset') clear();
  });
  return () => {
    unsubscribe();
    unsubscribeReset();
    clear();
  };
}

/** Sends one message per entry of the history, except for API requests. Returns a function that stops it. */
function followEntries({ history }: World, send: (text: string) => void): () => void {
  return history.subscribe(news => {
    if (news.kind !== 'entry' || news.entry.plane === 'partner') return;
    send(`event: entry\ndata: ${JSON.stringify({ id: news.entry.id })}\n\n`);
  });
}

/** A message without a number: the numbers show a reader that it has missed messages of the other kinds. */
function textOf({ kind, id, action, partnerId }: ChangeMessage): string {
  return `event: change\ndata: ${JSON.stringify({ kind, id, action, partnerId })}\n\n`;
}
