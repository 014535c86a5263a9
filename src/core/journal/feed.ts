import type { Write } from '../store/table-definition.ts';
import type { ClockView } from '../time/clock.ts';
import type { DomainEvent } from './events.ts';
import type { JournalEntry } from './journal.ts';

export type FeedMessage =
  | { readonly kind: 'request'; readonly entry: JournalEntry }
  | { readonly kind: 'event'; readonly event: DomainEvent }
  /** A webhook delivery was recorded, attempted or scheduled for a retry. */
  | { readonly kind: 'delivery'; readonly id: string; readonly step: 'recorded' | 'attempted' | 'retried' }
  /** The clock was advanced, frozen or resumed. */
  | { readonly kind: 'clock'; readonly clock: ClockView }
  /** The current world was replaced. */
  | { readonly kind: 'reset' };

/** The internal feed of a sandbox. It outlives its worlds: a reset is a message, not the end. */
export class Feed {
  readonly #listeners = new Set<(message: FeedMessage, number: number) => void>();
  readonly #writeListeners = new Set<(write: Write) => void>();
  #writeSource: unknown = null;
  #published = 0;

  /**
   * Calls `listener` with every later message in order, with its number since the start of the sandbox. Returns a
   * function that unsubscribes. `listener` must not throw.
   */
  subscribe(listener: (message: FeedMessage, number: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `listener` for every later write to a row of the current world, before the request that makes it has its
   * response. Returns a function that unsubscribes. `listener` must not throw.
   */
  subscribeToWrites(listener: (write: Write) => void): () => void {
    this.#writeListeners.add(listener);
    return () => this.#writeListeners.delete(listener);
  }

  /** Reports the writes to this world only from now on, not the writes to a world that is loaded or was dropped. */
  reportWritesTo(world: unknown): void {
    this.#writeSource = world;
  }

  /** Calls the listeners for writes synchronously. */
  reportWrite(world: unknown, write: Write): void {
    if (world !== this.#writeSource) return;
    for (const listener of this.#writeListeners) listener(write);
  }

  /** Calls the listeners synchronously. */
  publish(message: FeedMessage): void {
    this.#published += 1;
    for (const listener of this.#listeners) listener(message, this.#published);
  }
}
