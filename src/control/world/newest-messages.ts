import type { FeedMessage } from '../../core/journal/feed.ts';
import { Slices } from '../../core/time/slices.ts';
import type { World } from '../../core/world/world.ts';
import { dataOf, messageText } from './stream-messages.ts';

type Kind = FeedMessage['kind'];

/** How long messages are gathered after others were sent. */
const PAUSE_MS = 250;

/** A message that has not been sent. */
interface Pending {
  readonly kind: Kind;
  readonly number: number;
  readonly data: () => unknown;
}

/**
 * Passes the newest messages of each kind to `send`, at most `max` of a kind in each quarter of a second: the others
 * are never formatted. A message `skipped` names the kinds of which some were left out. Returns a function that stops it.
 */
export function followNewest(
  world: World,
  kinds: ReadonlySet<string> | undefined,
  max: number,
  send: (text: string) => void,
): () => void {
  const { realTime } = world.state;
  const slices = new Slices(realTime);
  const pending = new Map<Kind, Pending[]>();
  const skipped = new Set<Kind>();
  let waiting: readonly Pending[] = [];
  let isSending = false;
  let isGone = false;

  function sendNewest(): void {
    for (const [kind, messages] of pending) if (messages.length > max) skipped.add(kind);
    waiting = [...pending.values()].flatMap(messages => messages.slice(-max));
    waiting = waiting.toSorted((a, b) => a.number - b.number);
    pending.clear();
    isSending = waiting.length > 0;
    if (isSending) slices.nextTurn(sendSlice);
  }

  function sendSlice(): void {
    if (isGone) return;
    const texts: string[] = [];
    for (const message of waiting) {
      if (!slices.hasTime()) break;
      texts.push(messageText(message));
    }
    waiting = waiting.slice(texts.length);
    if (waiting.length === 0 && skipped.size > 0) {
      texts.push(`event: skipped\ndata: ${JSON.stringify({ kinds: [...skipped] })}\n\n`);
      skipped.clear();
    }
    if (texts.length > 0) send(texts.join(''));
    if (waiting.length > 0) slices.nextTurn(sendSlice);
    else realTime.after(PAUSE_MS, sendNewest);
  }

  const unsubscribe = world.feed.subscribe((message, number) => {
    const { kind } = message;
    if (kinds !== undefined && !kinds.has(kind)) return;
    const messages = pending.get(kind) ?? [];
    messages.push({ kind, number, data: dataOf(message, world) });
    // Leaves out the older half now and then, so that the list stays short however long a turn is.
    if (messages.length > 2 * max) {
      messages.splice(0, messages.length - max);
      skipped.add(kind);
    }
    pending.set(kind, messages);
    if (isSending) return;
    isSending = true;
    realTime.after(0, sendNewest);
  });
  return () => {
    isGone = true;
    unsubscribe();
  };
}
