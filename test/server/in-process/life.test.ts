import { expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, OptionError, startServer } from '../../../src/index.ts';
import { startProcess } from '../../support/cli-process.ts';
import { listen } from '../../support/listen.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';

const headers = { 'x-service-api-key': ACME_KEY };

test('a sandbox is ready at once, and its clock is frozen', async () => {
  await using sandbox = createSandbox({ clock: START });
  await using awaited = await createSandbox({ clock: START });
  expect(sandbox.apiKey).toBe(ACME_KEY);
  expect(sandbox.baseUrl).toBe(`${sandbox.url}/v1`);
  expect(await sandbox.clock.get()).toEqual(await awaited.clock.get());
  expect(await sandbox.clock.get()).toMatchObject({ now: START, mode: 'frozen' });
  expect(await sandbox.clock.advance('24h')).toMatchObject({ now: '2026-03-16T10:00:00.000Z' });
  expect(await sandbox.clock.advance(1_500)).toMatchObject({ now: '2026-03-16T10:00:01.500Z' });
  expect(await sandbox.clock.now()).toBe('2026-03-16T10:00:01.500Z');
  expect(await sandbox.clock.freeze(new Date('2026-04-01T00:00:00Z'))).toMatchObject({
    now: '2026-04-01T00:00:00.000Z',
  });
  expect(await sandbox.clock.resume()).toMatchObject({ mode: 'running' });
});

test('invalid options throw at once', () => {
  expect(() => createSandbox({ seed: -1 })).toThrow(OptionError);
  expect(() => createSandbox({ seed: -1 })).toThrow(/^seed: must be at least 0$/);
  const slip = { freez: true } as object;
  expect(() => createSandbox(slip)).toThrow(/^freez: is unknown, did you mean "freeze"\?$/);
  expect(() => createSandbox({ fixtures: ['startre'] })).toThrow('did you mean "starter"?');
});

test('a process that waits for its own sandbox stays alive', async () => {
  const entry = new URL('../../../dist/index.js', import.meta.url).href;
  const script = `
    const { createSandbox } = await import(${JSON.stringify(entry)});
    const wait = createSandbox().webhooks.wait({ timeoutMs: 50 });
    await wait.catch(error => console.log(error.status));`;
  const running = startProcess(process.execPath, ['--input-type=module', '--eval', script]);
  expect({ ...(await running.ended), stdout: running.stdout() }).toEqual({
    code: 0,
    signal: null,
    stdout: '408\n',
  });
});

test('two sandboxes in one process are isolated', async () => {
  const answers = (['one', 'other'] as const).map(() => [] as string[]);
  const [one, other] = answers.map(received =>
    createSandbox({
      fixtures: ['empty'],
      clock: START,
      async webhookReceiver(request) {
        received.push(await request.text());
        return new Response();
      },
    }),
  );
  if (one === undefined || other === undefined) throw new Error('there are two');
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  await one.webhooks.configure({
    webhookUrl: 'https://hooks.test/',
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['balance.top_up'],
  });
  await one.clock.advance('1h');
  await one.simulate.topUp({ amount: 5 });
  await one.faults.add({ status: 503 });
  await one.checkpoint('mine');
  await one.webhooks.settle();
  expect((await one.fetch('/v1/partner/cards', { headers })).status).toBe(503);
  expect((await other.fetch('/v1/partner/cards', { headers })).status).toBe(200);
  expect(await other.clock.now()).toBe(START);
  expect(await other.faults.list()).toEqual([]);
  expect(await other.requests.list()).toHaveLength(1);
  expect((await other.webhooks.config()).webhookUrl).toBeNull();
  expect(answers.map(received => received.length)).toEqual([1, 0]);
  await one.reset();
  expect(await one.clock.now()).toBe(START);
});

test('a checkpoint can be restored repeatedly', async () => {
  await using sandbox = createSandbox();
  const before = await sandbox.state.export();
  const checkpoint = await sandbox.checkpoint();
  for (const amount of [1, 2]) {
    await sandbox.simulate.topUp({ amount });
    await sandbox.clock.advance('1d');
    await checkpoint.restore();
    expect(await sandbox.state.export()).toEqual(before);
  }
  await sandbox.simulate.topUp({ amount: 3 });
  await sandbox.state.import(before);
  expect(await sandbox.state.export()).toEqual(before);
  await checkpoint.delete();
  await expect(checkpoint.restore()).rejects.toMatchObject({ name: 'RefusedError', status: 404 });
});

test('typed calls control people, cards and partners', async () => {
  await using sandbox = createSandbox({ fixtures: ['starter'], kycDelay: '1h' });
  const { token } = await sandbox.mintShareToken({ outcome: 'manual', identity: { firstName: 'Mia' } });
  const post = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await (await sandbox.fetch(`/v1${path}`, init)).json()) as { readonly id: string };
  };
  const person = { externalUserId: 'u', email: 'u@example.com', phoneNumber: '+4915123456789' };
  const { id } = await post('/partner/cardholders', {
    ...person,
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  await post(`/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  expect(await sandbox.kyc.approve(id)).toMatchObject({ firstName: 'Mia', kycStatus: 'approved' });
  const card = await post('/partner/cards', { cardholderId: id, cardProgramId: 'prog_everyday' });
  await post(`/partner/cards/${card.id}/activate`, {});
  const { id: paid } = await sandbox.simulate.authorize({ cardId: card.id, amount: 12.5 });
  expect(await sandbox.simulate.settle(paid, { amount: 10 })).toMatchObject({ settledAmount: 10 });
  const { id: held } = await sandbox.simulate.authorize({ cardId: card.id, amount: 3, type: 'cash' });
  expect(await sandbox.simulate.reverse(held)).toMatchObject({ status: 'reversed' });
  const { challengeId } = await sandbox.simulate.challenge(card.id, { amount: 9 });
  expect(await sandbox.simulate.verify(challengeId, 'wrong')).toMatchObject({ attemptsLeft: 2 });
  expect(await sandbox.cardholders.setStatus(id, 'suspended')).toMatchObject({ status: 'suspended' });
  expect(await sandbox.cardholders.get(id)).toMatchObject({ lockReason: 'card_issued' });
  const session = await post('/partner/kyc-sessions', {});
  expect(await sandbox.kycSessions.approve(session.id)).toMatchObject({ status: 'approved' });
  const partner = await sandbox.partners.create({ name: 'Mine' });
  expect(await sandbox.partners.list()).toHaveLength(3);
  await sandbox.partners.updateSettings(partner.id, { rateLimitPerMinute: 7 });
  expect(await sandbox.partners.settings(partner.id)).toMatchObject({ rateLimitPerMinute: 7 });
  expect((await sandbox.partners.rotateKey(partner.id)).apiKey).toMatch(/^sk_test_/);
  expect(await sandbox.requests.count({ method: 'POST', status: 201 })).toBe(
    (await sandbox.requests.list({ method: 'POST', status: 201 })).length,
  );
  const [latest] = await sandbox.requests.list({ method: 'POST', limit: 1 });
  expect(latest && (await sandbox.requests.get(latest.id))).toEqual({ ...latest, wouldPass: [] });
  expect((await sandbox.assumptions()).map(({ id }) => id)).toContain('webhook-faults');
});

test('the redirect of a KYC page is followed to the page and to the app, unless the request refuses it', async () => {
  await using sandbox = createSandbox();
  const app = await listen((_, response) => void response.end('the app'));
  const decide = async (session: object, init: RequestInit = {}) => {
    const body = JSON.stringify(session);
    const path = '/v1/partner/kyc-sessions';
    const ofApi = { ...headers, 'content-type': 'application/json' };
    const created = await sandbox.fetch(path, { method: 'POST', headers: ofApi, body });
    const { url } = (await created.json()) as { url: string };
    return sandbox.fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'reject' }),
      ...init,
    });
  };
  expect(await (await decide({})).text()).toMatch(/, rejected<\/p><\/footer>/);
  expect(await (await decide({ redirectUrl: `${app}/done` })).text()).toBe('the app');
  expect((await decide({}, { redirect: 'manual' })).status).toBe(303);
  await expect(decide({}, { redirect: 'error' })).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { message: 'unexpected redirect' },
  });
});

test('faults delay and drop responses, and a stream stays open', async () => {
  await using sandbox = createSandbox();
  await sandbox.faults.add({ drop: true, times: 1 });
  const lost = sandbox.fetch('/v1/partner/cards', { headers });
  await expect(lost).rejects.toThrow(new TypeError('fetch failed'));
  const { id } = await sandbox.faults.add({ delayMs: 60_000 });
  const leave = new AbortController();
  const late = sandbox.fetch('/v1/partner/cards', { headers, signal: leave.signal });
  leave.abort(new Error('enough'));
  await expect(late).rejects.toThrow('enough');
  const invalid = sandbox.fetch('/v1/partner/cards', { headers, signal: {} as AbortSignal });
  await expect(invalid).rejects.toThrow(new TypeError('signal must be an AbortSignal'));
  await sandbox.faults.remove(id);
  const stream = await sandbox.fetch('/_sandbox/stream?kinds=clock');
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toMatch(/^: hello/);
  await sandbox.clock.advance('1s');
  expect((await reader?.read())?.value).toMatch(/^event: clock\n/);
  await sandbox.close();
  expect((await reader?.read())?.done).toBe(true);
});

test('an aborted signal ends a request whose body never ends, and one that a silent receiver holds up', async () => {
  await using sandbox = createSandbox({ webhookReceiver: () => new Promise(() => {}) });
  const send = (path: string, init: object) => {
    const controller = new AbortController();
    const response = sandbox.fetch(path, { method: 'POST', signal: controller.signal, ...init });
    setImmediate(() => controller.abort(new Error('too late')));
    return response;
  };
  const body = new ReadableStream({ pull: () => new Promise(() => {}) });
  await expect(send('/v1/partner/cards', { body, duplex: 'half' })).rejects.toThrow('too late');
  const webhookUrl = 'https://app.test/hooks';
  await sandbox.webhooks.configure({
    webhookUrl,
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['card.issued'],
  });
  await sandbox.webhookFaults.add({ kind: 'before_response' });
  const card = JSON.stringify({ cardholderId: 'ch_mia_approved', cardProgramId: 'prog_travel' });
  const headers = { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' };
  await expect(send('/v1/partner/cards', { body: card, headers })).rejects.toThrow('too late');
});

test('a lost connection has the code that it has over HTTP', async () => {
  await using sandbox = createSandbox();
  await sandbox.faults.add({ drop: true });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  const lost = await sandbox.fetch('/v1/partner/cards', { headers }).catch(error => error.cause);
  expect(lost).toMatchObject({ code: 'UND_ERR_SOCKET' });
});

test('a closed sandbox rejects requests, and can be closed again', async () => {
  const sandbox = createSandbox();
  const waiting = sandbox.webhooks.wait({ timeoutMs: 60_000 });
  await sandbox.clock.now();
  await sandbox.close();
  await sandbox.close();
  await expect(waiting).rejects.toThrow('the sandbox is closed');
  await expect(sandbox.clock.now()).rejects.toThrow('the sandbox is closed');
  await expect(sandbox.fetch('/v1/partner/cards')).rejects.toThrow('fetch failed');
});

test('an unknown path gets the same 404 as over HTTP', async () => {
  await using sandbox = createSandbox();
  await using server = await startServer();
  for (const path of ['/partner/cards', '/nothing', '/reveal/a/b']) {
    const [one, other] = await Promise.all([sandbox.fetch(path), fetch(server.url + path)]);
    expect([one.status, await one.json()]).toEqual([other.status, await other.json()]);
  }
});

test('a served sandbox has the same handle, also in another process', async () => {
  await using server = await startServer({ clock: START, freeze: true, fixtures: ['empty'] });
  const elsewhere = await connect({ url: server.url });
  expect(elsewhere).toMatchObject({ url: server.url, baseUrl: server.baseUrl, apiKey: server.apiKey });
  await elsewhere.clock.advance('1h');
  expect(await server.clock.now()).toBe('2026-03-15T11:00:00.000Z');
  expect((await elsewhere.fetch('/v1/partner/cards', { headers })).status).toBe(200);
  expect(await server.requests.list()).toHaveLength(1);
  await elsewhere.close();
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

test('a sandbox on all addresses requires its control token', async () => {
  await using server = await startServer({ host: '0.0.0.0', controlToken: 'a-token' });
  const { port } = new URL(server.url);
  expect(await server.clock.get()).toMatchObject({ mode: 'running' });
  const elsewhere = await connect({ url: `http://127.0.0.1:${port}`, controlToken: 'a-token' });
  expect(await elsewhere.clock.get()).toMatchObject({ mode: 'running' });
  await expect(connect({ url: `http://127.0.0.1:${port}` })).rejects.toMatchObject({ status: 401 });
});

test('checkpoints without a name never replace each other, from however many clients', async () => {
  await using server = await startServer({ port: 0 });
  const clients = await Promise.all([server, connect({ url: server.url }), connect({ url: server.url })]);
  const available = () => server.fetch('/v1/partner/balance', { headers }).then(response => response.json());
  const before = await available();
  const checkpoints = [];
  for (const client of clients) {
    checkpoints.push(await client.checkpoint());
    await client.simulate.topUp({ amount: 10 });
  }
  expect(new Set(checkpoints.map(({ name }) => name)).size).toBe(3);
  await checkpoints[0]?.restore();
  expect(await available()).toEqual(before);
  const together = await Promise.all([server.checkpoint(), server.checkpoint()]);
  expect(new Set([...checkpoints, ...together].map(({ name }) => name)).size).toBe(5);
  const ofBoth = await Promise.all([server.checkpoint(), server.as('partner_acme').checkpoint()]);
  expect(new Set(ofBoth.map(({ name }) => name)).size).toBe(2);
});

test('the URL of a response can be defined again, as MSW up to 2.6.4 does', async () => {
  await using sandbox = createSandbox();
  const response = await sandbox.fetch('/health');
  expect(response.url).toBe(`${sandbox.url}/health`);
  Object.defineProperty(response, 'url', { value: 'https://api.partner.test/health' });
  expect(response.url).toBe('https://api.partner.test/health');
});

test('timers run beside a loop that only calls the sandbox', async () => {
  await using sandbox = createSandbox();
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 0);
  let calls = 0;
  for (; !isOver && calls < 10_000; calls++) {
    await sandbox.fetch(`${sandbox.baseUrl}/partner/cards`, { headers });
  }
  expect(isOver).toBe(true);
});
