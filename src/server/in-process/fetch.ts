import { Buffer } from 'node:buffer';
import { URL } from 'node:url';
import { types } from 'node:util';
import type { Fetch } from '../../client/http.ts';
import { AfterResponse } from '../../core/request/after-response.ts';
import type { ApiRequest, ApiResponse } from '../../core/request/http.ts';
import { realTime } from '../../core/time/realtime.ts';
import {
  clearInterval,
  clearTimeout,
  nextTurn,
  setInterval,
  setTimeout,
} from '../../core/values/builtins.ts';
import { readArguments } from '../../core/values/fetch-arguments.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import { planeOf, type SandboxCore } from '../../sandbox/sandbox.ts';
import { loadFetchApi, networkFetch } from '../../sandbox/transport/fetch-api.ts';
import { notFoundMessage } from '../pages/not-found-message.ts';
import { toResponse } from './fetch-conversion.ts';
import type { ApiHandler } from './run-handlers.ts';

export interface RequestHandlers extends Pick<SandboxCore, 'control' | 'hasPage' | 'page' | 'maxBodyBytes'> {
  readonly handle: ApiHandler;
}

const SEE_OTHER = 303;

/** Cap on the responses between two turns of the event loop, which a loop of calls to the sandbox does not end by itself. */
const MAX_UNSEEN = 16;
/** The longest interval that Node.js accepts. */
const MAX_INTERVAL_MS = 2 ** 31 - 1;

/**
 * A `fetch` that a sandbox handles itself, without a port. Only the path of a URL counts: whatever its host is, the
 * request arrives from 127.0.0.1 with the sandbox's own Host header. Rejects like the global `fetch`, with a TypeError
 * for a lost connection and with the reason of an aborted signal. Rejects every request once `closing` is aborted, with
 * its reason.
 */
export function createFetch(current: () => RequestHandlers, origin: string, closing: AbortSignal): Fetch {
  const { host } = new URL(origin);
  /** Responses since the last turn of the event loop. */
  let unseen = 0;

  async function send(request: Request, body: Body, signal: AbortSignal | undefined): Promise<Response> {
    throwIfAborted(closing);
    throwIfAborted(signal);
    const signals = [...(signal ? [signal] : []), closing];
    const sandbox = current();
    const { pathname, search } = new URL(request.url);
    const head: ApiRequest = {
      method: request.method,
      path: pathname,
      query: search.slice(1),
      headers: { ...Object.fromEntries(request.headers), host },
      body: new Uint8Array(),
      remoteAddress: '127.0.0.1',
      ...(signal && { signal }),
    };
    const reading = readBody(body, sandbox.maxBodyBytes(head));
    // Only a stream may take longer.
    const received = await (Array.isArray(body) ? reading : untilAborted(reading, signals));
    if (unseen >= MAX_UNSEEN) await nextTurn();
    const afterResponse = new AfterResponse();
    unseen += 1;
    try {
      const result = handle(sandbox, { ...head, body: received, afterResponse });
      return await answer(request.url, await untilAborted(result, signals), signal);
    } finally {
      // By the next turn of the event loop, whoever called has the response.
      realTime.after(0, () => {
        unseen -= 1;
        afterResponse.run();
      });
    }
  }

  async function answer(
    url: string,
    result: ApiResponse,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const signals = [...(signal ? [signal] : []), closing];
    await untilAborted(result.sendAfter, signals);
    await waitForDelay(result, signals);
    throwIfAborted(signal);
    if (result.drop) throw networkError('other side closed', 'UND_ERR_SOCKET');
    return withUrl(toResponse(result, signals, await loadFetchApi()), url);
  }

  return async (input, given) => {
    const { Request } = await loadFetchApi();
    const { url, init, signal } = await readArguments(input, given);
    const request = new Request(new URL(url, origin), init);
    const response = await send(request, bodyOf(request, init.body), signal);
    const location = response.headers.get('location');
    if (response.status !== SEE_OTHER || location === null || request.redirect === 'manual') return response;
    if (request.redirect === 'error') throw networkError('unexpected redirect');
    const next = new URL(location, request.url);
    // The sandbox may redirect to the partner's app, which is reached over the network.
    return next.origin === origin
      ? send(new Request(next), [], signal)
      : networkFetch(next, { signal: signal ?? null });
  };
}

function handle(sandbox: RequestHandlers, request: ApiRequest): ApiResponse | Promise<ApiResponse> {
  const plane = planeOf(request.path);
  if (plane === 'partner') return sandbox.handle(request);
  if (plane === 'control') return sandbox.control(request);
  if (sandbox.hasPage(request.path)) return sandbox.page(request);
  const body = JSON.stringify({ success: false, error: notFoundMessage(request.path) });
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 404, headers, body: request.method === 'HEAD' ? '' : body };
}

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Returns the body of a request that was made of `given`: from `given` itself if that is a text or bytes, because the
 * stream of such a request ends in a `queueMicrotask`, which may be faked.
 */
function bodyOf(request: Request, given: RequestInit['body']): Body {
  if (typeof given === 'string') return [Buffer.from(given)];
  if (ArrayBuffer.isView(given)) return [Buffer.from(given.buffer, given.byteOffset, given.byteLength)];
  return types.isAnyArrayBuffer(given) ? [Buffer.from(given)] : (request.body ?? []);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Reads a body, or the beginning of it once it is known to exceed the limit. */
async function readBody(body: Body, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Resolves with a result, or rejects when one of the signals is aborted before. Keeps the process alive until then. */
function untilAborted<T>(result: T | Promise<T>, signals: readonly AbortSignal[]): T | Promise<T> {
  if (!(result instanceof Promise)) return result;
  return new Promise((resolve, reject) => {
    // The sandbox's own timers do not keep the process alive, and nothing else might.
    const keepAlive = setInterval(() => undefined, MAX_INTERVAL_MS);
    const cancel = onAbort(signals, () => {
      clearInterval(keepAlive);
      reject(signals.find(each => each.aborted)?.reason);
    });
    void result.then(resolve, reject).finally(() => {
      clearInterval(keepAlive);
      cancel();
    });
  });
}

/** Resolves after the delay of a response, or when one of the signals is aborted. */
function waitForDelay({ delayMs }: ApiResponse, signals: readonly AbortSignal[]): Promise<void> {
  if (delayMs === undefined) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(finish, delayMs);
    const cancel = onAbort(signals, finish);
    function finish() {
      clearTimeout(timer);
      cancel();
      resolve();
    }
  });
}

/** The error with which the global `fetch` rejects when a connection is lost, with the code that it has there. */
export function networkError(reason: string, code?: string): TypeError {
  const cause = Object.assign(new Error(reason), code !== undefined && { code });
  return new TypeError('fetch failed', { cause });
}

/** Sets the URL of a response, which the constructor of `Response` leaves empty. */
function withUrl(response: Response, url: string): Response {
  // Configurable, because MSW up to 2.6.4 defines it again.
  return Object.defineProperty(response, 'url', { value: url, configurable: true });
}
