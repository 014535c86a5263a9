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

/** Returns a function that makes the data of the stream message for a feed message. */
function dataOf(message: FeedMessage, world: World): () => unknown {
  // The function under each kind takes messages of that kind.
  const makeData = DATA_OF[message.kind] as (message: FeedMessage, world: World) => () => unknown;
  return makeData(message, world);
}

/** A message that has not been sent. */
interface Pending {
  readonly kind: Kind;
  readonly number: number;
  readonly data: () => unknown;
}

/** Returns the text of a stream message. */
function messageText({ kind, number, data }: Pending): string {
  return `event: ${kind}\ndata: ${JSON.stringify(data())}\nid: ${number}\n\n`;
}

/** The kinds of messages that a reader gets by default. */
export const DEFAULT_KINDS = Object.keys(DATA_OF);

/** A reader of the stream. */
interface Reader {
  readonly isReaderOf: (kind: Kind) => boolean;
  readonly send: (text: string) => void;
  isGone: boolean;
}

/** A message and its readers, if they are still readers. */
interface Addressed extends Pending {
  readonly readers: readonly Reader[];
}

/**
 * Sends the messages of a feed to the readers of its stream. It formats each message once for all of them, in slices
 * after the responses of the turn. Without readers it does nothing.
 */
class Broadcast {
  readonly #world: World;
  readonly #slices = new Slices(realTime);
  #readers: readonly Reader[] = [];
  #pending: Addressed[] = [];
  #isSending = false;
  #unsubscribe: () => void = () => undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Adds a reader, which gets every later message of these kinds, or of all. Returns a function that removes it.
   */
  add(kinds: ReadonlySet<string> | undefined, send: (text: string) => void): () => void {
    const isReaderOf = (kind: Kind) => kinds === undefined || kinds.has(kind);
    const reader: Reader = { isReaderOf, send, isGone: false };
    if (this.#readers.length === 0) {
      this.#unsubscribe = this.#world.feed.subscribe((message, number) => this.#publish(message, number));
    }
    this.#readers = [...this.#readers, reader];
    return () => {
      reader.isGone = true;
      this.#readers = this.#readers.filter(each => each !== reader);
      if (this.#readers.length === 0) this.#unsubscribe();
    };
  }

  #publish(message: FeedMessage, number: number): void {
    const { kind } = message;
    const readers = this.#readers.filter(each => each.isReaderOf(kind));
    if (readers.length === 0) return;
    this.#pending.push({ kind, number, data: dataOf(message, this.#world), readers });
    if (this.#isSending) return;
    this.#isSending = true;
    this.#slices.nextTurn(() => this.#send());
  }

  #send(): void {
    let sent = 0;
    for (const message of this.#pending) {
      const { readers } = message;
      if (!this.#slices.hasTime()) break;
      sent += 1;
      if (readers.every(({ isGone }) => isGone)) continue;
      const text = messageText(message);
      for (const { send, isGone } of readers) if (!isGone) send(text);
    }
    this.#pending = this.#pending.slice(sent);
    this.#isSending = this.#pending.length > 0;
    if (this.#isSending) this.#slices.nextTurn(() => this.#send());
  }
}

const broadcasts = new WeakMap<World['feed'], Broadcast>();

/** Returns the broadcast of the messages of a sandbox. */
export function broadcastOf(world: World): Broadcast {
  const known = broadcasts.get(world.feed);
  if (known !== undefined) return known;
  const broadcast = new Broadcast(world);
  broadcasts.set(world.feed, broadcast);
  return broadcast;
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
  const { realTime } = world.state.setup;
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
