import { types } from 'node:util';
import { AbortController, requireNetwork } from '../../core/values/builtins.ts';
import { readArguments, toOwnSignal } from '../../core/values/fetch-arguments.ts';
import { isError } from '../../core/values/is-error.ts';
import { loadOnce } from '../../core/values/once.ts';

/** The parts of the Fetch API that the sandbox uses. */
export type FetchApi = Pick<typeof globalThis, 'fetch' | 'Request' | 'Response'>;

// As it was when the package was loaded: MSW and other libraries replace it.
const { fetch } = globalThis;

/** The Fetch API of Node.js, once it was there. Read when it is first needed: loading it takes a sixth of a start. */
let own: FetchApi | undefined;

/**
 * Resolves with the Fetch API of Node.js. While its classes are replaced, or missing, with the original of undici: the
 * classes of a DOM work only in their window, by the rules of its pages, and those of MSW only while it intercepts requests.
 */
export async function loadFetchApi(): Promise<FetchApi> {
  own ??= ownFetchApi();
  return own ?? loadUndici();
}

function ownFetchApi(): FetchApi | undefined {
  const { Request, Response } = globalThis;
  // The code of Node.js makes its signals with the global class.
  const hasOwnSignals = globalThis.AbortController === AbortController;
  const isOwn = hasOwnSignals && isOfNode(Request, 'url') && isOfNode(Response, 'status');
  return isOwn ? { fetch, Request, Response } : undefined;
}

const loadUndici = loadOnce(async () => {
  const { undici } = await import('./undici.ts');
  const dispatcher = new undici.Agent();
  const api = { ...undici, fetch: (url: string, init: object) => undici.fetch(url, { ...init, dispatcher }) };
  // The types of undici differ in details that the sandbox does not use.
  return api as unknown as FetchApi;
});

/**
 * Sends a request over the network as the `fetch` of Node.js does, whatever has replaced the global one. Rejects with an
 * error that names it while something is faked that this `fetch` would wait for.
 */
export async function networkFetch(
  input: globalThis.Request | string | URL,
  init?: RequestInit,
): Promise<globalThis.Response> {
  try {
    requireNetwork('fetch');
  } catch (cause) {
    throw new TypeError('fetch failed', { cause });
  }
  const [{ fetch: send }, { url, signal, init: plain }] = await Promise.all([
    loadFetchApi(),
    readArguments(input, init),
  ]);
  return send(url, signal === undefined ? plain : { ...plain, signal: toOwnSignal(signal) });
}

/** Whether a class with this getter, or the one that it extends, is in the code of Node.js itself. MSW has proxies of these. */
function isOfNode(value: unknown, getter: string): boolean {
  if (typeof value !== 'function' || types.isProxy(value)) return false;
  try {
    Reflect.get(value.prototype, getter);
    return false;
  } catch (error) {
    // The getter throws, because a prototype is not an instance.
    return isError(error) && /\(node:internal\//.test(error.stack ?? '');
  }
}
