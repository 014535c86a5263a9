import { Buffer } from 'node:buffer';
import { CANCELLED, receiverThrew } from '../../core/values/attempt-causes.ts';
import { AbortController, performance } from '../../core/values/builtins.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../core/world/transport.ts';
import { type FetchApi, loadFetchApi } from './fetch-api.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  causeOfStatus,
  MAX_RESPONSE_BYTES,
  responseText,
  watchLimits,
} from './send-request.ts';
import { completeBody } from './web-streams.ts';

/** Receives webhooks within the same process: a function from a web `Request` to a `Response`, as in many frameworks. */
export type WebhookReceiver = (request: Request) => Response | Promise<Response>;

type Result = Pick<AttemptOutcome, 'status' | 'body' | 'cause'>;

/**
 * Creates a transport that passes each webhook to a function instead of the network. A response that takes longer
 * than the timeout of the webhook fails the attempt, as over HTTP, and aborts the signal of the request.
 */
export function createReceiverTransport(receiver: WebhookReceiver): Transport {
  const closing = new AbortController();
  const receive = (
    { url, headers, body, timeoutMs = ATTEMPT_TIMEOUT_MS }: OutgoingWebhook,
    { Request }: FetchApi,
    signal: AbortSignal,
  ): Promise<Result> =>
    new Promise(resolve => {
      const ending = new AbortController();
      const signals = [signal, closing.signal];
      const settle = (result: Result) => {
        unwatch();
        resolve(result);
      };
      const stop = (cause: string) => {
        ending.abort(Object.assign(new Error(cause), { name: 'AbortError' }));
        settle({ status: null, body: null, cause });
      };
      const unwatch = watchLimits({ timeoutMs, signals }, stop);
      if (signals.some(each => each.aborted)) stop(CANCELLED);
      else {
        const init = { method: 'POST', headers, body: completeBody(Buffer.from(body)), duplex: 'half' };
        // The types of Node.js do not have `duplex`, which a stream needs.
        const request = new Request(url, { ...init, signal: ending.signal } as RequestInit);
        void responseOf(receiver, request).then(settle);
      }
    });
  return {
    async send(webhook, signal) {
      const api = await loadFetchApi();
      const startedAt = performance.now();
      const result = await receive(webhook, api, signal);
      return { url: webhook.url, ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: () => closing.abort(),
  };
}

async function responseOf(receiver: WebhookReceiver, request: Request): Promise<Result> {
  try {
    const response: unknown = await receiver(request);
    if (!isResponse(response)) throw new TypeError(NO_RESPONSE);
    const { status, body } = response;
    return { status, body: await textOf(body), cause: causeOfStatus(status) };
  } catch (error) {
    return { status: null, body: null, cause: receiverThrew(messageOf(error)) };
  }
}

const NO_RESPONSE = 'it returned no Response of the Fetch API; return one, such as one with status 204';

/** Whether a value is a web `Response`, of whatever library. */
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false;
  return 'arrayBuffer' in value && 'status' in value && Number.isInteger(value.status) && 'body' in value;
}

/** Reads the body of a response as far as it is kept. One that breaks off ends there: the status decides, as over HTTP. */
async function textOf(body: Response['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytesLeft = MAX_RESPONSE_BYTES;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(Buffer.from(chunk).subarray(0, bytesLeft));
      bytesLeft -= chunk.length;
      if (bytesLeft <= 0) break;
    }
  } catch {
    // What was read before stays.
  }
  return responseText(Buffer.concat(chunks));
}
