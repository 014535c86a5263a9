import type { Agent, Dispatcher } from 'undici';
import { maskCutNumber } from '../../core/redaction/card-numbers.ts';
import type { AttemptOutcome, OutgoingWebhook } from '../../core/world/transport.ts';
import { causeOfError, causeOfStatus, causeOfTimeout } from './causes.ts';
import type { Target } from './destination.ts';
import { DeliveryError } from './egress.ts';
import { onAbort } from './on-abort.ts';

/** What ends a send early: a timeout, or any of the signals. */
export interface Limits {
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
}

/** The cause of an attempt that the sandbox itself ended. */
export const CANCELLED = 'cancelled: the sandbox was reset or stopped';

/** The timeout of a webhook that names none. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Cap on the part of a response body that is read. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
const DECODING = { ignoreBOM: true };
const decoder = new TextDecoder('utf-8', DECODING);

/** The outcome of an attempt without its URL and duration. */
type Result = Omit<AttemptOutcome, 'durationMs' | 'url'>;

/** Sends one request and resolves with its result, within the limits. Never rejects. */
export function sendRequest(
  agent: Agent,
  { origin, path }: Target,
  { headers, body }: OutgoingWebhook,
  { timeoutMs, signals }: Limits,
): Promise<Result> {
  return new Promise(resolve => {
    const handler = new ResponseHandler(result => {
      clearTimeout(timer);
      for (const remove of removeListeners) remove();
      resolve(result);
    });
    const timer = setTimeout(() => handler.end(causeOfTimeout(timeoutMs)), timeoutMs);
    const removeListeners = signals.map(signal => onAbort(signal, () => handler.end(CANCELLED)));
    agent.dispatch({ origin, path, method: 'POST', headers, body }, handler);
  });
}

/** Collects a response from undici. It reports one result, then closes the connection if there is more to read. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #onResult: (result: Result) => void;
  readonly #chunks: Buffer[] = [];
  #bytesLeft = MAX_RESPONSE_BYTES;
  #status: number | null = null;
  #hasResult = false;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(onResult: (result: Result) => void) {
    this.#onResult = onResult;
  }

  /** Ends the send from our side, whether it is connected yet or not. */
  end(cause: string): void {
    this.#fail(new DeliveryError(cause));
    this.#controller?.abort(new DeliveryError(cause));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasResult) controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // A 1xx status precedes the final response.
    if (status >= 200) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, this.#bytesLeft));
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft > 0) return;
    this.#succeed();
    controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #succeed(): void {
    const status = this.#status ?? 0;
    this.#report({ status, body: responseText(Buffer.concat(this.#chunks)), cause: causeOfStatus(status) });
  }

  #fail(error: Error): void {
    this.#report({ status: null, body: null, cause: causeOfError(error, this.#status !== null) });
  }

  #report(result: Result): void {
    if (this.#hasResult) return;
    this.#hasResult = true;
    this.#onResult(result);
  }
}

/** Decodes a response body, cut at 64 KiB. A number at the cut is masked. */
export function responseText(bytes: Uint8Array): string {
  if (bytes.length < MAX_RESPONSE_BYTES) return decoder.decode(bytes);
  // In streaming mode a character that the cut splits is dropped instead of replaced.
  const kept = bytes.subarray(0, MAX_RESPONSE_BYTES);
  return maskCutNumber(new TextDecoder('utf-8', DECODING).decode(kept, { stream: true }));
}
