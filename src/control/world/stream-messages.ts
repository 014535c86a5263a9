import type { FeedMessage } from '../../core/journal/feed.ts';
import { redactData } from '../../core/redaction/redact.ts';
import { realTime } from '../../core/time/realtime.ts';
import { Slices } from '../../core/time/slices.ts';
import type { World } from '../../core/world/world.ts';
import { deliveries, viewDelivery } from '../../service/webhooks/deliveries.ts';
import { summarizeRequest } from './requests.ts';

type Kind = FeedMessage['kind'];

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
export function dataOf(message: FeedMessage, world: World): () => unknown {
  // The function under each kind takes messages of that kind.
  const makeData = DATA_OF[message.kind] as (message: FeedMessage, world: World) => () => unknown;
  return makeData(message, world);
}

/** Returns the text of a stream message. */
export function messageText({ kind, number, data }: Pick<Pending, 'kind' | 'number' | 'data'>): string {
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

/** A message that has not been sent. */
interface Pending {
  readonly kind: Kind;
  readonly number: number;
  readonly data: () => unknown;
  /** Those that read it, if they are still readers. */
  readonly readers: readonly Reader[];
}

/**
 * Sends the messages of a feed to the readers of its stream. It formats each message once for all of them, in slices
 * after the responses of the turn. Without readers it does nothing.
 */
class Broadcast {
  readonly #host: World;
  readonly #slices = new Slices(realTime);
  #readers: readonly Reader[] = [];
  #pending: Pending[] = [];
  #isSending = false;
  #unsubscribe: () => void = () => undefined;

  constructor(world: World) {
    this.#host = world;
  }

  /**
   * Adds a reader, which gets every later message of these kinds, or of all. Returns a function that removes it.
   */
  add(kinds: ReadonlySet<string> | undefined, send: (text: string) => void): () => void {
    const isReaderOf = (kind: Kind) => kinds === undefined || kinds.has(kind);
    const reader: Reader = { isReaderOf, send, isGone: false };
    if (this.#readers.length === 0) {
      this.#unsubscribe = this.#host.feed.subscribe((message, number) => this.#publish(message, number));
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
    this.#pending.push({ kind, number, data: dataOf(message, this.#host), readers });
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
