import { AbortController, AbortSignal } from './builtins.ts';
import { onAbort } from './on-abort.ts';

/** What the arguments of a `fetch` ask for. Every value fits the Fetch API of Node.js, whatever environment it is from. */
export interface FetchArguments {
  /** May be a path. */
  readonly url: string;
  readonly init: RequestInit;
  /** The signal of the caller, of any environment; undefined if there is none. */
  readonly signal: AbortSignal | undefined;
}

/** Reads the arguments of a `fetch`. A DOM's own `Request`, `Headers`, `AbortSignal` and `Blob` count like the ones of Node.js. */
export async function readArguments(
  input: Request | string | URL,
  given: RequestInit = {},
): Promise<FetchArguments> {
  const request = isRequest(input) ? input : null;
  const { signal, headers = request?.headers, body = request?.body, ...options } = given;
  const { method = request?.method, redirect = request?.redirect, ...others } = options;
  const init: RequestInit = { ...others };
  if (method !== undefined) init.method = method;
  if (redirect !== undefined) init.redirect = redirect;
  const pairs = plainHeaders(headers ?? {});
  if (body !== undefined && body !== null) {
    // A stream needs it, and nothing else is changed by it. The types of Node.js do not have it.
    Object.assign(init, { body: isFile(body) ? await body.arrayBuffer() : body, duplex: 'half' });
    const isTyped = pairs.some(([name]) => name.toLowerCase() === 'content-type');
    if (isFile(body) && body.type !== '' && !isTyped) pairs.push(['content-type', body.type]);
  }
  if (pairs.length > 0) init.headers = pairs;
  // The requests of some libraries have null where there is no signal.
  const own = (signal === undefined ? request?.signal : signal) ?? undefined;
  if (own !== undefined && typeof own.addEventListener !== 'function') {
    throw new TypeError('signal must be an AbortSignal');
  }
  return { url: request?.url ?? String(input), init, signal: own };
}

/** Returns a signal of Node.js that is aborted when another is. */
export function toOwnSignal(signal: AbortSignal): AbortSignal {
  const isOwn: boolean = signal instanceof AbortSignal;
  if (isOwn) return signal;
  const controller = new AbortController();
  onAbort([signal], () => controller.abort(signal.reason));
  return controller.signal;
}

export function isRequest(input: Request | string | URL): input is Request {
  return typeof input === 'object' && 'url' in input && 'method' in input;
}

function plainHeaders(headers: NonNullable<RequestInit['headers']>): [string, string][] {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return pairs.map(([name = '', value = '']) => [name, String(value)]);
}

function isFile(body: NonNullable<RequestInit['body']>): body is Blob {
  return typeof body === 'object' && 'arrayBuffer' in body && 'type' in body;
}
