import type { AttemptOutcome, Transport } from '../kernel/world/transport.ts';
import { causeOfStatus, causeOfTimeout } from './causes.ts';
import { onAbort } from './on-abort.ts';
import { ATTEMPT_TIMEOUT_MS, CALLED_OFF, responseText } from './send-request.ts';

/** What takes webhooks in within the same process: a handler of web requests, as many frameworks have them. */
export type WebhookReceiver = (request: Request) => Response | Promise<Response>;

/** What an attempt led to, before it is measured. */
type Verdict = Pick<AttemptOutcome, 'status' | 'body' | 'cause'>;

/**
 * A transport that hands each webhook to a function, without a network. An answer that takes longer than `timeoutMs`
 * fails the attempt, as over HTTP; the request's own signal tells the function so.
 */
export function createReceiverTransport(
  receiver: WebhookReceiver,
  timeoutMs = ATTEMPT_TIMEOUT_MS,
): Transport {
  const closing = new AbortController();
  return {
    async send({ url, headers, body }, signal) {
      const began = performance.now();
      const end = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      let forget: (() => void)[] = [];
      const ended = new Promise<Verdict>(resolve => {
        const stop = (cause: string) => {
          end.abort(new DOMException(cause, 'AbortError'));
          resolve({ status: null, body: null, cause });
        };
        timer = setTimeout(stop, timeoutMs, causeOfTimeout(timeoutMs));
        forget = [signal, closing.signal].map(each => onAbort(each, () => stop(CALLED_OFF)));
        if (signal.aborted || closing.signal.aborted) stop(CALLED_OFF);
      });
      const verdict = end.signal.aborted
        ? ended
        : Promise.race([
            ask(receiver, new Request(url, { method: 'POST', headers, body, signal: end.signal })),
            ended,
          ]);
      const told = await verdict;
      clearTimeout(timer);
      for (const each of forget) each();
      return { url, ...told, durationMs: Math.round(performance.now() - began) };
    },
    close: () => closing.abort(),
  };
}

async function ask(receiver: WebhookReceiver, request: Request): Promise<Verdict> {
  try {
    const response = await receiver(request);
    const body = responseText(new Uint8Array(await response.arrayBuffer()));
    const { status } = response;
    return { status, body, cause: causeOfStatus(status) };
  } catch (error) {
    const cause = `the receiver threw: ${error instanceof Error ? error.message : error}`;
    return { status: null, body: null, cause };
  }
}
