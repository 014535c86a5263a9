import type { ApiRequest, ApiResponse } from '../../kernel/request/http.ts';

/** A request in the shape of the Fetch API; null for one that has none, such as a TRACE. */
export function toRequest(
  { method, path, query, headers, body }: ApiRequest,
  origin: string,
): Request | null {
  try {
    const init: RequestInit = { method, headers: new Headers(pairsOf(headers)) };
    if (method !== 'GET' && method !== 'HEAD' && body.length > 0) init.body = Buffer.from(body);
    return new Request(origin + path + (query === '' ? '' : `?${query}`), init);
  } catch {
    return null;
  }
}

/**
 * An answer as a response of the Fetch API says it. A network error is a connection that is dropped, server-sent
 * events go on as they come, any other body is sent once it is whole.
 */
export async function toApiResponse(response: Response): Promise<ApiResponse> {
  if (response.type === 'error') return { status: 500, headers: {}, body: '', drop: true };
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  // These were about another connection; ours has its own.
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
    delete headers[name];
  const { status, body } = response;
  if (body !== null && /^text\/event-stream\b/.test(headers['content-type'] ?? '')) {
    return { status, headers, body: '', stream: (send, end) => follow(body, send, end) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (status !== 204 && status !== 304) headers['content-length'] = String(bytes.length);
  return { status, headers, body: new TextDecoder().decode(bytes), bytes };
}

function pairsOf(headers: ApiRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [value].flat().map(each => [name, String(each)]),
  );
}

/** Hands on what comes until it ends or is not wanted any more. */
function follow(body: ReadableStream<Uint8Array>, send: (text: string) => void, end: () => void): () => void {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      send(decoder.decode(part.value, { stream: true }));
    }
  };
  void read().then(end, end);
  return () => void reader.cancel().catch(() => undefined);
}
