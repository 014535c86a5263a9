import { onAbort } from './on-abort.ts';

/** Gives a slot back. */
type Release = () => void;

interface Waiter {
  /** Hands over a slot, or null if there will be none. */
  readonly resolve: (release: Release | null) => void;
  isCancelled: boolean;
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

  /** Waits for a slot. Resolves with its release function, or with null when aborted or closed before. */
  take(destination: string, signal: AbortSignal): Promise<Release | null> {
    if (this.#isClosed || signal.aborted) return Promise.resolve(null);
    const queue = this.#queues.get(destination) ?? { inUse: 0, first: null, last: null };
    this.#queues.set(destination, queue);
    // A slot is free only while nobody waits for it.
    if (this.#hasFree(queue)) return Promise.resolve(this.#giveTo(destination, queue));
    return new Promise(resolve => {
      const waiter: Waiter = {
        resolve(release) {
          removeListener();
          resolve(release);
        },
        isCancelled: false,
        next: null,
      };
      const removeListener = onAbort(signal, () => {
        waiter.isCancelled = true;
        resolve(null);
      });
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

  /** Takes a slot for a destination. */
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

/** Removes and returns the first waiter that is not cancelled. */
function dequeue(queue: Queue): Waiter | null {
  for (;;) {
    const waiter = queue.first;
    if (waiter === null) return null;
    queue.first = waiter.next;
    if (queue.first === null) queue.last = null;
    if (!waiter.isCancelled) return waiter;
  }
}
