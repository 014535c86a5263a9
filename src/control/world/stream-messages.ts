import type { FeedMessage } from '../../core/journal/feed.ts';
import { redactData } from '../../core/redaction/redact.ts';
import { realTime } from '../../core/time/realtime.ts';
import { Slices } from '../../core/time/turns.ts';
import type { World } from '../../core/world/world.ts';
import { deliveries, viewDelivery } from '../../service/webhooks/records.ts';
import { summarizeRequest } from './requests.ts';

type Kind = FeedMessage['kind'];

/** How long the newest messages are gathered after others were sent. */
const PAUSE_MS = 250;
/** How many messages may wait to be formatted for a reader that is to get all, before its stream ends. */
const MAX_WAITING = 10_000;

/**
 * For each kind of feed message, returns a function that makes the data of the stream message. What can change until
 * that is called is read before; whatever takes time comes after.
 */
const DATA_OF: {
  readonly [K in Kind]: (message: Extract<FeedMessage, { kind: K }>, world: World) => () => unknown;
} = {
  request:
    ({ entry }, world) =>
    () =>
      summarizeRequest(world, entry),
  event:
    ({ event: { id, type, data, ...members } }) =>
    () => ({ id, eventType: type, ...members, data: redactData(data) }),
  delivery({ id, step }, { state }) {
    const row = state.table(deliveries).get(id);
    return () => ({ step, ...(row === undefined ? { id } : viewDelivery(row)) });
  },
  clock:
    ({ clock }) =>
    () =>
      clock,
  reset: () => () => ({}),
};

interface Pending {
  readonly kind: Kind;
  readonly number: number;
  readonly data: () => unknown;
}

function messageText({ kind, number, data }: Pending): string {
  return `event: ${kind}\ndata: ${JSON.stringify(data())}\nid: ${number}\n\n`;
}

export const DEFAULT_KINDS = Object.keys(DATA_OF);

/** The readers of all streams share the time for which messages are formatted in a turn of the event loop. */
const slices = new Slices(realTime);

interface Choice {
  /** Undefined for all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** How many of a kind are sent in a quarter of a second: the newest. Undefined for all, at once. */
  readonly newest: number | undefined;
}

/**
 * Passes the text of later messages to `send`, after the responses of the turn in which they arose. Messages beyond
 * `newest` are never formatted; a message `skipped` names their kinds. Calls `end` when more messages wait than are
 * kept. Returns a function that stops it.
 */
export function followMessages(
  world: World,
  { kinds, newest }: Choice,
  send: (text: string) => void,
  end: () => void,
): () => void {
  let gathered: Pending[] = [];
  let batch: readonly Pending[] = [];
  const skipped = new Set<Kind>();
  let isSending = false;
  let isGone = false;

  function skipOld(): void {
    if (newest === undefined) return;
    const counts = new Map<Kind, number>();
    const isNew = ({ kind }: Pending) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count > newest) skipped.add(kind);
      return count <= newest;
    };
    gathered = gathered.toReversed().filter(isNew).toReversed();
  }

  function sendGathered(): void {
    skipOld();
    batch = gathered;
    gathered = [];
    isSending = batch.length > 0;
    if (isSending) sendSlice();
  }

  function sendSlice(): void {
    if (isGone) return;
    const texts: string[] = [];
    for (const message of batch) {
      if (!slices.hasTime()) break;
      texts.push(messageText(message));
    }
    batch = batch.slice(texts.length);
    if (batch.length === 0 && skipped.size > 0) {
      texts.push(`event: skipped\ndata: ${JSON.stringify({ kinds: [...skipped] })}\n\n`);
      skipped.clear();
    }
    if (texts.length > 0) send(texts.join(''));
    if (batch.length > 0) slices.nextTurn(sendSlice);
    else if (newest === undefined) sendGathered();
    else world.state.setup.realTime.after(PAUSE_MS, sendGathered);
  }

  const unsubscribe = world.feed.subscribe((message, number) => {
    const { kind } = message;
    if (kinds !== undefined && !kinds.has(kind)) return;
    // The function under each kind takes messages of that kind.
    const dataOf = DATA_OF[kind] as (message: FeedMessage, world: World) => () => unknown;
    gathered.push({ kind, number, data: dataOf(message, world) });
    if (newest === undefined && gathered.length > MAX_WAITING) {
      stop();
      end();
      return;
    }
    // Now and then, so that the list stays short however long a turn is.
    if (newest !== undefined && gathered.length > 2 * newest * DEFAULT_KINDS.length) skipOld();
    if (isSending) return;
    isSending = true;
    slices.nextTurn(sendGathered);
  });
  function stop(): void {
    isGone = true;
    gathered = [];
    unsubscribe();
  }
  return stop;
}
