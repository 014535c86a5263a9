import type { RecordAttempt } from '../../control/history/record/format.ts';
import { CANCELLED } from '../../core/values/attempt-causes.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../core/world/transport.ts';

interface Pending {
  readonly event: string | undefined;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly end: (outcome: AttemptOutcome) => void;
}

const UNKNOWN_END = 'not known: the record ends before this attempt did';

/** Sends nothing before it is released: each webhook ends as it did when the record was written. */
export class RecordedTransport implements Transport {
  readonly #next: Transport;
  #pending: Pending[] = [];
  #isReleased = false;

  constructor(next: Transport) {
    this.#next = next;
  }

  send(webhook: OutgoingWebhook, signal: AbortSignal): Promise<AttemptOutcome> {
    if (this.#isReleased) return this.#next.send(webhook, signal);
    const { event, url } = webhook;
    return new Promise(end => {
      this.#pending.push({ event, url, signal, end });
      onAbort([signal], () => end({ url, status: null, body: null, cause: CANCELLED, durationMs: 0 }));
    });
  }

  /** Ends the webhooks of an event that are on their way. Returns whether there was one. */
  end({ event, url, status, responseBody: body, cause, durationMs, requestHeaders }: RecordAttempt): boolean {
    return this.#take(
      each => each.event === event,
      pending => ({
        url: url ?? pending.url,
        status,
        body,
        cause,
        durationMs,
        requestHeaders,
      }),
    );
  }

  /** Ends all that are on their way, and sends through the next transport from here on. */
  release(): void {
    this.#take(
      () => true,
      ({ url }) => ({ url, status: null, body: null, cause: UNKNOWN_END, durationMs: 0 }),
    );
    this.#isReleased = true;
  }

  close(): void {
    this.#next.close();
  }

  #take(isMeant: (pending: Pending) => boolean, outcomeOf: (pending: Pending) => AttemptOutcome): boolean {
    const meant = this.#pending.filter(isMeant);
    this.#pending = this.#pending.filter(each => !isMeant(each) && !each.signal.aborted);
    for (const each of meant) each.end(outcomeOf(each));
    return meant.some(({ signal }) => !signal.aborted);
  }
}
