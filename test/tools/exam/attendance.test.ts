import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { attendedSandbox, hooksOf } from '../../../src/server/in-process/attended.ts';
import {
  Attendance,
  attendExam,
  EXAM_VARIABLE,
  placeOrder,
  type Strikes,
  strikesIn,
} from '../../../src/tools/exam/attendance.ts';
import { catalogue } from '../../../src/tools/exam/catalogue/catalogue.ts';
import type { Disturbance } from '../../../src/tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../src/tools/exam/run-record.ts';
import { manualTime } from '../../support/manual-time.ts';
import { fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { ACME_KEY, type Json } from '../../support/sandbox.ts';

/** Strikes that are kept until the end of the test. */
function newStrikes(): Strikes {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-strikes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return strikesIn(folder);
}

/** A sandbox under a disturbance. Those of one run share their strikes. */
function attended(
  disturbance: Disturbance,
  strikes = newStrikes(),
  record = new RunRecord(),
  { realTime } = manualTime(),
) {
  const attendance = new Attendance(disturbance, record, strikes);
  const { transport, seen } = fakeReceiver();
  const core = createSandboxCore(
    { fixtures: ['empty'], clock: '2026-03-15T10:00:00Z', freeze: true, ...attendance.options },
    { ...hooksOf(attendance), transport },
  );
  onTestFinished(() => core.stop());
  attendance.attach({ ...attendedSandbox(core, 'token'), after: realTime.after });
  const request = (prefix: string, method: string, path: string, body?: object, headers = {}) => {
    const [pathname = '', query = ''] = path.split('?');
    return {
      method,
      path: prefix + pathname,
      query,
      remoteAddress: '127.0.0.1',
      headers: {
        host: 'localhost',
        'x-service-api-key': ACME_KEY,
        'content-type': 'application/json',
        ...headers,
      },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    };
  };
  const parsed = ({ status, body, drop }: { status: number; body: string; drop?: true }) => ({
    status,
    drop,
    body: JSON.parse(body || 'null') as Json,
  });
  return {
    record,
    seen,
    api: (method: string, path: string, body?: object, headers = {}) =>
      parsed(core.handle(request('/v1', method, path, body, headers))),
    control: async (method: string, path: string, body?: object) =>
      parsed(await core.control(request('/_sandbox', method, path, body))),
  };
}

const CREATE = '/partner/cardholders';
const person = (name: string) => ({
  externalUserId: name,
  email: `${name}@example.com`,
  phoneNumber: '+4915123456789',
  kycSource: 'idp1',
  idp1ShareToken: `idp1_test_approve_${name}`,
});

test('a fault is armed again after a reset, as often as it may still apply', async () => {
  const { api, control, record } = attended({ faults: [{ status: 503, times: 1 }] });
  await control('POST', '/reset');
  expect(api('GET', '/partner/cards').status).toBe(503);
  expect(api('GET', '/partner/cards').status).toBe(200);
  await control('POST', '/reset');
  expect(api('GET', '/partner/cards').status).toBe(200);
  expect(record.hits).toBe(1);
  expect(record.history.called.map(({ id }) => id)).toEqual(['cards.list']);
});

test('a fault does not strike again after a checkpoint from before it is restored', async () => {
  const { api, control } = attended({ faults: [{ status: 503, times: 2 }] });
  await control('POST', '/checkpoints/start');
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    await control('POST', '/checkpoints/start/restore');
    statuses.push(api('GET', '/partner/cards').status);
  }
  expect(statuses).toEqual([503, 503, 200, 200]);
  await control('POST', '/checkpoints/start/restore');
  expect((await control('GET', '/faults')).body).toEqual([]);
});

test('what strikes once a run does not strike in each sandbox of the run', () => {
  const strikes = newStrikes();
  const faults = [{ status: 503, times: 1 }];
  const statuses = [1, 2, 3].map(() => attended({ faults }, strikes).api('GET', '/partner/cards').status);
  expect(statuses).toEqual([503, 200, 200]);
});

test('a fault that lasts strikes for its time from its first strike on, once a run', async () => {
  const strikes = newStrikes();
  const time = manualTime();
  const faults = [{ status: 503, lastsMs: 300 }];
  const { api, control } = attended({ faults }, strikes, new RunRecord(), time);
  const status = () => api('GET', '/partner/cards').status;
  time.pass(1_000);
  expect([status(), status()]).toEqual([503, 503]);
  time.pass(299);
  expect(status()).toBe(503);
  time.pass(1);
  expect(status()).toBe(200);
  await control('POST', '/reset');
  expect(status()).toBe(200);
  expect(attended({ faults }, strikes).api('GET', '/partner/cards').status).toBe(200);
});

test('a fault that lasts ends in each sandbox that was created before its first strike', () => {
  const [strikes, time] = [newStrikes(), manualTime()];
  const faults = [{ status: 429, lastsMs: 1_000 }];
  const sandboxes = [1, 2].map(() => attended({ faults }, strikes, new RunRecord(), time));
  const statuses = () => sandboxes.map(({ api }) => api('GET', '/partner/cards').status);
  expect(statuses()).toEqual([429, 429]);
  time.pass(1_000);
  expect(statuses()).toEqual([200, 200]);
});

test('a fault that lasts ends earlier when its times are used up', () => {
  const { api } = attended({ faults: [{ status: 503, times: 2, lastsMs: 300 }] });
  const statuses = [1, 2, 3].map(() => api('GET', '/partner/cards').status);
  expect(statuses).toEqual([503, 503, 200]);
});

test('each webhook is sent again once the next one has arrived', async () => {
  const { api, control, seen, record } = attended({ repeatsWebhooks: true });
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
  for (const name of ['one', 'two', 'three']) {
    api('POST', CREATE, person(name));
    await control('POST', '/deliveries/settle');
  }
  expect(seen.map(({ event }) => event.data.externalUserId)).toEqual(['one', 'two', 'one', 'three', 'two']);
  expect(record.hits).toBe(2);
  expect(record.around().map(({ text }) => text)).toContain('webhook cardholder.created [sent again] -> 200');
});

test('KYC is slow only for tests that read a pending cardholder more than once, on a frozen clock', async () => {
  const slow = catalogue.find(({ id }) => id === 'kyc-slow');
  const { api, control, record } = attended({ kycDelay: '6s' });
  const { id } = api('POST', CREATE, person('one')).body;
  const cardProgramId = api('GET', '/partner/card-programs').body.data[0].id;
  api('POST', `${CREATE}/${id}/kyc`, { cardProgramId });
  const read = () => api('GET', `${CREATE}/${id}`).body.kycStatus;
  expect(read()).toBe('pending');
  expect(slow?.disturb(record.history)).toMatch(/^no cardholder was read more than once/);
  expect(read()).toBe('pending');
  expect(slow?.disturb(record.history)).toEqual({ kycDelay: '6s' });
  expect(slow?.disturb({ ...record.history, isFrozen: false })).toMatch(/the clock runs/);
  record.addOwnOption('kycDelay');
  expect(slow?.disturb(record.history)).toBe('the tests choose how long KYC takes');
  await control('POST', '/clock/advance', { by: '5s' });
  expect(read()).toBe('pending');
});

test('tests that read pending cardholders once in each sandbox, or with sandbox.api, do not wait for KYC', async () => {
  const record = new RunRecord();
  const readOnce = (headers = {}) => {
    const { api } = attended({}, newStrikes(), record);
    const { id } = api('POST', CREATE, person('one')).body;
    const cardProgramId = api('GET', '/partner/card-programs').body.data[0].id;
    api('POST', `${CREATE}/${id}/kyc`, { cardProgramId });
    const read = () => api('GET', `${CREATE}/${id}`, undefined, headers);
    expect(read().body.kycStatus).toBe('pending');
    return read;
  };
  readOnce();
  readOnce();
  const readAgain = readOnce({ 'x-sandbox-names': 'neutral' });
  readAgain();
  expect(record.history.waitsForKyc).toBe(false);
});

test('a sandbox in a process of the command notes the options that its tests set', async () => {
  const order = await placeOrder({});
  onTestFinished(() => order.remove());
  const record = new RunRecord();
  const sandbox = (options: Parameters<typeof attendExam>[0]) =>
    attendExam(options, { [EXAM_VARIABLE]: order.file });
  sandbox({});
  await order.readInto(record);
  expect(record.history.ownOptions).toEqual([]);
  sandbox({ clock: '2026-03-15T10:00:00Z', kycDelay: '1s' });
  await order.readInto(record);
  expect(record.history.ownOptions).toEqual(['clock', 'kycDelay']);
});

test('faults of the command act, and the misbehaviour strikes where they do not', async () => {
  const { api, control, seen, record } = attended({
    faults: [{ unknownFields: true }],
    webhookFaults: [{ kind: 'duplicate' }],
  });
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
  await control('POST', '/faults', { method: 'POST', status: 503, times: 1 });
  await control('POST', '/webhook-faults', { kind: 'missing_signature', times: 1 });
  expect(api('POST', CREATE, person('one')).status).toBe(503);
  expect(api('POST', CREATE, person('one')).body).toHaveProperty('futureText');
  expect(api('POST', CREATE, person('two')).status).toBe(201);
  await control('POST', '/deliveries/settle');
  const signed = seen.map(({ headers }) => 'X-Service-Signature' in headers);
  expect(signed.toSorted()).toEqual([false, true, true]);
  expect(record.hits).toBe(4);
});

test('a crowd comes after the first cardholder, and no webhook reports it', async () => {
  const crowd = [{ firstName: '美咲' }, { firstName: "D'Arcy" }];
  const { api, control, seen } = attended({ crowd });
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created', 'card.issued'],
  });
  api('POST', CREATE, person('one'));
  api('POST', CREATE, person('two'));
  await control('POST', '/deliveries/settle');
  const names = api('GET', CREATE).body.data.map((each: Json) => each.firstName);
  expect(names.slice(1, 3)).toEqual(["D'Arcy", '美咲']);
  expect(names).toHaveLength(4);
  expect(seen.map(({ event }) => event.data.externalUserId)).toEqual(['one', 'two']);
  expect(api('GET', '/partner/webhooks/config').body.subscribedEvents).toHaveLength(2);
});

test('what a request created is noted, although its response was lost', async () => {
  const { api, control, record } = attended({ faults: [{ drop: true, when: 'after', times: 1 }] });
  api('POST', CREATE, person('one'));
  const { id: cardholderId } = api('GET', `${CREATE}?externalUserId=one`).body.data[0];
  const cardProgramId = api('GET', '/partner/card-programs').body.data[0].id;
  api('POST', `${CREATE}/${cardholderId}/kyc`, { cardProgramId });
  await control('POST', `/cardholders/${cardholderId}/kyc/approve`, {});
  const { id } = api('POST', '/partner/cards', { cardholderId, cardProgramId }).body;
  api('POST', '/partner/cards', { cardholderId, cardProgramId });
  api('POST', `/partner/cards/${id}/cancel`);
  await control('POST', '/reset');
  api('POST', CREATE, person('one'));
  const [person1, card1, card2, person2] = record.created;
  expect(person1).toMatchObject({ kind: 'cardholder', id: cardholderId, isAffected: true });
  expect(card1).toMatchObject({ kind: 'card', ownerName: 'one', isAffected: false, isUndone: true });
  expect(card2).toMatchObject({ kind: 'card', content: card1?.content, isUndone: false });
  expect(card2?.call).toMatch(/^req_/);
  expect(person2?.scope).not.toBe(person1?.scope);
});

test('a request that failed is found again by its body, and what happened around it is kept', async () => {
  const { api, control, record } = attended({
    faults: [
      { method: 'POST', drop: true, when: 'after', times: 1 },
      { method: 'GET', status: 503, times: 2 },
    ],
  });
  api('POST', CREATE, person('one'));
  api('POST', CREATE, person('two'));
  api('GET', '/partner/cards');
  api('POST', CREATE, person('one'));
  api('GET', '/partner/cards?page=2');
  expect(record.failedCalls).toMatchObject([
    { operation: 'cardholders.create', repeatStatus: 400 },
    { operation: 'cards.list', repeatStatus: null },
    { operation: 'cards.list', repeatStatus: null },
  ]);
  expect(record.failedCalls[2]?.happenings.map(({ text }) => text.slice(0, 45))).toEqual([
    'POST /v1/partner/cardholders -> 201',
    expect.stringMatching(/^GET .*cards -> 503/),
    expect.stringMatching(/^POST .* -> 400/),
    expect.stringMatching(/page=2 -> 503/),
  ]);
  await control('POST', '/reset');
  api('GET', '/partner/cards');
  expect(record.failedCalls.map(({ repeatStatus }) => repeatStatus)).toEqual([400, null, null]);
});

test('requests of different sandboxes with equal ids are not mistaken for each other', () => {
  const lost: Disturbance = { faults: [{ drop: true, when: 'after', times: 1 }] };
  const { api, record } = attended(lost);
  api('POST', CREATE, person('one'));
  api('POST', CREATE, person('one'));
  const other = attended(lost, newStrikes(), record);
  other.api('POST', CREATE, person('one'));
  expect(record.failedCalls.map(({ repeatStatus }) => repeatStatus)).toEqual([400, null]);
});

test('keys are rotated, and the old one works', async () => {
  const { api, control } = attended({ rotatesKeys: true });
  const [partner] = (await control('GET', '/partners')).body;
  expect(partner.apiKey).not.toBe(ACME_KEY);
  expect(api('GET', '/partner/cards').status).toBe(200);
});

test('every misbehaviour can be applied, whatever was called', async () => {
  const { history } = attended({}).record;
  for (const each of catalogue) expect(each.disturb(history), each.id).toMatch(/^(no|none|[A-Z]+ \/)/);
  const called = [
    ['GET', '/partner/cards'],
    ['GET', '/partner/cardholders'],
    ['POST', CREATE],
  ];
  const used = attended({});
  used.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
  called.push(['GET', '/partner/usage/records'], ['GET', '/partner/transactions']);
  for (const [method = '', path = ''] of called) used.api(method, path, person('one'));
  await used.control('POST', '/deliveries/settle');
  const disturbances = catalogue.map(each => each.disturb(used.record.history));
  const changes = disturbances.filter(each => typeof each !== 'string');
  expect(changes.length).toBeGreaterThan(29);
  const strikes = newStrikes();
  for (const { options, fixture, ...armed } of changes) {
    const core = createSandboxCore({
      ...options,
      fixtures: ['starter', ...(fixture === undefined ? [] : [new BuiltFixture('exam', fixture)])],
    });
    expect(() =>
      new Attendance(armed, new RunRecord(), strikes).attach(attendedSandbox(core, 'token')),
    ).not.toThrow();
    core.stop();
    expect(options === undefined && fixture === undefined && Object.keys(armed).length === 0).toBe(false);
  }
});

test('requests of sandbox.api are spared where the app has a client of its own', async () => {
  await using sandbox = createSandbox();
  await sandbox.faults.add({ status: 503, sparesLibrary: true });
  expect(await sandbox.api.balance.get()).toMatchObject({ currency: 'EUR' });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  expect((await sandbox.fetch('/v1/partner/balance', { headers })).status).toBe(503);
  const { record, api } = attended({});
  api('GET', '/partner/cards');
  expect(record.history).toMatchObject({ usesLibrary: false, called: [{ id: 'cards.list' }] });
  api('GET', '/partner/balance', undefined, { 'x-sandbox-names': 'neutral' });
  expect(record.history).toMatchObject({ usesLibrary: true, called: [{ id: 'cards.list' }] });
});

test('requests of sandbox.api are examined where there are no others', () => {
  const { record, api } = attended({});
  api('GET', '/partner/balance', undefined, { 'x-sandbox-names': 'neutral' });
  expect(record.history).toMatchObject({ usesLibrary: false, called: [{ id: 'balance.get' }] });
});

test('the people that the sandbox generates can have other names', () => {
  const people = [{ firstName: 'Zoë', lastName: "O'Brien" }];
  expect(attended({ people }).api('POST', CREATE, person('one')).body).toMatchObject(people[0] ?? {});
});

test('a request that is sent again sooner than Retry-After says is noted', () => {
  const { record, api } = attended({ faults: [{ status: 429, retryAfter: 60, times: 1 }] });
  expect(api('GET', '/partner/cards').status).toBe(429);
  expect(record.earlyRepeats).toEqual([]);
  expect(api('GET', '/partner/cards').status).toBe(200);
  expect(record.earlyRepeats).toEqual(['GET /v1/partner/cards']);
});

test('what sandboxes in processes of the command note is read as they noted it, and half a line is not', async () => {
  const disturbance: Disturbance = {
    faults: [{ drop: true, when: 'after', times: 1 }],
    repeatsWebhooks: true,
  };
  const order = await placeOrder(disturbance);
  onTestFinished(() => order.remove());
  expect(JSON.parse(readFileSync(order.file, 'utf8'))).toEqual(disturbance);
  const attendant = attendExam({ kycDelay: '1s' }, { [EXAM_VARIABLE]: order.file });
  if (attendant === null) throw new Error('the sandbox is not attended');
  const { transport } = fakeReceiver();
  const core = createSandboxCore({ fixtures: ['empty'], freeze: true }, { ...hooksOf(attendant), transport });
  onTestFinished(() => core.stop());
  attendant.attach(attendedSandbox(core, 'token'));
  const api = (method: string, path: string, body?: object) =>
    core.handle({
      method,
      path: `/v1${path}`,
      query: '',
      remoteAddress: '127.0.0.1',
      headers: { host: 'localhost', 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    });
  const config = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['cardholder.created'] };
  api('PATCH', '/partner/webhooks/config', config);
  api('PATCH', '/partner/webhooks/config', config);
  const created = api('POST', CREATE, person('one'));
  const { id } = JSON.parse(created.body) as Json;
  await core.control({
    method: 'POST',
    path: '/_sandbox/deliveries/settle',
    query: '',
    remoteAddress: '127.0.0.1',
    headers: { host: 'localhost' },
    body: Buffer.from(''),
  });
  const folder = join(order.file, '..');
  const [notes = ''] = readdirSync(folder).filter(name => name.endsWith('.notes.jsonl'));
  appendFileSync(join(folder, notes), '["addFreeze"');
  writeFileSync(join(folder, 'other.txt'), 'not a note');
  const record = new RunRecord();
  await order.readInto(record);
  expect(record.history).toMatchObject({
    isFrozen: true,
    ownOptions: ['kycDelay'],
    webhooks: ['cardholder.created'],
    called: [{ id: 'webhooks.updateConfig' }, { id: 'cardholders.create' }],
  });
  expect(record.hits).toBe(1);
  expect(record.created).toMatchObject([{ kind: 'cardholder', id, ownerName: 'one', isUndone: false }]);
  expect(record.failedCalls).toMatchObject([{ operation: 'webhooks.updateConfig', repeatStatus: 200 }]);
  expect(order.strikes.count('fault-0')).toBe(1);
  await order.remove();
  expect(existsSync(folder)).toBe(false);
});

test('a sandbox that no exam started is not attended', () => {
  expect(attendExam({}, {})).toBeNull();
  expect(attendExam({}, { [EXAM_VARIABLE]: '' })).toBeNull();
});

test('of a request, only failures by the misbehaviour can be repeated', () => {
  const { api, record } = attended({ faults: [{ unknownFields: true }] });
  api('GET', '/partner/cards/card_nobody');
  api('GET', '/partner/cards/card_nobody');
  expect(record.failedCalls).toEqual([]);
  expect(record.hits).toBe(2);
});

test('a crowd is created once for each kind of record, and not for those that are refused', () => {
  const { api } = attended({ crowd: [{}] });
  api('POST', CREATE, { externalUserId: 'one' });
  expect(api('GET', CREATE).body.total).toBe(0);
  api('GET', '/partner/cards');
  expect(api('GET', CREATE).body.total).toBe(0);
  api('POST', CREATE, person('one'));
  expect(api('GET', CREATE).body.total).toBe(2);
  api('POST', CREATE, person('two'));
  expect(api('GET', CREATE).body.total).toBe(3);
});

test('keys are rotated once, not again after a checkpoint is restored', async () => {
  const { control } = attended({ rotatesKeys: true });
  const keyNow = async () => (await control('GET', '/partners')).body[0].apiKey;
  const rotated = await keyNow();
  await control('POST', '/checkpoints/start');
  await control('POST', '/checkpoints/start/restore');
  expect(await keyNow()).toBe(rotated);
  await control('POST', '/reset');
  expect(await keyNow()).not.toBe(ACME_KEY);
});

test('a sandbox without a frozen clock is noted only once it is frozen', async () => {
  const { control, record } = attended({ options: { freeze: false } as object });
  expect(record.history.isFrozen).toBe(false);
  await control('POST', '/clock/freeze', {});
  expect(record.history.isFrozen).toBe(true);
});
