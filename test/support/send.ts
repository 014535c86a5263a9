import '../../src/sandbox/transport/built-in-fetch.ts';
import { Agent, request } from 'undici';

/** A response with the text of its body. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Keeps connections open between the requests of a test, far shorter than a server does: a busy machine notices late that
 * the other side has closed one.
 */
const agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });

/** Sends a request to a server on this machine, which takes a fraction of the time of `fetch`. */
export async function send(
  url: string,
  init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
): Promise<TextResponse> {
  const response = await request(url, { ...init, dispatcher: agent });
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headers)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return { status: response.statusCode, headers, text: await response.body.text() };
}
