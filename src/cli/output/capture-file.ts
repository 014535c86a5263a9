import { appendFileSync, writeFileSync } from 'node:fs';
import { readApiBody, UNREAD } from '../../client/http.ts';
import { type CaptureHead, captureLine, type Exchange } from '../../tools/evidence.ts';
import { errorCode } from '../errors.ts';

const KEY_HEADER = 'x-service-api-key';

/** Adds an exchange to a capture, with the probe or the step that it belongs to. */
export type Capture = (part: string, exchange: Exchange) => void;

/**
 * Begins a capture file, which only its owner can read, and returns a function that adds to it. Throws when the file
 * cannot be written.
 */
export function openCapture(file: string, service: string): Capture {
  const head: CaptureHead = { capture: 1, service, startedAt: new Date(Date.now()).toISOString() };
  try {
    writeFileSync(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new Error(`${file} cannot be written (${errorCode(error)})`);
  }
  return (part, exchange) =>
    appendFileSync(file, `${JSON.stringify(captureLine(part, exchange, Date.now()))}\n`);
}

/** What a capture is about. */
interface Captured {
  /** The base URL of the API. Other requests are left out. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Returns what the next request belongs to. */
  readonly part: () => string;
}

/** A `fetch` that adds each exchange with the API to a capture. */
export function capturingFetch(capture: Capture, { baseUrl, apiKey, part }: Captured): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!url.href.startsWith(`${baseUrl}/`)) return response;
    const key = new Headers(init?.headers).get(KEY_HEADER);
    const text = (await readApiBody(response.clone())) ?? UNREAD;
    const body = init?.body;
    capture(part(), {
      request: {
        method: init?.method ?? 'GET',
        path: url.href.slice(baseUrl.length).replace(/\?.*/s, ''),
        query: Object.fromEntries(url.searchParams),
        ...(typeof body === 'string' && { body: parseJson(body) }),
        ...(key !== apiKey && { apiKey: key }),
      },
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? null : parseJson(text),
    });
    return response;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
