import { createCard } from './cardholders.ts';
import type { TestSandbox } from './sandbox.ts';

/** The response of a page. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Requests a page as a browser does, without following redirects. */
export async function visit(url: string, init: RequestInit = {}): Promise<PageResponse> {
  const headers = { accept: 'text/html', ...init.headers };
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Submits a form as the KYC page does. */
export function sendForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return visit(url, { method: 'POST', body: new URLSearchParams(fields), headers });
}

/** Requests a link that reveals a card. */
export async function requestRevealLink(
  { api }: TestSandbox,
  cardId: string,
  body: unknown = {},
): Promise<string> {
  const reply = await api('POST', `/partner/cards/${cardId}/reveal-html`, body);
  if (reply.status !== 200) throw new Error(reply.body.error);
  return reply.body.accessUrl;
}

/** Issues a card and requests a link that reveals it. */
export async function createRevealLink(sandbox: TestSandbox, body: unknown = {}): Promise<string> {
  return requestRevealLink(sandbox, (await createCard(sandbox)).id, body);
}
