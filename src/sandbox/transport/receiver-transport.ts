import type { AttemptOutcome, Transport } from '../../core/world/transport.ts';
import { ATTEMPT_TIMEOUT_MS, CANCELLED, causeOfStatus, responseText, watchLimits } from './send-request.ts';

/** Receives webhooks within the same process: a function from a web `Request` to a `Response`, as in many frameworks. */
export type WebhookReceiver = (request: Request) => Response | Promise<Response>;

/** The outcome of an attempt without its URL and duration. */
type Result = Pick<AttemptOutcome, 'status' | 'body' | 'cause'>;

/**
 * Creates a transport that passes each webhook to a function instead of the network. A response that takes longer
 * than the timeout of the webhook fails the attempt, as over HTTP, and aborts the signal of the request.
 */
export function createReceiverTransport(receiver: WebhookReceiver): Transport {
  const closing = new AbortController();
  const receive = (webhook: Request, timeoutMs: number, signal: AbortSignal): Promise<Result> =>
    new Promise(resolve => {
      const ending = new AbortController();
      const signals = [signal, closing.signal];
      const settle = (result: Result) => {
        unwatch();
        resolve(result);
      };
      const stop = (cause: string) => {
        ending.abort(new DOMException(cause, 'AbortError'));
        settle({ status: null, body: null, cause });
      };
      const unwatch = watchLimits({ timeoutMs, signals }, stop);
      if (signals.some(each => each.aborted)) stop(CANCELLED);
      else void responseOf(receiver, new Request(webhook, { signal: ending.signal })).then(settle);
    });
  return {
    async send({ url, headers, body, timeoutMs = ATTEMPT_TIMEOUT_MS }, signal) {
      const startedAt = performance.now();
      const result = await receive(new Request(url, { method: 'POST', headers, body }), timeoutMs, signal);
      return { url, ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: () => closing.abort(),
  };
}

async function responseOf(receiver: WebhookReceiver, request: Request): Promise<Result> {
  try {
    const response = await receiver(request);
    const body = responseText(new Uint8Array(await response.arrayBuffer()));
    return { status: response.status, body, cause: causeOfStatus(response.status) };
  } catch (error) {
    const cause = `the receiver threw: ${error instanceof Error ? error.message : error}`;
    return { status: null, body: null, cause };
  }
}
