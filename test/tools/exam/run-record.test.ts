import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRecord } from '../../../src/control/history/record/read.ts';
import type { DisturbancePlan } from '../../../src/sandbox/disturbance/plan.ts';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { RunRecord } from '../../../src/tools/exam/run-record.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { CARD_PROGRAM } from '../../support/cardholders.ts';
import { disturbed } from '../../support/disturbed.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { ACME_KEY } from '../../support/sandbox.ts';

const CREATE = '/partner/cardholders';
const person = (name: string, token = name) => ({
  ...{ externalUserId: name, email: `${name}@example.com`, phoneNumber: '+4915123456789' },
  ...{ kycSource: 'idp1', idp1ShareToken: `idp1_test_approve_${token}` },
});
/** What `sandbox.api` sends besides. */
const LIBRARY = { 'x-sandbox-names': 'documented' };

/** A sandbox that imitated commands call, and what the exam reads of it. */
function examined(
  plan: DisturbancePlan = [],
  options: CoreOptions = {},
  respond?: Parameters<typeof fakeReceiver>[0],
) {
  const sandbox = disturbed(plan, options, fakeReceiver(respond));
  const { api } = sandbox;
  return {
    ...sandbox,
    /** Creates a cardholder whose KYC is pending. */
    pending(name: string): string {
      const { id } = api('POST', CREATE, person(name)).body;
      expect(api('POST', `${CREATE}/${id}/kyc`, { cardProgramId: CARD_PROGRAM }).status).toBe(200);
      return id;
    },
    asLibrary: (method: string, path: string, body?: object) => api(method, path, body, ACME_KEY, LIBRARY),
    /** Reads the records of worlds, of a command that began at a time. */
    async read(worlds: readonly string[] = ['main'], startedAt = 0): Promise<RunRecord> {
      const records = worlds.map(async world => {
        const file = await temporaryFile(`${world}.record.jsonl`);
        const lines = await sandbox.record(world);
        await writeFile(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
        return readRecord(file);
      });
      return new RunRecord(await Promise.all(records), startedAt, new Set(plan.map(({ id }) => id)));
    },
  };
}

test('what a command called are the operations of its app, without those of sandbox.api and refused keys', async () => {
  const { api, asLibrary, read, createWorld } = examined();
  const { id } = api('POST', CREATE, person('mia')).body;
  api('GET', `${CREATE}/${id}`);
  api('GET', '/partner/balance', undefined, 'sk_test_unknown_0123456789abcdef');
  api('GET', '/partner/nothing');
  asLibrary('GET', '/partner/cards');
  const other = await createWorld();
  const { history, operations, isUsed, isEmpty } = await read(['main', other.id]);
  expect(history.called.map(each => each.id)).toEqual(['cardholders.create', 'cardholders.get']);
  expect({ operations, isUsed, isEmpty }).toEqual({ operations: 2, isUsed: true, isEmpty: false });
  expect(history.usesLibrary).toBe(true);
});

test('where no app called, the calls of sandbox.api are those of the command', async () => {
  const { asLibrary, read } = examined();
  asLibrary('GET', '/partner/cards');
  const { history } = await read();
  expect([history.called.map(({ id }) => id), history.usesLibrary]).toEqual([['cards.list'], false]);
  const nothing = await examined().read();
  expect([nothing.isUsed, nothing.isEmpty, nothing.history.called]).toEqual([false, false, []]);
  expect(new RunRecord([], 0).isEmpty).toBe(true);
});

test('a list is open to the records of others unless it is filtered by one person or card', async () => {
  const { api, read } = examined();
  for (const path of ['cards?status=active', 'cardholders?email=mia@example.com', 'usage/records'])
    api('GET', `/partner/${path}`);
  api('GET', '/partner/transactions?limit=3&cardId=card_x');
  expect((await read()).history.openLists).toEqual(['cards.list', 'usage.list']);
});

test('clocks and options count as the own ones of tests only where every world sets them', async () => {
  const own = async (minutes: number, options: CoreOptions = {}) => {
    const { api, control, read } = examined([], options);
    const start = Date.parse((await control('GET', '/clock')).body.now);
    api('GET', '/partner/cards');
    return (await read(['main'], start - minutes * 60_000)).history.ownOptions;
  };
  expect(await own(19)).toEqual([]);
  expect(await own(21)).toEqual(['clock']);
  expect(await own(-21)).toEqual(['clock']);
  expect(await own(0, { kycDelay: '3s' })).toEqual(['kycDelay']);
  const { api, control, createWorld, read } = examined([], { kycDelay: '3s' });
  const start = Date.parse((await control('GET', '/clock')).body.now);
  const world = await createWorld({ kycDelay: '2s' });
  for (const key of [ACME_KEY, world.key]) api('GET', '/partner/cards', undefined, key);
  expect((await read(['main', world.id], start)).history.ownOptions).toEqual([]);
});

test('a clock is the own one of tests where they set the time before every call and webhook', async () => {
  const own = async (
    ...steps: readonly ('set' | 'load' | 'freeze' | 'call' | 'webhook' | 'set-up' | 'reset' | 'restore')[]
  ) => {
    const { api, asLibrary, control, read } = examined([], { forwardTo: 'http://127.0.0.1:9/' });
    const start = Date.parse((await control('GET', '/clock')).body.now);
    const at = new Date(start + 86_400_000).toISOString();
    for (const step of steps) {
      if (step === 'set') await control('POST', '/clock/freeze', { at });
      if (step === 'load') {
        const { body: state } = await control('GET', '/state');
        await control('PUT', '/state', { ...state, clock: { ...state.clock, now: at } });
      }
      if (step === 'freeze') await control('POST', '/clock/freeze', {});
      if (step === 'call') api('GET', '/partner/cards');
      if (step === 'webhook') await control('POST', '/events', { eventType: 'balance.top_up' });
      if (step === 'webhook') await control('POST', '/deliveries/settle', {});
      if (step === 'set-up') asLibrary('GET', '/partner/cards');
      if (step === 'reset') await control('POST', '/reset');
      if (step === 'restore') await control('POST', '/checkpoints/set/restore');
      await control('POST', `/checkpoints/${step}`);
    }
    return (await read(['main'], start)).history.ownOptions;
  };
  expect(await own('set', 'call')).toEqual(['clock']);
  expect(await own('set-up', 'set', 'call')).toEqual(['clock']);
  expect(await own('load', 'call')).toEqual(['clock']);
  expect(await own('set', 'freeze', 'call', 'restore', 'call')).toEqual(['clock']);
  expect(await own('freeze', 'call')).toEqual([]);
  expect(await own('call', 'set', 'call')).toEqual([]);
  expect(await own('webhook', 'set', 'call')).toEqual([]);
  expect(await own('set', 'webhook', 'call')).toEqual(['clock']);
  expect(await own('set', 'call', 'reset', 'call')).toEqual([]);
});

test('a clock runs, is frozen, or was both; a reset, a checkpoint and a loaded state count', async () => {
  const modes = async (freeze: boolean, ...moves: readonly string[]) => {
    const { control, read } = examined([], { freeze });
    await control('POST', '/checkpoints', { name: 'start' });
    for (const move of moves) await control('POST', move);
    return (await read()).history.clocks;
  };
  expect(await modes(true)).toEqual(['frozen']);
  expect(await modes(false)).toEqual(['running']);
  expect(await modes(false, '/clock/freeze')).toEqual(['both']);
  expect(await modes(true, '/clock/resume')).toEqual(['both']);
  // Back to how the clock was made, in a world that has only run, or only stood, since then.
  for (const back of ['/reset', '/checkpoints/start/restore']) {
    expect(await modes(false, back)).toEqual(['running']);
    expect(await modes(true, back)).toEqual(['frozen']);
  }
  // Refused: nothing changes.
  expect(await modes(true, '/clock/advance')).toEqual(['frozen']);
  const { control, read } = examined([], { freeze: false });
  const { body: state } = await control('GET', '/state');
  await control('PUT', '/state', { ...state, clock: { ...state.clock, mode: 'frozen' } });
  expect((await read()).history.clocks).toEqual(['both']);
});

test('a cardholder that is read more than once while its KYC is pending is waited for', async () => {
  const waits = async (reads: number, between: string[] = []) => {
    const { api, control, pending, read } = examined();
    const id = pending('mia');
    for (let count = 0; count < reads; count++) {
      api('GET', `${CREATE}/${id}`);
      for (const path of between) await control('POST', path, { duration: '1m' });
    }
    return (await read()).history.waitsForKyc;
  };
  expect(await waits(1)).toEqual([]);
  expect(await waits(2)).toEqual(['frozen']);
  // Decided after the first read.
  expect(await waits(3, ['/clock/advance'])).toEqual([]);
});

test('the types of webhooks are those that a receiver answered, those of which it accepted one are told, and several count by world', async () => {
  const statuses = [500, 204];
  const { api, control, read } = examined([], {}, ({ event }) =>
    event.eventType === 'cardholder.created' ? 'connection refused' : (statuses.shift() ?? 500),
  );
  await subscribe({ api });
  api('POST', CREATE, person('mia'));
  await control('POST', '/deliveries/settle');
  expect((await read()).history).toMatchObject({ webhooks: [], hasSeveralWebhooks: false });
  await control('POST', '/balance/top-up', { amount: 5 });
  await control('POST', '/deliveries/settle');
  const one = (await read()).history;
  expect([one.webhooks, one.acceptedWebhooks, one.hasSeveralWebhooks]).toEqual([
    ['balance.top_up'],
    [],
    false,
  ]);
  await control('POST', '/balance/top-up', { amount: 5 });
  await control('POST', '/deliveries/settle');
  expect((await read()).history).toMatchObject({
    hasSeveralWebhooks: true,
    acceptedWebhooks: ['balance.top_up'],
  });
});

test('what was created has its request, what disturbed that, its scope, and whether it was undone', async () => {
  const { api, control, pending, read } = examined([
    { id: 'late', faults: [{ drop: true, when: 'after', times: 1 }] },
  ]);
  api('POST', CREATE, person('mia'));
  const lena = pending('lena');
  await control('POST', '/clock/advance', { duration: '1m' });
  const { id: card } = api('POST', '/partner/cards', {
    cardholderId: lena,
    cardProgramId: CARD_PROGRAM,
  }).body;
  api('POST', `/partner/cards/${card}/cancel`);
  await control('POST', '/reset');
  api('POST', CREATE, person('mia'));
  const { created } = await read();
  const [first] = created;
  expect(
    created.map(({ kind, by, ownerName, shape, isUndone }) => [kind, by, ownerName, shape, isUndone]),
  ).toEqual([
    ['cardholder', 'late', 'mia', 'idp1', false],
    ['cardholder', null, 'lena', 'idp1', false],
    ['card', null, 'lena', 'virtual', true],
    ['cardholder', null, 'mia', 'idp1', false],
  ]);
  expect(created.map(({ scope }) => scope === first?.scope)).toEqual([true, true, true, false]);
});

test.each([
  ['is sent again', 201],
  ['is not sent again', null],
])('a request that failed knows whether it %s, and with which result', async (_, repeat) => {
  const { api, control, pending, read } = examined([
    { id: 'lost', faults: [{ operations: ['cards.issue'], drop: true, when: 'before', times: 1 }] },
  ]);
  const id = pending('mia');
  await control('POST', '/clock/advance', { duration: '1m' });
  api('POST', '/partner/cards', { cardholderId: id, cardProgramId: CARD_PROGRAM });
  if (repeat !== null) api('POST', '/partner/cards', { cardholderId: id, cardProgramId: CARD_PROGRAM });
  const record = await read();
  const [call, ...others] = record.failedCallsOf('lost');
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    ...{ by: 'lost', operation: 'cards.issue', request: 'POST /v1/partner/cards' },
    ...{ repeatStatus: repeat, isFollowed: repeat !== null },
  });
  expect(record.strikesOf('lost')).toBe(1);
  expect(record.strikesOf('other')).toBe(0);
  const texts = record.around('lost').map(({ text }) => text);
  expect(texts).toContain('POST /v1/partner/cards -> connection closed');
});

test('another request with the same path follows one that failed, but does not repeat it', async () => {
  const { api, read } = examined([{ id: 'lost', faults: [{ method: 'PATCH', status: 503, times: 1 }] }]);
  api('PATCH', '/partner/webhooks/config', { subscribedEvents: [] });
  api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['card.issued'] });
  expect((await read()).failedCallsOf('lost')).toMatchObject([{ repeatStatus: null, isFollowed: true }]);
});

test('a request that fails again is one failed call, with the last result', async () => {
  const { api, read } = examined([{ id: 'down', faults: [{ status: 503, times: 2 }] }]);
  for (const _ of [1, 2, 3]) api('GET', '/partner/cards?status=active');
  const record = await read();
  expect(record.failedCallsOf('down')).toMatchObject([
    { repeatStatus: 200, isFollowed: true, request: 'GET /v1/partner/cards?status=active' },
  ]);
  expect(record.strikesOf('down')).toBe(2);
  expect(record.around('down').map(({ text }) => text)).toEqual([
    expect.stringMatching(/^GET \/v1\/partner\/cards\?status=active -> 503 \(.+\)$/),
    expect.stringMatching(/-> 503 \(.+\)$/),
    'GET /v1/partner/cards?status=active -> 200',
  ]);
});

test('what happened around the first request is shown from there on, however many follow', async () => {
  const { api, read } = examined([{ id: 'down', faults: [{ status: 503, times: 1 }] }]);
  for (let count = 1; count <= 20; count++) api('GET', `/partner/cards?page=${count}`);
  const [first, ...others] = (await read()).around('down').map(({ text }) => text);
  expect(first).toMatch(/^GET \/v1\/partner\/cards\?page=1 -> 503/);
  expect(others).toEqual([2, 3, 4, 5, 6].map(page => `GET /v1/partner/cards?page=${page} -> 200`));
});

test('a fault of the command itself is shown as its own, and is none of the exam', async () => {
  const { api, control, read } = examined();
  await control('POST', '/faults', { status: 418, times: 1 });
  api('GET', '/partner/cards');
  const record = await read();
  expect(record.around('x').map(({ text }) => text)).toEqual([
    expect.stringMatching(/^GET \/v1\/partner\/cards -> 418 .*\[a fault of the command\]$/),
  ]);
});

test('a call of the control plane that raised a webhook which is held back is a strike, and shown', async () => {
  const plan: DisturbancePlan = [{ id: 'late', webhookFaults: [{ kind: 'delay', whileRunning: true }] }];
  const { api, control, read } = examined(plan, { freeze: false });
  await subscribe({ api });
  await control('POST', '/balance/top-up', { amount: 5 });
  const record = await read();
  expect(record.strikesOf('late')).toBe(1);
  expect(record.around('late').at(-1)).toEqual({
    text: 'POST /_sandbox/balance/top-up -> 200 [held a webhook back]',
    struck: ['late'],
  });
});

test.each<
  [what: string, kind: 'reformatted_body' | 'duplicate', answers: readonly number[], refused: number]
>([
  ['each with other white space', 'reformatted_body', [400, 400], 2],
  ['one with other white space', 'reformatted_body', [400, 200], 1],
  ['none', 'reformatted_body', [200, 200], 0],
  ['each second one', 'duplicate', [200, 409, 200, 409], 2],
  ['no second one', 'duplicate', [200, 200, 200, 200], 0],
])('a receiver that refuses %s of two struck webhooks is told by that', async (_, kind, answers, refused) => {
  const statuses = [...answers];
  const plan: DisturbancePlan = [{ id: 'it', webhookFaults: [{ kind, times: 2 }] }];
  const { api, control, read } = examined(plan, {}, () => statuses.shift() ?? 503);
  await subscribe({ api });
  for (let count = 0; count < 3; count++) {
    await control('POST', '/balance/top-up', { amount: 5 });
    await control('POST', '/deliveries/settle');
  }
  const record = await read();
  const types = new Set(['balance.top_up']);
  expect(record.webhooksOf('it', types)).toEqual({ all: 2, refused });
  // The third one, which nothing strikes, is refused.
  expect(record.webhooksOf(null, types)).toEqual({ all: 3, refused: refused + 1 });
  expect(record.webhooksOf('it', new Set()).all).toBe(0);
  expect(record.webhooksOf('other', types).all).toBe(0);
});

test('a webhook that is accepted in the end was not refused', async () => {
  const statuses = [500, 200];
  const plan: DisturbancePlan = [{ id: 'it', webhookFaults: [{ kind: 'reformatted_body', times: 1 }] }];
  const { api, control, read } = examined(plan, {}, () => statuses.shift() ?? 503);
  await subscribe({ api });
  await control('POST', '/balance/top-up', { amount: 5 });
  await control('POST', '/clock/advance', { duration: '1m' });
  expect((await read()).webhooksOf('it', new Set(['balance.top_up']))).toEqual({ all: 1, refused: 0 });
});

test('what happened around a strike are three before it and five after it, and the last eight without one', async () => {
  const { api, read } = examined([
    { id: 'it', faults: [{ operations: ['balance.get'], status: 500, times: 1 }] },
  ]);
  for (let count = 0; count < 10; count++) api('GET', `/partner/cards?page=${count + 1}`);
  api('GET', '/partner/balance');
  for (let count = 10; count < 20; count++) api('GET', `/partner/cards?page=${count + 1}`);
  const record = await read();
  const pages = (id: string) => record.around(id).map(({ text }) => /page=(\d+)/.exec(text)?.[1]);
  expect(pages('it')).toEqual(['8', '9', '10', undefined, '11', '12', '13', '14', '15']);
  expect(pages('other')).toEqual(['13', '14', '15', '16', '17', '18', '19', '20']);
});

test('a re-import is told from a creation by its result, or by a person that there is already', async () => {
  const { api, read } = examined([{ id: 'down', faults: [{ method: 'POST', status: 503, times: 2 }] }]);
  const calls = () => read().then(({ history }) => history.called.map(({ id }) => id));
  api('POST', CREATE, person('mia'));
  expect(await calls()).toEqual(['cardholders.create']);
  expect(api('POST', CREATE, person('mia')).status).toBe(503);
  expect(api('POST', CREATE, person('mia')).status).toBe(201);
  expect(await calls()).toEqual(['cardholders.create']);
  expect(api('POST', CREATE, { ...person('mia'), email: '' }).status).toBe(400);
  expect(await calls()).toEqual(['cardholders.create', 'cardholders.reimport']);
});

test.each([200, 409])('a re-import of a person of a loaded state is told by its status %i', async status => {
  const { api, control, read } = examined();
  const { id } = api('POST', CREATE, person('mia')).body;
  if (status === 409) {
    api('POST', `${CREATE}/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
    await control('POST', '/clock/advance', { duration: '1m' });
  }
  const { body: state } = await control('GET', '/state');
  await control('PUT', '/state', state);
  expect(api('POST', CREATE, person('mia', 'again')).status).toBe(status);
  expect((await read()).history.called.map(each => each.id)).toContain('cardholders.reimport');
});

test.each<[what: string, answer: number | string, genuine: number | string, expected: object]>([
  ['a status', 401, 200, { status: 401, mayHaveArrived: true, isUnanswered: false, isBesideAccepted: true }],
  ['the same refusal', 401, 401, { status: 401, isBesideAccepted: false }],
  [
    'nothing, and is there for the genuine one',
    'connection reset',
    200,
    { mayHaveArrived: true, isUnanswered: true },
  ],
  ['nothing, to both', 'connection reset', 'connection reset', { mayHaveArrived: true, isUnanswered: false }],
  [
    'nothing in time',
    'timed out after 10 s',
    'connection refused',
    { mayHaveArrived: true, isUnanswered: true },
  ],
  ['no connection', 'connection refused', 200, { mayHaveArrived: false, isUnanswered: false }],
])(
  'an additional webhook to which a receiver gives %s is judged by that',
  async (_, answer, genuine, expected) => {
    const plan: DisturbancePlan = [
      { id: 'forged', webhookFaults: [{ kind: 'missing_signature', extra: true, times: 1 }] },
    ];
    const isForged = (headers: Readonly<Record<string, string>>) =>
      headers['X-Service-Signature'] === undefined;
    const { api, control, read } = examined(plan, {}, ({ headers }) =>
      isForged(headers) ? answer : genuine,
    );
    await subscribe({ api });
    await control('POST', '/balance/top-up', { amount: 5 });
    await control('POST', '/deliveries/settle');
    const record = await read();
    expect(record.extrasOf('forged')).toMatchObject([expected]);
    expect(record.extrasOf('other')).toEqual([]);
    expect(record.around('forged')[1]?.text).toMatch(
      /^additional webhook of balance\.top_up \[missing_signature\] -> /,
    );
  },
);
