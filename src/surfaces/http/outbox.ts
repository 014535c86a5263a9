import type { ServerResponse } from 'node:http';

/**
 * Holds the answers that are ready in one turn of the event loop, and sends them at its end. Whoever asks much at
 * once is then woken once for all of them; to wake someone takes as long as to make an answer.
 */
export class Outbox {
  #isOpen = false;
  #waiting: { readonly response: ServerResponse; readonly body: string | Uint8Array }[] = [];

  /**
   * Begins a turn. Whatever a request sets off for the end of its turn, webhooks above all, comes after the answers
   * when this is called before the request is looked at.
   */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#empty());
  }

  /** Ends a response, of which the head is written, with this body at the end of the turn. */
  put(response: ServerResponse, body: string | Uint8Array): void {
    this.open();
    this.#waiting.push({ response, body });
  }

  #empty(): void {
    const ready = this.#waiting;
    this.#isOpen = false;
    this.#waiting = [];
    for (const { response, body } of ready) response.end(body);
  }
}
