import type { Agent, Dispatcher } from 'undici';
import type { AttemptOutcome, OutgoingWebhook } from '../kernel/world/transport.ts';
import { causeOfError, causeOfStatus, causeOfTimeout } from './causes.ts';
import { DeliveryError } from './egress.ts';
import { onAbort } from './on-abort.ts';

/** How long a send may take, and what ends it before. */
export interface Limits {
  readonly timeoutMs: number;
  readonly endings: readonly AbortSignal[];
}

/** The cause of a delivery that was ended from our side. */
export const CALLED_OFF = 'called off: the sandbox was reset or stopped';

/** How long an attempt may take, from the beginning of a send to the end of its answer. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** So much of an answer is kept; the rest is not even read. */
const LARGEST_ANSWER = 64 * 1_024;
const DECODING = { ignoreBOM: true };
const whole = new TextDecoder('utf-8', DECODING);

/** What came of a send, but for where it went and how long it took. */
type Verdict = Omit<AttemptOutcome, 'durationMs' | 'url'>;

/** Sends one request and waits for its verdict, no longer than the limits allow. Never rejects. */
export function sendRequest(
  agent: Agent,
  target: URL,
  { headers, body }: OutgoingWebhook,
  { timeoutMs, endings }: Limits,
): Promise<Verdict> {
  return new Promise(resolve => {
    const answer = new Answer(verdict => {
      clearTimeout(timer);
      for (const each of forget) each();
      resolve(verdict);
    });
    const timer = setTimeout(() => answer.end(causeOfTimeout(timeoutMs)), timeoutMs);
    const forget = endings.map(ending => onAbort(ending, () => answer.end(CALLED_OFF)));
    const path = target.pathname + target.search;
    agent.dispatch({ origin: target.origin, path, method: 'POST', headers, body }, answer);
  });
}

/** Takes in an answer, as undici hands it over, until there is a verdict; from then on it ends the connection. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #decide: (verdict: Verdict) => void;
  readonly #chunks: Buffer[] = [];
  #room = LARGEST_ANSWER;
  #status: number | null = null;
  #isDecided = false;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(decide: (verdict: Verdict) => void) {
    this.#decide = decide;
  }

  /** Ends it from our side, for this cause: whether a request has begun, or there is no connection yet. */
  end(cause: string): void {
    this.#fail(new DeliveryError(cause));
    this.#controller?.abort(new DeliveryError(cause));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isDecided) controller.abort(new DeliveryError(CALLED_OFF));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Those below come before the answer itself.
    if (status >= 200) this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk.subarray(0, this.#room));
    this.#room -= chunk.length;
    if (this.#room > 0) return;
    this.#succeed();
    controller.abort(new DeliveryError(CALLED_OFF));
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #succeed(): void {
    const status = this.#status ?? 0;
    this.#settle({ status, body: responseText(Buffer.concat(this.#chunks)), cause: causeOfStatus(status) });
  }

  #fail(error: Error): void {
    this.#settle({ status: null, body: null, cause: causeOfError(error, this.#status !== null) });
  }

  #settle(verdict: Verdict): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.#decide(verdict);
  }
}

/** An answer as text, cut at 64 KiB. */
export function responseText(bytes: Uint8Array): string {
  if (bytes.length < LARGEST_ANSWER) return whole.decode(bytes);
  // The last character is left out rather than mangled where the cut goes through it.
  return new TextDecoder('utf-8', DECODING).decode(bytes.subarray(0, LARGEST_ANSWER), { stream: true });
}
