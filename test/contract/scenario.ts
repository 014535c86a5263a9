import type { Transport } from '../../src/kernel/world/transport.ts';
import { tour } from '../../src/openapi/tour/tour.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { ACME_KEY, type Reply } from '../support/sandbox.ts';

/** One request below `/v1` or `/_sandbox`, without that prefix. */
export interface Asked {
  readonly plane: 'partner' | 'control';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined for none. */
  readonly body: string | undefined;
}

/** A partner's endpoint that is always down, so that nothing leaves the machine. */
export const DOWN: Transport = {
  send: ({ url }) =>
    Promise.resolve({ url, status: 503, body: 'later', cause: 'answered 503', durationMs: 1 }),
  close: () => undefined,
};

const HEADERS = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'unknown'));

/** Makes every request of the tour through HTTP. For a sandbox with the fixture `starter` and a frozen clock. */
export async function playTour(ask: (request: Asked) => Promise<Reply>): Promise<void> {
  const last = new Map<string, unknown>();
  for (const step of tour) {
    const operation = operations.find(({ id }) => id === step.call);
    if (operation === undefined) throw new Error(`no operation ${step.call}`);
    const params = typeof step.params === 'function' ? step.params(id => last.get(id)) : (step.params ?? {});
    const { 'x-service-api-key': _key, ...anonymous } = HEADERS;
    const { body } = await ask({
      plane: operation.plane,
      method: operation.method,
      path: filled(operation.path, params) + (step.query === undefined ? '' : `?${step.query}`),
      headers: step.anonymous ? anonymous : HEADERS,
      body: step.body === undefined ? undefined : JSON.stringify(step.body),
    });
    last.set(step.call, body);
  }
}

/** Asks every partner operation for what it has to refuse: without a key, with a foreign one, of an unknown id, with nonsense. */
export async function playRefusals(ask: (request: Asked) => Promise<Reply>): Promise<void> {
  for (const { plane, method, path: pattern } of operations) {
    if (plane !== 'partner') continue;
    const path = filled(pattern, {});
    const request = { plane, method, path, headers: HEADERS, body: method === 'GET' ? undefined : '{}' };
    await ask(request);
    await ask({ ...request, headers: { ...HEADERS, 'x-service-api-key': 'sk_test_nobody' } });
    await ask({ ...request, headers: { ...HEADERS, 'x-service-api-key': 'sk_live_nobody' } });
    await ask({ ...request, path: `${path}?page=0&limit=ten&status=none&from=soon&type=none` });
    if (method === 'GET') continue;
    for (const body of ['{', '[]', '{"kycSource":"api"}', '{"webhookUrl":7,"subscribedEvents":["none"]}']) {
      await ask({ ...request, body });
    }
    await ask({ ...request, headers: { ...HEADERS, 'content-type': 'text/plain' } });
  }
}
