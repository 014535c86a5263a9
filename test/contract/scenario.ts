import { sendExampleRequests } from '../../src/build/generation/response-examples.ts';
import type { Transport } from '../../src/core/world/transport.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { ACME_KEY, type Reply } from '../support/sandbox.ts';

/** A request to an operation. The path has no prefix. */
export interface ScenarioRequest {
  readonly plane: 'partner' | 'control';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined when there is none. */
  readonly body: string | undefined;
}

/** A partner's endpoint that is unavailable, so that nothing leaves the machine. */
export const UNAVAILABLE: Transport = {
  send: ({ url }) =>
    Promise.resolve({ url, status: 503, body: 'later', cause: 'answered 503', durationMs: 1 }),
  close: () => undefined,
};

const HEADERS = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'unknown'));

/** Sends every example request over HTTP to a sandbox with the fixture `starter` and a frozen clock. */
export async function sendExamples(send: (request: ScenarioRequest) => Promise<Reply>): Promise<void> {
  await sendExampleRequests(
    async ({ operation: { plane, method, path }, params = {}, query, body, isAnonymous }) => {
      const { 'x-service-api-key': _key, ...anonymous } = HEADERS;
      const reply = await send({
        plane,
        method,
        path: filled(path, params) + (query === undefined ? '' : `?${new URLSearchParams(query)}`),
        headers: isAnonymous ? anonymous : HEADERS,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return reply.body;
    },
  );
}

/** Sends requests that every partner operation must refuse: no key, foreign keys, an unknown id, invalid parameters and bodies. */
export async function sendRefusals(send: (request: ScenarioRequest) => Promise<Reply>): Promise<void> {
  for (const { plane, method, path: pattern } of operations) {
    if (plane !== 'partner') continue;
    const path = filled(pattern, {});
    const request = { plane, method, path, headers: HEADERS, body: method === 'GET' ? undefined : '{}' };
    await send(request);
    await send({ ...request, headers: { ...HEADERS, 'x-service-api-key': 'sk_test_nobody' } });
    await send({ ...request, headers: { ...HEADERS, 'x-service-api-key': 'sk_live_nobody' } });
    await send({ ...request, path: `${path}?page=0&limit=ten&status=none&from=soon&type=none` });
    if (method === 'GET') continue;
    for (const body of ['{', '[]', '{"kycSource":"api"}', '{"webhookUrl":7,"subscribedEvents":["none"]}']) {
      await send({ ...request, body });
    }
    await send({ ...request, headers: { ...HEADERS, 'content-type': 'text/plain' } });
  }
}
