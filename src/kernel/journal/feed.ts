import type { ClockView } from '../time/clock.ts';
import type { DomainEvent } from './events.ts';
import type { JournalEntry } from './journal.ts';

/** One piece of news, in the kinds that the control plane's stream tells apart. */
export type FeedMessage =
  | { readonly kind: 'request'; readonly entry: JournalEntry }
  | { readonly kind: 'event'; readonly event: DomainEvent }
  /** A webhook delivery was recorded, attempted or set to be retried; read it by its id. */
  | { readonly kind: 'delivery'; readonly id: string; readonly step: 'recorded' | 'attempted' | 'retried' }
  /** The clock was advanced, frozen or resumed. */
  | { readonly kind: 'clock'; readonly clock: ClockView }
  /** Another world was swapped in. */
  | { readonly kind: 'reset' };

/** Where all that happens in a sandbox is told. It outlives its worlds: a reset is news, not an end. */
export class Feed {
  readonly #listeners = new Set<(news: FeedMessage, number: number) => void>();
  #published = 0;

  /**
   * Has `listener` called with all news from now on, in order, each with its number since the start of the
   * sandbox; returns the way to end that. It must not throw.
   */
  subscribe(listener: (news: FeedMessage, number: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners, at once. */
  publish(news: FeedMessage): void {
    this.#published += 1;
    for (const listener of this.#listeners) listener(news, this.#published);
  }
}
