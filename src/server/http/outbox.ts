import type { ServerResponse } from 'node:http';

/**
 * Collects the responses that become ready in one turn of the event loop, and sends them at its end. Clients that
 * pipeline are then woken once for all of them: waking a client takes as long as making a response.
 */
export class Outbox {
  #isOpen = false;
  #ready: { readonly response: ServerResponse; readonly body: string | Uint8Array }[] = [];

  /**
   * Starts a turn. When this is called before a request is handled, whatever the request schedules for the end of its
   * turn, webhooks above all, happens after its response is sent.
   */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#send());
  }

  /** Ends a response, whose head is written, with a body at the end of the turn. */
  put(response: ServerResponse, body: string | Uint8Array): void {
    this.open();
    this.#ready.push({ response, body });
  }

  #send(): void {
    const ready = this.#ready;
    this.#isOpen = false;
    this.#ready = [];
    for (const { response, body } of ready) response.write(body);
    // Ended once they are written: Node ends a body that it has not written with an empty piece, which takes twice as long.
    process.nextTick(() => {
      for (const { response } of ready) response.end();
    });
  }
}
