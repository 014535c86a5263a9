import type { Capture } from '../output/capture-file.ts';

const KEY_HEADER = 'x-service-api-key';

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
    const text = await response.clone().text();
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
