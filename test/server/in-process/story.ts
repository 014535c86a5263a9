import type { Duration } from '../../../src/core/values/duration.ts';

/** The sandbox that plays the story, and how to call it. */
export interface StorySandbox {
  readonly baseUrl: string;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly apiKey: string;
  /** Advances the sandbox clock. */
  readonly advance: (duration: Duration) => Promise<unknown>;
}

/** A response as clients see it, without addresses of the sandbox. */
export interface StoryResponse {
  readonly step: string;
  readonly status: number;
  readonly type: string | null;
  readonly remaining: string | null;
  readonly body: string;
}

const TOKEN = 'idp1_test_approve_mia';

/**
 * Takes a cardholder from a share token to a revealed card, with refusals on the way. Every surface gets the same calls,
 * and must give the same responses.
 */
export async function playStory({ baseUrl, fetch, apiKey, advance }: StorySandbox): Promise<StoryResponse[]> {
  const responses: StoryResponse[] = [];
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init: RequestInit = { method, headers: { 'x-service-api-key': apiKey, ...headers } };
    if (body !== undefined) {
      init.body = typeof body === 'string' ? body : JSON.stringify(body);
      init.headers = { 'content-type': 'application/json', ...init.headers };
    }
    const response = await fetch(path.startsWith('http') ? path : baseUrl + path, init);
    const text = await response.text();
    responses.push({
      step: `${method} ${path.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*/, '')}`,
      status: response.status,
      type: response.headers.get('content-type'),
      remaining: response.headers.get('x-ratelimit-remaining'),
      // Links contain the address, and signatures and nonces differ each time.
      body: text
        .replaceAll(/https?:\/\/[^/"]+/g, '')
        .replaceAll(/signature=\w+/g, 'signature=…')
        .replaceAll(/nonce="[^"]+"/g, 'nonce="…"'),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the story reads members of responses, which are then compared
    return (text.startsWith('{') ? JSON.parse(text) : null) as any;
  };
  const person = { externalUserId: 'user_1', email: 'mia@example.com', phoneNumber: '+4915123456789' };
  const body = { ...person, kycSource: 'idp1', idp1ShareToken: TOKEN };
  const { id } = await call('POST', '/partner/cardholders', body);
  await call('POST', '/partner/cardholders', body);
  await call('POST', '/partner/cardholders', { ...body, idp1ShareToken: `${TOKEN}_again` });
  await call('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  await call('POST', '/partner/cardholders', { ...body, idp1ShareToken: `${TOKEN}_late` });
  await advance('2s');
  const card = await call('POST', '/partner/cards', { cardholderId: id, cardProgramId: 'prog_everyday' });
  await call('GET', '/partner/cards?limit=1&status=created');
  await call('HEAD', `/partner/cards/${card.id}`);
  const { accessUrl } = await call('POST', `/partner/cards/${card.id}/reveal-html`, {});
  await call('GET', accessUrl);
  await call('GET', accessUrl);
  await call('GET', '/partner/cards?limit=0');
  await call('GET', '/partner/cars');
  await call('POST', '/partner/cards', '{"cardholderId":');
  await call('POST', '/partner/cards', 'plain', { 'content-type': 'text/plain' });
  await call('POST', '/partner/cards', JSON.stringify({ cardholderId: 'x'.repeat(1024 * 1024) }));
  await call('GET', '/partner/cards', undefined, { 'x-service-api-key': 'sk_test_unknown' });
  await call('OPTIONS', '/partner/cards', undefined, {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
  });
  await call('GET', '/partner/cards', undefined, { 'x-sandbox-fault': 'status=503' });
  await call('DELETE', `/partner/cards/${card.id}`);
  return responses;
}
