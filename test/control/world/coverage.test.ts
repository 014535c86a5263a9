import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../src/sandbox/operations.ts';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCard,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { ALL_TYPES, fakeReceiver, subscribe } from '../../support/receiver.ts';
import {
  ACME_KEY,
  GLOBEX_KEY,
  type Json,
  newCardholder,
  startSandbox,
  type TestSandbox,
} from '../../support/sandbox.ts';

/** Starts a sandbox whose internal errors fail the test: a refusal without a condition is one. */
async function start(options: Parameters<typeof startSandbox>[0] = {}, respond = () => 200 as number) {
  const bugs: unknown[] = [];
  onTestFinished(() => expect(bugs).toEqual([]));
  const onBug = (error: unknown) => bugs.push(error);
  return startSandbox({ kycDelay: '1h', ...options }, { onBug, transport: fakeReceiver(respond).transport });
}

async function seen({ control }: TestSandbox): Promise<string[]> {
  const { body } = await control('GET', '/coverage');
  return body.conditions.filter(({ count }: Json) => count > 0).map(({ id }: Json) => id);
}

const partnerOperations = operations.filter(({ plane }) => plane === 'partner');

/** Sends a GET request with a body, which `fetch` refuses. */
async function getWithBody({ origin }: TestSandbox, path: string, body: string): Promise<void> {
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  const sent = request(`${origin}/v1${path}`, { headers: { ...headers, 'content-length': body.length } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  await response.resume().toArray();
}

/** Sends each operation what any of them refuses. */
async function refuseEverywhere(sandbox: TestSandbox): Promise<void> {
  const { api, control } = sandbox;
  const everywhere = async (headers: Record<string, string>, body?: string) => {
    for (const { method, path } of partnerOperations) {
      const target = path.replace(/\{\w+\}/, 'unknown_1');
      if (method === 'GET' && body !== undefined) await getWithBody(sandbox, target, body);
      else await api(method, target, body, headers);
    }
  };
  await everywhere({});
  await everywhere({}, '[');
  await everywhere({ 'x-service-api-key': 'sk_test_nobody' });
  await everywhere({ 'x-service-api-key': 'sk_live_nobody' });
  await control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
  await everywhere({ 'x-service-api-key': GLOBEX_KEY });
}

async function createCardholders(sandbox: TestSandbox): Promise<void> {
  const { api, control } = sandbox;
  const create = (fields: Record<string, unknown>) =>
    api('POST', '/partner/cardholders', newCardholder(fields));
  const mint = async (fields: Json) => (await control('POST', '/share-tokens', fields)).body.token;
  const used = await mint({});
  const first = { externalUserId: 'anna', email: 'anna@example.com', idp1ShareToken: used };
  const { body: anna } = await create(first);
  await create({ ...first, idp1ShareToken: 'idp1_test_approve_again' });
  await create({ externalUserId: 'ben', email: 'anna@example.com' });
  await create({ idp1ShareToken: used });
  await create({ idp1ShareToken: 'unknown' });
  await create({ idp1ShareToken: 'idp2_test_approve_other' });
  const expiring = await mint({ expiresIn: '1s' });
  await control('POST', '/clock/advance', { duration: '1s' });
  await create({ idp1ShareToken: expiring });
  await create({
    ...first,
    kycSource: 'idp2',
    idp1ShareToken: undefined,
    idp2ShareToken: 'idp2_test_approve_1',
  });
  await control('POST', `/cardholders/${anna.id}/status`, { status: 'suspended' });
  await create({ ...first, idp1ShareToken: 'idp1_test_approve_more' });

  const { idp1ShareToken: _, ...web } = newCardholder({ kycSource: 'web' });
  const createWeb = (fields: object) => api('POST', '/partner/cardholders', { ...web, ...fields });
  const { body: session } = await api('POST', '/partner/kyc-sessions', {});
  await api('GET', `/partner/kyc-sessions/${session.id}`);
  await createWeb({ kycSessionId: session.id });
  await createWeb({ kycSessionId: 'kycs_unknown' });
  await control('POST', `/kyc-sessions/${session.id}/approve`);
  await createWeb({ kycSessionId: session.id });
  await createWeb({ kycSessionId: session.id });
  await createWeb({ kycSessionId: session.id, externalUserId: 'x', email: 'x@example.com' });

  await create({
    ...first,
    externalUserId: 'locked',
    email: 'l@example.com',
    idp1ShareToken: await mint({}),
  });
  const { body: list } = await api('GET', '/partner/cardholders?externalUserId=locked');
  const locked = list.data[0].id;
  const submit = (id: string, cardProgramId = CARD_PROGRAM) =>
    api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId });
  await submit('ch_unknown');
  await submit(locked, 'prog_unknown');
  await submit(locked);
  await submit(locked);
  const again = { ...first, externalUserId: 'locked', email: 'l@example.com' };
  await create({ ...again, idp1ShareToken: await mint({}) });
  await control('POST', `/cardholders/${locked}/kyc/reject`);
  await submit(locked);
  await control('POST', `/cardholders/${locked}/kyc/approve`);
  await submit(locked);
  await submit(anna.id);
  await api('POST', '/partner/cards', { cardholderId: locked, cardProgramId: CARD_PROGRAM });
  await create({ ...again, idp1ShareToken: await mint({}) });
  await api('GET', `/partner/cardholders/${locked}`);
  await api('GET', '/partner/cardholders?page=2&limit=1');
}

async function useCards(sandbox: TestSandbox): Promise<void> {
  const { api, control } = sandbox;
  const issue = (fields: object) => api('POST', '/partner/cards', { cardProgramId: CARD_PROGRAM, ...fields });
  const submitted = await createSubmittedCardholder(sandbox);
  const suspended = await createApprovedCardholder(sandbox);
  await control('POST', `/cardholders/${suspended}/status`, { status: 'suspended' });
  await issue({ cardholderId: submitted });
  await issue({ cardholderId: suspended });
  await issue({ cardholderId: 'ch_unknown' });
  await issue({ cardholderId: submitted, cardProgramId: 'prog_unknown' });
  const { id } = await createCard(sandbox);
  const move = (name: string) => api('POST', `/partner/cards/${id}/${name}`);
  await move('freeze');
  await move('unfreeze');
  await move('activate');
  await move('activate');
  await move('freeze');
  await move('unfreeze');
  const { body: payment } = await control('POST', '/transactions', { cardId: id, amount: 2 });
  await control('POST', `/cards/${id}/3ds`, {});
  await api('GET', '/partner/transactions');
  await api('GET', `/partner/transactions/${payment.id}`);
  await api('POST', `/partner/cards/${id}/reveal-html`, {});
  await move('cancel');
  await move('cancel');
  await api('POST', `/partner/cards/${id}/reveal-html`, {});
  for (const path of ['cards', `cards/${id}`, 'balance', 'usage/records', 'card-programs']) {
    await api('GET', `/partner/${path}`);
  }
  await api('GET', `/partner/card-programs/${CARD_PROGRAM}`);
}

async function useWebhooks(sandbox: TestSandbox): Promise<void> {
  const { api, control } = sandbox;
  const configure = (config: object, headers = {}) =>
    api('PATCH', '/partner/webhooks/config', config, headers);
  await configure({ webhookUrl: 'https://hooks.example.com' });
  await configure({ webhookUrl: 'http://hooks.example.com' });
  await configure({}, { origin: 'https://evil.example.com' });
  await configure({ subscribedEvents: ['balance.top_up'] });
  await control('POST', '/balance/top-up', { amount: 1 });
  const { body: failed } = await api('GET', '/partner/webhooks/events');
  const { id } = failed.data[0];
  await api('GET', `/partner/webhooks/events/${id}`);
  await subscribe(sandbox);
  await api('POST', `/partner/webhooks/events/${id}/retry`);
  await control('POST', '/deliveries/settle');
  await api('POST', `/partner/webhooks/events/${id}/retry`);
  await control('POST', `/deliveries/${id}/redeliver`);
  for (const eventType of ALL_TYPES) await control('POST', '/events', { eventType });
  await control('POST', '/deliveries/settle');
  await api('GET', '/partner/webhooks/config');
}

/** What would have been accepted instead of each refused request: the first lines, by the status and rule of the refusal. */
async function acceptedByRule({ control }: TestSandbox): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { id } of (await control('GET', '/requests?limit=1000')).body) {
    const { refusal, status, rule, wouldPass } = (await control('GET', `/requests/${id}`)).body;
    if (refusal === null) continue;
    const key = `${status} ${rule.id ?? rule.section}`;
    found.set(key, new Set([...(found.get(key) ?? []), wouldPass[0]]));
  }
  return found;
}

describe('coverage', () => {
  test('reaches every condition, no refusal is without one, and each says what its rule accepts', async () => {
    const sandbox = await start({ rateLimit: 0 });
    await refuseEverywhere(sandbox);
    await createCardholders(sandbox);
    await useCards(sandbox);
    await useWebhooks(sandbox);
    const accepted = await acceptedByRule(sandbox);
    await sandbox.control('PATCH', '/partners/partner_acme/settings', { rateLimitPerMinute: 1 });
    await sandbox.api('GET', '/partner/balance');
    await sandbox.api('GET', '/partner/balance');
    await sandbox.control('POST', '/partners/partner_acme/keys/rotate', {});
    const strict = await start({ assume: { 'kyc-after-rejection': 'refused' } });
    const id = await createSubmittedCardholder(strict);
    await strict.control('POST', `/cardholders/${id}/kyc/reject`);
    await strict.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
    const reached = new Set([...(await seen(sandbox)), ...(await seen(strict))]);
    const { conditions } = (await sandbox.control('GET', '/coverage')).body;
    expect(conditions.filter((each: Json) => !reached.has(each.id)).map(({ id }: Json) => id)).toEqual([]);
    // Each rule says what it would have accepted, and none says what another one does.
    const texts = [...accepted.values(), ...(await acceptedByRule(strict)).values()].flatMap(each => [
      ...each,
    ]);
    expect(texts.filter((text, index) => text === undefined || texts.indexOf(text) !== index)).toEqual([]);
    expect(accepted.size).toBeGreaterThan(15);
  });

  test('names the cause where a status has several, and states what is documented', async () => {
    const { control } = await start();
    const { conditions } = (await control('GET', '/coverage')).body;
    const ids = conditions.map(({ id }: Json) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('cardholders.create 409 CARDHOLDER_KYC_LOCKED card_issued');
    expect(ids).toContain('cardholders.create 409 EMAIL_ALREADY_REGISTERED');
    expect(ids).toContain('cards.get 404');
    expect(conditions.find(({ id }: Json) => id === 'event card.issued')).toEqual({
      id: 'event card.issued',
      kind: 'event',
      section: '6.1',
      fidelity: 'documented',
      count: 0,
      firstAt: null,
    });
  });

  test('counts from the start of the world through resets and rewinds', async () => {
    const sandbox = await start();
    await sandbox.api('GET', '/partner/balance');
    await sandbox.control('POST', '/reset');
    await sandbox.api('GET', '/partner/balance');
    await sandbox.api('POST', '/partner/kyc-sessions', {});
    await sandbox.control('POST', '/rewind', { writes: 1 });
    const { body } = await sandbox.control('GET', '/coverage');
    const found = body.conditions.find(({ id }: Json) => id === 'balance.get 200');
    expect(found).toMatchObject({ kind: 'operation', count: 2, firstAt: '2026-03-15T10:00:00.000Z' });
    expect(body.summary.operations.seen).toBe(2);
  });

  test('sums up the conditions of each kind, and those that are documented', async () => {
    const { api, control } = await startSandbox({ fixtures: ['starter'] });
    await api('GET', '/partner/balance');
    await api('GET', '/partner/cards/card_nobody');
    const { conditions, summary } = (await control('GET', '/coverage')).body;
    const shareOf = (isMeant: (condition: Json) => boolean) => {
      const meant: Json[] = conditions.filter(isMeant);
      return { seen: meant.filter(({ count }) => count > 0).length, of: meant.length };
    };
    expect(summary).toEqual({
      operations: shareOf(({ kind }) => kind === 'operation'),
      refusals: shareOf(({ kind }) => kind === 'refusal'),
      events: shareOf(({ kind }) => kind === 'event'),
      other: shareOf(({ kind }) => kind === 'other'),
      documented: shareOf(({ fidelity }) => fidelity === 'documented'),
    });
    expect([summary.operations.seen, summary.refusals.seen]).toEqual([1, 1]);
    for (const { of } of Object.values<Json>(summary)) expect(of).toBeGreaterThan(0);
  });

  test('counts no response that a fault made', async () => {
    const sandbox = await start();
    for (const fault of ['status=503', 'drop', 'status=409']) {
      await sandbox.api('GET', '/partner/balance', undefined, { 'x-sandbox-fault': fault }).catch(() => null);
    }
    expect(await seen(sandbox)).toEqual([]);
  });

  test('counts no page beyond the first that a fault replaced', async () => {
    const sandbox = await start({ fixtures: ['starter'] });
    const page = (fault: string) =>
      sandbox.api('GET', '/partner/cards?page=2&limit=1', undefined, { 'x-sandbox-fault': fault });
    await page('status=503; when=after');
    expect(await seen(sandbox)).toEqual([]);
    await page('delay=1ms');
    expect(await seen(sandbox)).toEqual(['cards.list 200', 'page-beyond-first']);
  });

  test('counts no webhook whose content a fault changed, and a refused one only as retried', async () => {
    let status = 200;
    const sandbox = await start({}, () => status);
    await subscribe(sandbox, ['balance.top_up']);
    const events = async () => (await seen(sandbox)).filter(id => id.startsWith('event'));
    await sandbox.control('POST', '/webhook-faults', { kind: 'bad_signature', times: 1 });
    await sandbox.control('POST', '/balance/top-up', { amount: 1 });
    await sandbox.control('POST', '/deliveries/settle');
    expect(await events()).toEqual([]);
    status = 500;
    await sandbox.control('POST', '/balance/top-up', { amount: 1 });
    await sandbox.control('POST', '/clock/advance', { duration: '10s' });
    expect(await events()).toEqual(['event-retried']);
    status = 200;
    await sandbox.control('POST', '/clock/advance', { duration: '24h' });
    expect(await events()).toEqual(['event balance.top_up', 'event-retried']);
  });
});
