// Run by Vitest in each environment, with the libraries of fake timers that are installed after the package is loaded.
import http from 'node:http';
import { ModernFakeTimers } from '@jest/fake-timers';
import sinon from '@sinonjs/fake-timers';
import { connect, createSandbox, startServer, verifyWebhook } from 'card-sandbox';
import { afterEach, expect, test, vi } from 'vitest';

const SECRET = 'a secret of a webhook';
const LONG_AGO = Date.UTC(2001, 1, 3);

/** Fakes everything that a library can fake. Returns what it cannot be used without, and a function that ends it. */
const LIBRARIES: Record<string, () => { readonly fakesTicks: boolean; stop(): void }> = {
  'no fake timers': () => ({ fakesTicks: false, stop: () => undefined }),
  Vitest() {
    vi.useFakeTimers({
      now: LONG_AGO,
      toFake: [
        'setTimeout',
        'setInterval',
        'setImmediate',
        'clearTimeout',
        'Date',
        'performance',
        'queueMicrotask',
      ],
    });
    return { fakesTicks: false, stop: () => void vi.useRealTimers() };
  },
  Sinon() {
    const clock = sinon.install({ now: LONG_AGO });
    return { fakesTicks: true, stop: () => clock.uninstall() };
  },
  Jest() {
    const config = { fakeTimers: {}, rootDir: '.', testEnvironmentOptions: {} };
    const timers = new ModernFakeTimers({ config: config as never, global: globalThis });
    timers.useFakeTimers({ now: LONG_AGO });
    return { fakesTicks: true, stop: () => timers.dispose() };
  },
};

let stop = () => {};
afterEach(() => stop());

/** Resolves with the status of a request over HTTP without any `fetch`. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http.get(url, { headers }, response => resolve(response.resume().statusCode)).once('error', reject);
  });
}

test('a sandbox takes the requests of the environment', async () => {
  await using sandbox = createSandbox();
  const headers = { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"externalUserId":"a"}' };
  const response = await sandbox.fetch(new Request(`${sandbox.baseUrl}/partner/kyc-sessions`, init));
  expect(response.status).toBe(201);
  const aborted = new AbortController();
  aborted.abort();
  await expect(sandbox.fetch('/v1/partner/cards', { headers, signal: aborted.signal })).rejects.toMatchObject(
    {
      name: 'AbortError',
    },
  );
});

test('a client of a server works', async () => {
  await using server = await startServer();
  const client = await connect({ url: server.url });
  const { id } = await client.simulate.card();
  const headers = new Headers({ 'x-service-api-key': client.apiKey });
  const { signal } = new AbortController();
  const response = await client.fetch(`/v1/partner/cards/${id}`, { headers, signal });
  expect(await response.json()).toMatchObject({ id });
});

// Last: in a thread in which nextTick was faked and given back, Node's own servers sometimes never listen.
for (const [library, fake] of Object.entries(LIBRARIES)) {
  test(`a sandbox in process works, with ${library}`, async () => {
    const fakes = fake();
    stop = fakes.stop;
    const received: unknown[] = [];
    await using sandbox = createSandbox({
      webhookReceiver: async request => {
        const body = await request.text();
        received.push(verifyWebhook(body, request.headers.get('x-service-signature'), SECRET).valid);
        return new Response(null, { status: 204 });
      },
    });
    await sandbox.webhooks.configure({
      webhookUrl: 'https://hooks.partner.test/',
      webhookSecret: SECRET,
      subscribedEvents: ['card.issued'],
    });
    const { id } = await sandbox.simulate.card();
    await sandbox.clock.advance('1h');
    expect(received).toEqual([true]);
    const headers = new Headers({ 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' });
    const { signal } = new AbortController();
    const read = await sandbox.fetch(`/v1/partner/cards/${id}`, { headers, signal });
    expect(await read.json()).toMatchObject({ id });
    const body = JSON.stringify({ externalUserId: 'a' });
    const created = await sandbox.fetch('/v1/partner/kyc-sessions', { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    const bytes = new TextEncoder().encode(body);
    const sent = await sandbox.fetch('/v1/partner/kyc-sessions', { method: 'POST', headers, body: bytes });
    expect(sent.status).toBe(201);
    await sandbox.faults.add({ delayMs: 5, times: 1 });
    expect((await sandbox.fetch('/v1/partner/cards', { headers })).status).toBe(200);
    await expect(sandbox.webhooks.wait({ status: 'failed', timeoutMs: 5 })).rejects.toMatchObject({
      status: 408,
    });
  });

  test(`a server works or says what is faked, with ${library}`, async () => {
    const fakes = fake();
    stop = fakes.stop;
    if (fakes.fakesTicks) {
      await expect(startServer()).rejects.toThrow(/^nextTick is faked, .* toFake: /);
      await expect(connect({ url: 'http://127.0.0.1:1' })).rejects.toThrow(/nextTick is faked/);
      return;
    }
    await using sandbox = await startServer({ kycDelay: '1ms' });
    const headers = { 'x-service-api-key': sandbox.apiKey };
    for (let count = 0; count < 3; count++) {
      expect(await statusOf(`${sandbox.baseUrl}/partner/cards`, headers)).toBe(200);
    }
    const cardholder = await sandbox.api.cardholders.create({
      externalUserId: 'b',
      email: 'b@example.com',
      phoneNumber: '+4915112345678',
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_b',
    });
    expect(cardholder.status).toBe('active');
  });
}
