import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type ServerOptions, startServer } from '../../../src/index.ts';
import { ACME_KEY, type Json, START } from '../../support/sandbox.ts';

const OPTIONS = { clock: START, freeze: true, forwardTo: 'http://127.0.0.1:9/webhooks' } as const;
const CARD = 'card_mia_active';

async function call(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Json> {
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await sandbox.fetch(path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Makes one secret of each kind. `ids` are what must not change with them. */
async function makeSecrets(sandbox: Sandbox) {
  const { accessUrl } = await call(sandbox, 'POST', `/v1/partner/cards/${CARD}/reveal-html`, {});
  const challenge = await call(sandbox, 'POST', `/_sandbox/cards/${CARD}/3ds`, {});
  const partner = await call(sandbox, 'POST', '/_sandbox/partners', {});
  const { apiKey } = await call(sandbox, 'POST', '/_sandbox/partners/partner_acme/keys/rotate', {});
  const { webhookSecret } = await call(sandbox, 'GET', '/v1/partner/webhooks/config');
  const state = await call(sandbox, 'GET', '/_sandbox/state');
  const link = new URL(accessUrl);
  const secrets = {
    signature: link.searchParams.get('signature'),
    otp: state.tables.challenges.find((row: Json) => row.id === challenge.challengeId).otp,
    newKey: partner.apiKey,
    rotatedKey: apiKey,
    webhookSecret,
  };
  return { secrets, ids: [link.pathname, challenge.challengeId, partner.id] };
}

async function secretsOf(options: ServerOptions) {
  await using sandbox = await startServer({ ...OPTIONS, ...options });
  return await makeSecrets(sandbox);
}

test('without a seed, a server makes secrets that differ from start to start, and the same ids', async () => {
  const [one, other] = [await secretsOf({}), await secretsOf({})];
  expect(other.ids).toEqual(one.ids);
  for (const [name, secret] of Object.entries(one.secrets)) {
    expect(other.secrets, name).not.toMatchObject({ [name]: secret });
  }
  expect(one.secrets).toEqual({
    signature: expect.stringMatching(/^[\da-f]{64}$/),
    otp: expect.stringMatching(/^\d{6}$/),
    newKey: expect.stringMatching(/^sk_test_[\da-z]{24}$/),
    rotatedKey: expect.stringMatching(/^sk_test_[\da-z]{24}$/),
    webhookSecret: expect.stringMatching(/^whsec_[\da-z]+$/),
  });
});

test('with a seed, even the default one, and in process, all secrets come from the seed', async () => {
  await using sandbox = createSandbox(OPTIONS);
  const seeded = await makeSecrets(sandbox);
  expect(await secretsOf({ seed: 42 })).toEqual(seeded);
  expect((await secretsOf({ seed: 43 })).secrets).not.toEqual(seeded.secrets);
  expect(await call(sandbox, 'GET', '/_sandbox/state')).not.toHaveProperty('secrets');
});

test('a reset keeps the webhook secret that was printed at start', async () => {
  await using sandbox = await startServer(OPTIONS);
  const before = await call(sandbox, 'GET', '/v1/partner/webhooks/config');
  await call(sandbox, 'POST', '/_sandbox/reset');
  expect(await call(sandbox, 'GET', '/v1/partner/webhooks/config')).toEqual(before);
});

test('a restored world shows the links made before, and makes the same secrets again', async () => {
  await using sandbox = await startServer(OPTIONS);
  const { accessUrl } = await call(sandbox, 'POST', `/v1/partner/cards/${CARD}/reveal-html`, {});
  await call(sandbox, 'POST', '/_sandbox/checkpoints/one');
  const state = await call(sandbox, 'GET', '/_sandbox/state');
  const first = await makeSecrets(sandbox);
  await call(sandbox, 'POST', '/_sandbox/checkpoints/one/restore');
  expect(await makeSecrets(sandbox)).toEqual(first);
  await call(sandbox, 'POST', '/_sandbox/checkpoints/one/restore');
  expect((await fetch(accessUrl)).status).toBe(200);

  await using other = await startServer(OPTIONS);
  await call(other, 'PUT', '/_sandbox/state', state);
  const { pathname, search } = new URL(accessUrl);
  expect((await other.fetch(pathname + search)).status).toBe(200);
  expect((await makeSecrets(other)).secrets).toEqual(first.secrets);
  expect((await makeSecrets(other)).secrets.otp).not.toBe(first.secrets.otp);
});

test('a world without a key of its own gets the one of the server that loads it', async () => {
  await using seeded = createSandbox(OPTIONS);
  const state = await call(seeded, 'GET', '/_sandbox/state');
  const expected = await makeSecrets(seeded);
  await using server = await startServer(OPTIONS);
  await call(server, 'PUT', '/_sandbox/state', state);
  const { secrets } = await makeSecrets(server);
  for (const [name, secret] of Object.entries(expected.secrets)) {
    expect(secrets, name).not.toMatchObject({ [name]: secret });
  }
});

test.each([
  ['a short key', { key: 'ab', drawn: {} }, 'secrets.key: must be 64 lower-case hexadecimal digits'],
  ['a negative count', { key: '0'.repeat(64), drawn: { otp: -1 } }, 'secrets.drawn.otp: must be at least 0'],
])('a state with %s is refused', async (_what, secrets, message) => {
  await using sandbox = createSandbox(OPTIONS);
  const state = await call(sandbox, 'GET', '/_sandbox/state');
  const body = { ...state, secrets };
  await expect(call(sandbox, 'PUT', '/_sandbox/state', body)).rejects.toThrow(message);
});
