import type { Fetch } from '../../client/call.ts';
import type { ApiRequest, ApiResponse } from '../../kernel/request/http.ts';
import { planeOf, type SandboxCore } from '../../sandbox/sandbox.ts';
import { notFoundMessage } from '../pages/not-found-message.ts';
import { onAnyAbort } from './on-any-abort.ts';
import { toResponse } from './response.ts';

/** What a request is answered by. */
type Answering = Pick<SandboxCore, 'handle' | 'control' | 'hasPage' | 'page' | 'bodyLimit'>;

/** The status that sends people on once they have pressed a button. */
const SEE_OTHER = 303;

const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/**
 * A `fetch` that a sandbox answers itself, without a port. Only the path of a URL counts: whatever its host is, the
 * request arrives from 127.0.0.1 under the sandbox's own name. Once `closing` is aborted nothing answers any more.
 */
export function createFetch(current: () => Answering, origin: string, closing: AbortSignal): Fetch {
  const { host } = new URL(origin);

  async function send(request: Request): Promise<Response> {
    if (closing.aborted) throw lost('the sandbox is closed');
    request.signal.throwIfAborted();
    const sandbox = current();
    const { pathname, search } = new URL(request.url);
    const head: ApiRequest = {
      method: request.method,
      path: pathname,
      query: search.slice(1),
      headers: { ...Object.fromEntries(request.headers), host },
      body: new Uint8Array(),
      remoteAddress: '127.0.0.1',
    };
    const body = await readBody(request, sandbox.bodyLimit(head));
    const answer = await unlessOver(answerTo(sandbox, { ...head, body }), request.signal, closing);
    await late(answer, request.signal, closing);
    request.signal.throwIfAborted();
    if (answer.drop) throw lost('other side closed');
    return named(toResponse(answer, [request.signal, closing]), request.url);
  }

  return async (input, init) => {
    // A path alone is one of this sandbox.
    const request = new Request(typeof input === 'string' ? new URL(input, origin) : input, init);
    const response = await send(request);
    const location = response.headers.get('location');
    if (response.status !== SEE_OTHER || location === null || request.redirect === 'manual') return response;
    if (request.redirect === 'error') throw lost('unexpected redirect');
    const next = new URL(location, request.url);
    const follow = { signal: request.signal };
    // Where the sandbox sends people is often somebody else's, who is asked for over the network.
    return next.origin === origin ? send(new Request(next, follow)) : fetch(next, follow);
  };
}

function answerTo(sandbox: Answering, request: ApiRequest): ApiResponse | Promise<ApiResponse> {
  const plane = planeOf(request.path);
  if (plane === 'partner') return sandbox.handle(request);
  if (plane === 'control') return sandbox.control(request);
  if (sandbox.hasPage(request.path)) return sandbox.page(request);
  const body = JSON.stringify({ success: false, error: notFoundMessage(request.path) });
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 404, headers, body: request.method === 'HEAD' ? '' : body };
}

/** The body of a request, or so much of it that it is known to be longer than anybody reads. */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks);
}

/** What an answer resolves to, unless the caller stops waiting or the sandbox closes before. Keeps the process alive until then. */
function unlessOver(
  answer: ApiResponse | Promise<ApiResponse>,
  caller: AbortSignal,
  closing: AbortSignal,
): ApiResponse | Promise<ApiResponse> {
  if (!(answer instanceof Promise)) return answer;
  return new Promise((resolve, reject) => {
    // The sandbox's own timers keep no process alive, and there may be nothing else that does.
    const awake = setInterval(() => undefined, LONGEST_INTERVAL_MS);
    const forget = onAnyAbort([caller, closing], () => {
      clearInterval(awake);
      reject(caller.aborted ? caller.reason : lost('the sandbox is closed'));
    });
    void answer.then(resolve).finally(() => {
      clearInterval(awake);
      forget();
    });
  });
}

/** Resolves when it is time for an answer: at once when the sandbox closes or the caller no longer waits. */
function late({ delayMs }: ApiResponse, ...endings: readonly AbortSignal[]): Promise<void> {
  if (delayMs === undefined) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(done, delayMs);
    const forget = onAnyAbort(endings, done);
    function done() {
      clearTimeout(timer);
      forget();
      resolve();
    }
  });
}

/** The error that a lost connection gives. */
function lost(cause: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(cause) });
}

/** A response knows where it came from; one that is made by hand has to be told. */
function named(response: Response, url: string): Response {
  return Object.defineProperty(response, 'url', { value: url });
}
