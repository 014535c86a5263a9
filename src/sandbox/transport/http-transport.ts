import { AsyncLocalStorage } from 'node:async_hooks';
import * as http from 'node:http';
import { endsWithin, realTime } from '../../core/time/realtime.ts';
import { CANCELLED } from '../../core/values/attempt-causes.ts';
import { AbortController, performance, requireNetwork } from '../../core/values/builtins.ts';
import { loadOnce, once } from '../../core/values/once.ts';
import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../core/world/transport.ts';
import { connectionShares } from '../open-files.ts';
import type { AgentOptions } from './agent.ts';
import { type Redirection, targetOf } from './destination.ts';
import { ATTEMPT_TIMEOUT_MS, causeOfError, sendRequest } from './send-request.ts';

export interface HttpTransportOptions extends AgentOptions {
  /** Time from the start of a send to the end of the response, in milliseconds. Default: the timeout of each webhook. */
  readonly timeoutMs?: number;
  /** Cap on concurrent sends of one transport to all destinations together. Default: 256. */
  readonly maxSends?: number;
}

// As it was when the package was loaded: MSW replaces it in the module, and would intercept the webhooks.
const { request } = http;

/** Cap on concurrent sends to one origin. It is below the total, so that a hanging receiver leaves slots for others. */
const MAX_SENDS_PER_ORIGIN = 128;

/**
 * The sends of all transports of this process, which have as many connections as the limit on open files leaves them.
 * One transport may have a quarter of them, so that its receivers do not hold up the receivers of others.
 */
const processSlots = once(() => {
  const { outgoing = Number.POSITIVE_INFINITY } = connectionShares() ?? {};
  return new ConnectionSlots(outgoing, Math.max(1, Math.floor(outgoing / 4)));
});

export const loadAgents = loadOnce(() => import('./agent.ts'));

let created = 0;

/**
 * Returns a function that creates transports, which send webhooks over HTTP: POST, without following redirects or
 * decompressing. They read at most 64 KiB of a response and check every address when they connect.
 *
 * Each transport has its own connections and caps: the receivers of one do not delay another, and closing it leaves
 * nothing behind. Until its first send it has none. `redirection` is read for each send.
 */
export function httpTransports(options: HttpTransportOptions): (redirection: () => Redirection) => Transport {
  const { maxSends = 256 } = options;
  // A send that an intercepted request causes must not run in the async context of that request.
  const runInOwnContext = AsyncLocalStorage.snapshot();
  const pace = new SendPace();
  const createAgents = loadOnce(async () => (await loadAgents()).agentFactory(options, request));

  return redirection => {
    const id = String(created++);
    const slots = new ConnectionSlots(maxSends, MAX_SENDS_PER_ORIGIN);
    const closing = new AbortController();
    const agent = loadOnce(async () => (await createAgents())());
    let hasAgent = false;
    const order = new RecordOrder();
    const sendNow = async (
      webhook: OutgoingWebhook,
      signal: AbortSignal,
      onWritten?: () => void,
    ): Promise<AttemptOutcome> => {
      const target = targetOf(webhook.url, redirection());
      if (target === null) return failedOutcome(webhook.url, 'not an http:// or https:// URL');
      const release = await slots.take(target.origin, signal);
      if (release === null) return failedOutcome(target.href, CANCELLED);
      let releaseShare: Release | null = null;
      let hasEnded: (() => void) | null = null;
      try {
        hasAgent = true;
        const open = await agent();
        requireNetwork('sockets');
        releaseShare = await processSlots().take(id, signal);
        hasEnded = await pace.start(id, signal);
        if (closing.signal.aborted || signal.aborted) return failedOutcome(target.href, CANCELLED);
        const startedAt = performance.now();
        const timeoutMs = options.timeoutMs ?? webhook.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
        const limits = { timeoutMs, signals: [signal, closing.signal] };
        const result = await runInOwnContext(() => sendRequest(open, target, webhook, limits, onWritten));
        return { url: target.href, ...result, durationMs: Math.round(performance.now() - startedAt) };
      } catch (error) {
        return failedOutcome(target.href, causeOfError(error));
      } finally {
        hasEnded?.();
        releaseShare?.();
        release();
      }
    };
    return {
      send(webhook, signal) {
        if (webhook.record === undefined) return sendNow(webhook, signal);
        return order.run(webhook.record, onWritten => sendNow(webhook, signal, onWritten));
      },
      close() {
        slots.close();
        closing.abort();
        if (!hasAgent) return;
        agent().then(
          loaded => loaded.close(),
          () => undefined,
        );
      },
    };
  };
}

export function createHttpTransport(options: HttpTransportOptions & Redirection): Transport {
  return httpTransports(options)(() => options);
}

function failedOutcome(url: string, cause: string): AttemptOutcome {
  return { url, status: null, body: null, cause, durationMs: 0 };
}

/**
 * Cap on the sends of a server that have just started. A send takes two or three turns of the event loop, so about 16
 * responses come in each.
 */
const MAX_STARTING = 40;
/** How long a send without a response counts as just started. */
const STARTING_MS = 10;

/**
 * Spreads the sends of all transports of a server over turns of the event loop. The responses of a fast receiver then
 * come in small numbers, with requests answered between them. A slow receiver is limited by its slots only.
 */
class SendPace {
  readonly #starts = new ConnectionSlots(MAX_STARTING, MAX_STARTING);

  /** Transports take turns. Resolves with the function to call at the end; null when aborted before. */
  async start(transport: string, signal: AbortSignal): Promise<(() => void) | null> {
    const release = await this.#starts.take(transport, signal);
    if (release === null) return null;
    await new Promise<void>(resolve => {
      realTime.after(0, resolve);
    });
    let isStarting = true;
    const end = () => {
      if (!isStarting) return;
      isStarting = false;
      cancel();
      release();
    };
    const cancel = realTime.after(STARTING_MS, end);
    return end;
  }
}

/**
 * How long a request that is written takes to arrive at most, in milliseconds, and in how many waits it is waited for: a
 * receiver in this process, however busy that is, accepts a connection in one turn of the event loop and reads it in another.
 */
const ARRIVAL_MS = 50;
const ARRIVAL_WAITS = 5;
/** Cap on the time that a webhook waits for the one before it, whose receiver may not even accept a connection. */
const MAX_WAIT_MS = 2_000;

/**
 * Keeps the webhooks about one record in the order of their sends, although several are sent at once over several
 * connections: each begins when the one before it has ended, or is written and has had the time to arrive.
 */
class RecordOrder {
  readonly #last = new Map<string, Turn>();

  /** Sends a webhook in its turn, and resolves with the outcome. `send` must not reject. */
  async run<T>(record: string, send: (onWritten: () => void) => Promise<T>): Promise<T> {
    const before = this.#last.get(record);
    let onWritten = () => {};
    const written = new Promise<void>(resolve => {
      onWritten = resolve;
    });
    const sent = before === undefined ? send(onWritten) : untilArrived(before).then(() => send(onWritten));
    this.#last.set(record, { sent, written });
    const outcome = await sent;
    if (this.#last.get(record)?.sent === sent) this.#last.delete(record);
    return outcome;
  }
}

interface Turn {
  readonly sent: Promise<unknown>;
  /** Resolves once the request is written, if ever. */
  readonly written: Promise<void>;
}

function untilArrived({ sent, written }: Turn): Promise<unknown> {
  const arrived = written.then(async () => {
    for (let wait = 0; wait < ARRIVAL_WAITS; wait++) {
      if (await endsWithin(ARRIVAL_MS / ARRIVAL_WAITS, sent, realTime)) return;
    }
  });
  return endsWithin(MAX_WAIT_MS, Promise.race([sent, arrived]), realTime);
}

type Release = () => void;

interface Waiter {
  /** Hands over a slot, or null if there will be none. */
  readonly resolve: (release: Release | null) => void;
  readonly signal: AbortSignal;
  next: Waiter | null;
}

/** One destination: its slots in use, and a linked list of those that wait for one. */
interface Queue {
  inUse: number;
  first: Waiter | null;
  last: Waiter | null;
}

/**
 * Limits the number of concurrent sends, in total and per destination. Waiters of one destination are served in
 * order, destinations in turn, so that a slow destination with a long queue does not hold up the others.
 */
export class ConnectionSlots {
  readonly #max: number;
  readonly #maxPerDestination: number;
  /** The destinations that are in use or waited for, in the order of their turns. */
  readonly #queues = new Map<string, Queue>();
  #inUse = 0;
  #isClosed = false;

  constructor(max: number, maxPerDestination: number) {
    this.#max = max;
    this.#maxPerDestination = maxPerDestination;
  }

  /**
   * Waits for a slot. Resolves with its release function, or with null when closed before, or when it is the turn of a
   * waiter that was aborted: what aborts waiters ends the sends that hold their slots, too.
   */
  take(destination: string, signal: AbortSignal): Promise<Release | null> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(null);
    const queue = this.#queues.get(destination) ?? { inUse: 0, first: null, last: null };
    this.#queues.set(destination, queue);
    // A slot is free only while nobody waits for it.
    if (this.#hasFree(queue)) return Promise.resolve(this.#giveTo(destination, queue));
    return new Promise(resolve => {
      const waiter: Waiter = { resolve, signal, next: null };
      if (queue.last === null) queue.first = waiter;
      else queue.last.next = waiter;
      queue.last = waiter;
    });
  }

  /** Resolves all waiters with null, now and later. */
  close(): void {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) {
      for (let waiter = dequeue(queue); waiter !== null; waiter = dequeue(queue)) waiter.resolve(null);
    }
  }

  #hasFree({ inUse }: Queue): boolean {
    return this.#inUse < this.#max && inUse < this.#maxPerDestination;
  }

  #giveTo(destination: string, queue: Queue): Release {
    // It moves to the end: the other destinations are next.
    this.#queues.delete(destination);
    this.#queues.set(destination, queue);
    queue.inUse += 1;
    this.#inUse += 1;
    return () => {
      queue.inUse -= 1;
      this.#inUse -= 1;
      if (queue.inUse === 0 && queue.first === null) this.#queues.delete(destination);
      while (this.#inUse < this.#max && this.#serveNext());
    };
  }

  /** Gives a slot to the next waiter. Returns false when none may have one. */
  #serveNext(): boolean {
    for (const [destination, queue] of this.#queues) {
      if (!this.#hasFree(queue)) continue;
      const waiter = dequeue(queue);
      if (waiter !== null) {
        waiter.resolve(this.#giveTo(destination, queue));
        return true;
      }
      if (queue.inUse === 0) this.#queues.delete(destination);
    }
    return false;
  }
}

/** Removes and returns the first waiter that is not aborted. Those before it get null. */
function dequeue(queue: Queue): Waiter | null {
  for (;;) {
    const waiter = queue.first;
    if (waiter === null) return null;
    queue.first = waiter.next;
    if (queue.first === null) queue.last = null;
    if (!waiter.signal.aborted) return waiter;
    waiter.resolve(null);
  }
}
