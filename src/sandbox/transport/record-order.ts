import { endsWithin, realTime } from '../../core/time/realtime.ts';

/** How long a webhook waits for the end of the one before it, in milliseconds: that one has arrived by then. */
const MAX_WAIT_MS = 50;

/**
 * Keeps the webhooks about one record in the order of their sends, although several are sent at once over several
 * connections: each begins when the one before it has ended, or has had the time to arrive.
 */
export class RecordOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Sends a webhook in its turn, and resolves with the outcome. `send` must not reject. */
  async run<T>(record: string, send: () => Promise<T>): Promise<T> {
    const before = this.#last.get(record);
    const sent = before === undefined ? send() : endsWithin(MAX_WAIT_MS, before, realTime).then(send);
    this.#last.set(record, sent);
    const outcome = await sent;
    if (this.#last.get(record) === sent) this.#last.delete(record);
    return outcome;
  }
}
