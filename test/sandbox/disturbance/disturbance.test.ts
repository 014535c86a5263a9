import { expect, test } from 'vitest';
import type { DisturbancePlan } from '../../../src/sandbox/disturbance/plan.ts';
import { disturbed } from '../../support/disturbed.ts';
import { fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, START } from '../../support/sandbox.ts';

const person = (name: string) => ({
  externalUserId: name,
  email: `${name}@example.com`,
  phoneNumber: '+4915123456789',
  kycSource: 'idp1',
  idp1ShareToken: `idp1_test_approve_${name}`,
});

const CREATE = '/partner/cardholders';
const LIST = ['GET', '/partner/cards'] as const;
const once = (effect: object) => [{ id: 'fault', faults: [{ ...effect, times: 1 }] }];

test('what strikes once strikes once in each world: the first, a new one, a copy and one of a document', async () => {
  const { api, createWorld, control, marks } = disturbed(once({ status: 503 }));
  const { body: state } = await control('GET', '/state');
  const worlds = [
    { id: 'main', key: ACME_KEY },
    await createWorld(),
    await createWorld({ fixtures: ['starter'] }),
    await createWorld({ from: 'main' }),
    await createWorld({ state }),
  ];
  for (const { id, key } of worlds) {
    const statuses = [1, 2].map(() => api(...LIST, undefined, key).status);
    expect(statuses, id).toEqual([503, 200]);
    expect(await marks(id)).toEqual(['fault']);
  }
});

test('no reset, rewind, checkpoint or document ends a disturbance, and no list of faults shows it', async () => {
  const { api, control, marks } = disturbed([{ id: 'fault', faults: [{ status: 503, times: 5 }] }]);
  await control('POST', '/checkpoints/start');
  const { body: state } = await control('GET', '/state');
  expect(JSON.stringify(state)).not.toContain('503');
  const ways = [
    () => control('POST', '/reset'),
    () => control('POST', '/checkpoints/start/restore'),
    () => control('PUT', '/state', state),
    () => control('DELETE', '/faults'),
  ];
  for (const go of ways) {
    expect((await go()).status).toBe(204);
    expect(api(...LIST).status).toBe(503);
  }
  expect((await control('POST', '/rewind', { steps: 1 })).status).toBe(200);
  expect(api(...LIST).status).toBe(503);
  expect(api(...LIST).status).toBe(200);
  expect((await control('GET', '/faults')).body).toEqual([]);
  expect(await marks()).toHaveLength(4);
});

test('where both would act on one request or delivery, the fault of the user does', async () => {
  const { api, control, marks, seen } = disturbed([
    { id: 'api', faults: [{ status: 503, times: 1 }] },
    { id: 'webhook', webhookFaults: [{ kind: 'drop', times: 1 }] },
  ]);
  await control('POST', '/faults', { status: 418, times: 1 });
  expect([1, 2, 3].map(() => api(...LIST).status)).toEqual([418, 503, 200]);
  const webhooks = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
  api('PATCH', '/partner/webhooks/config', webhooks);
  await control('POST', '/webhook-faults', { kind: 'missing_signature', times: 1 });
  for (let count = 0; count < 2; count++) await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  expect(seen).toHaveLength(1);
  expect(seen[0]?.headers).not.toHaveProperty('X-Service-Signature');
  expect(await marks()).toEqual(['api', 'webhook']);
});

test('a fault that lasts ends after its time, and earlier when its times are used up', () => {
  const lasting = (times?: number) =>
    disturbed([{ id: 'it', faults: [{ status: 503, lastsMs: 300, ...(times && { times }) }] }]);
  const { api, pass } = lasting();
  expect(api(...LIST).status).toBe(503);
  pass(299);
  expect(api(...LIST).status).toBe(503);
  pass(1);
  expect(api(...LIST).status).toBe(200);
  const limited = lasting(2);
  expect([1, 2, 3].map(() => limited.api(...LIST).status)).toEqual([503, 503, 200]);
});

test.each([
  { what: 'lost before', effect: { drop: true }, results: ['lost', 400, 400, 'lost', 201, 201] },
  {
    what: 'lost after',
    effect: { drop: true, when: 'after' },
    results: ['lost', 400, 400, 'lost', 400, 201],
  },
  {
    what: '429, and only one',
    effect: { status: 429, retryAfter: 1 },
    results: [429, 400, 400, 201, 400, 201],
  },
])('of requests that are refused each is struck until one is not: $what', ({ effect, results }) => {
  const { api } = disturbed(once({ operations: ['cardholders.create'], ...effect }));
  const refused = { ...person('ada'), email: 'ada' };
  const requests = [refused, refused, refused, person('ada'), person('ada'), person('bob')];
  const seen = requests.map(body => {
    const { status, drop } = api('POST', CREATE, body);
    return drop ? 'lost' : status;
  });
  expect(seen).toEqual(results);
});

test('of many refused requests a fault strikes the first ones alone', () => {
  const { api } = disturbed(once({ status: 503 }));
  const cards = Array.from({ length: 12 }, (_, index) => ['GET', `/partner/cards/none_${index}`] as const);
  const statuses = cards.map(card => [api(...card).status, api(...card).status]);
  expect(statuses.filter(([first]) => first === 503)).toHaveLength(11);
  expect(statuses.at(-1)).toEqual([404, 404]);
});

test('a re-import is struck apart from the creation, and the repeat of a lost creation is none', () => {
  const lose = (operations: string[], when: 'before' | 'after') =>
    disturbed([{ id: 'lost', faults: [{ operations, drop: true, when, times: 1 }] }]);
  for (const when of ['before', 'after'] as const) {
    const { api } = lose(['cardholders.reimport'], when);
    expect(api('POST', CREATE, person('ada')).drop).toBeUndefined();
    expect(api('POST', CREATE, person('bob')).drop).toBeUndefined();
    const corrected = { ...person('ada'), idp1ShareToken: 'idp1_test_approve_again' };
    expect(api('POST', CREATE, corrected).drop).toBe(true);
    const repeated = api('POST', CREATE, { ...corrected, idp1ShareToken: 'idp1_test_approve_third' });
    expect(repeated).toMatchObject({ status: 200, drop: undefined });
  }
  const { api } = disturbed(
    ['cardholders.create', 'cardholders.reimport'].map(operation => ({
      id: operation,
      faults: [{ operations: [operation], drop: true as const, when: 'after' as const, times: 1 }],
    })),
  );
  const [lost, repeated, corrected] = ['first', 'new', 'third'].map(token =>
    api('POST', CREATE, { ...person('ada'), idp1ShareToken: `idp1_test_approve_${token}` }),
  );
  expect(lost?.drop).toBe(true);
  expect(repeated).toMatchObject({ status: 200, drop: undefined });
  expect(corrected?.drop).toBe(true);
});

test('requests of the client of this package are left alone where they are to be', async () => {
  const spare = (sparesLibrary?: true) =>
    disturbed([{ id: 'it', faults: [{ status: 503 }], ...(sparesLibrary && { sparesLibrary }) }]);
  const ofLibrary = { 'x-sandbox-names': 'neutral' };
  const spared = spare(true);
  expect(spared.api(...LIST, undefined, ACME_KEY, ofLibrary).status).toBe(200);
  expect(spared.api(...LIST).status).toBe(503);
  expect(await spared.marks()).toEqual(['it']);
  expect(spare().api(...LIST, undefined, ACME_KEY, ofLibrary).status).toBe(503);
});

test('additional records and a crowd are in each world that they fit, and marked where they are shown', async () => {
  const cardholder = {
    id: 'ch_added',
    externalUserId: 'added',
    email: 'added@example.com',
    phoneNumber: null,
  };
  const { api, createWorld, marks, control } = disturbed([
    { id: 'added', fixture: { cardholders: [cardholder] } },
    { id: 'crowd', crowd: [{ firstName: 'Zoë' }, {}] },
  ]);
  const own = await createWorld({ fixtures: ['empty', { cardholders: [{ ...cardholder, id: 'ch_own' }] }] });
  const ids = (key: string) => api('GET', CREATE, undefined, key).body.data.map((each: Json) => each.id);
  expect(ids(own.key)).toEqual(['ch_own']);
  expect(await marks(own.id)).toEqual([]);
  const { id, key } = await createWorld({ fixtures: ['empty'] });
  expect(ids(key)).toEqual(['ch_added']);
  const webhooks = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['cardholder.created'] };
  api('PATCH', '/partner/webhooks/config', webhooks, key);
  expect(api('POST', CREATE, {}, key).status).toBe(400);
  expect(ids(key)).toHaveLength(1);
  for (const name of ['ada', 'bob']) expect(api('POST', CREATE, person(name), key).status).toBe(201);
  expect(ids(key)).toHaveLength(5);
  expect(api('GET', `${CREATE}?externalUserId=ada`, undefined, key).body.total).toBe(1);
  expect(await marks(id)).toEqual(['added', 'added', 'added', 'crowd']);
  expect((await control('GET', '/deliveries', undefined, id)).body).toHaveLength(2);
});

test('options apply to worlds that do not set them, and are marked at the first response that shows them', async () => {
  const { api, createWorld, marks } = disturbed([
    { id: 'clock', options: { clock: '2028-02-29T12:00:00.000Z' } },
    { id: 'ids', options: { idLength: 64 } },
    { id: 'names', people: [{ firstName: '美咲', lastName: '鈴木' }] },
  ]);
  const own = await createWorld({ clock: START });
  for (const { id, key } of [{ id: 'main', key: ACME_KEY }, await createWorld(), own]) {
    expect(api('GET', '/partner/webhooks/config', undefined, key).status).toBe(200);
    expect(await marks(id)).toEqual([]);
    const { body } = api('POST', CREATE, person('ada'), key);
    expect(body.id).toHaveLength(64);
    expect(body.firstName).toBe('美咲');
    const isOwn = id === own.id;
    expect(body.createdAt.slice(0, 10)).toBe(isOwn ? START.slice(0, 10) : '2028-02-29');
    expect(await marks(id)).toEqual(isOwn ? ['ids', 'names'] : ['clock', 'ids', 'names']);
  }
});

test('a clock does not show in a time that a fixture has fixed', async () => {
  const clock = '2028-02-29T12:00:00.000Z';
  const cardholders = [{ id: 'ch_ada', externalUserId: 'ada', createdAt: '2020-01-15T10:00:00.000Z' }];
  const { api, createWorld, marks } = disturbed([{ id: 'clock', options: { clock } }]);
  const { id, key } = await createWorld({ fixtures: ['empty', { cardholders }] });
  expect(api('GET', CREATE, undefined, key).body.data).toMatchObject([
    { createdAt: cardholders[0]?.createdAt },
  ]);
  expect(await marks(id)).toEqual([]);
  expect(api('GET', '/partner/balance', undefined, key).body).toMatchObject({ updatedAt: clock });
  expect(await marks(id)).toEqual(['clock']);
});

test('a key is rotated under its partner once, and a request with the old one is marked', async () => {
  const { api, createWorld, control, marks } = disturbed([{ id: 'key', rotatesKeys: true }]);
  const world = await createWorld();
  for (const { id, key } of [{ id: 'main', key: ACME_KEY }, world]) {
    expect(api(...LIST, undefined, key).status).toBe(200);
    const current = (await control('GET', '/partners', undefined, id)).body[0].apiKey;
    expect(current).not.toBe(key);
    expect(api(...LIST, undefined, current).status).toBe(200);
    await control('POST', '/reset', undefined, id);
    expect(api(...LIST, undefined, key).status).toBe(200);
    expect(await marks(id)).toEqual(['key', 'key']);
  }
});

test('slow KYC is marked where a cardholder is shown that would have been decided', async () => {
  const { api, control, marks } = disturbed([{ id: 'slow', kycDelay: '6s' }]);
  const { body } = api('POST', CREATE, person('ada'));
  const [program] = api('GET', '/partner/card-programs').body.data;
  api('POST', `${CREATE}/${body.id}/kyc`, { cardProgramId: program.id });
  api('GET', `${CREATE}/${body.id}`);
  expect(await marks()).toEqual([]);
  await control('POST', '/clock/advance', { duration: '3s' });
  expect(api('GET', `${CREATE}/${body.id}`).body.kycStatus).toBe('pending');
  expect(await marks()).toEqual(['slow']);
});

test('slow KYC is not marked where a person decides, nor in a world with a delay of its own', async () => {
  const { api, control, createWorld, marks } = disturbed([{ id: 'slow', kycDelay: '6s' }]);
  const world = await createWorld({ kycDelay: '1h' });
  const [program] = api('GET', '/partner/card-programs').body.data;
  for (const { id, key, outcome } of [
    { id: 'main', key: ACME_KEY, outcome: 'manual' },
    { ...world, outcome: 'approve' },
  ]) {
    const { body } = api(
      'POST',
      CREATE,
      { ...person('ada'), idp1ShareToken: `idp1_test_${outcome}_ada` },
      key,
    );
    api('POST', `${CREATE}/${body.id}/kyc`, { cardProgramId: program.id }, key);
    await control('POST', '/clock/advance', { duration: '3s' }, id);
    expect(api('GET', `${CREATE}/${body.id}`, undefined, key).body.kycStatus).toBe('pending');
    expect(await marks(id)).toEqual([]);
  }
});

test('each webhook is sent again once the next one has arrived, and marked then', async () => {
  const { api, control, seen, marks } = disturbed([{ id: 'again', repeatsWebhooks: true }]);
  const webhooks = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
  api('PATCH', '/partner/webhooks/config', webhooks);
  for (let count = 0; count < 3; count++) {
    await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/deliveries/settle');
  }
  const ids = [...new Set(seen.map(({ event }) => event.id))];
  expect(seen.map(({ event }) => ids.indexOf(event.id))).toEqual([0, 1, 0, 2, 1]);
  expect(await marks()).toEqual(['again', 'again']);
});

test.each([
  { what: 'each again later', plan: { repeatsWebhooks: true as const }, order: [0, 1, 0, 2, 1, 3, 2] },
  {
    what: 'each twice',
    plan: { webhookFaults: [{ kind: 'duplicate' as const }] },
    order: [0, 0, 1, 1, 2, 2, 3, 3],
  },
])(
  'of webhooks raised together, what repeats one comes before the next but one: $what',
  async ({ plan, order }) => {
    const slow = fakeReceiver(() => new Promise(resolve => setImmediate(() => resolve(200))));
    const { api, control, seen } = disturbed([{ id: 'again', ...plan }], { freeze: false }, slow);
    await subscribe({ api }, ['balance.top_up']);
    await Promise.all([1, 2, 3, 4].map(amount => control('POST', '/balance/top-up', { amount })));
    await control('POST', '/deliveries/settle');
    const ids = [...new Set(seen.map(({ event }) => event.id))];
    expect(seen.map(({ event }) => ids.indexOf(event.id))).toEqual(order);
  },
);

test('a receiver that responds to the first webhook only after the last one gets them all', async () => {
  let respond = (_status: number) => {};
  const first = new Promise<number>(resolve => {
    respond = resolve;
  });
  const waiting = fakeReceiver((_, count) => {
    if (count === 3) respond(200);
    return count === 1 ? first : 200;
  });
  const again = [{ id: 'again', repeatsWebhooks: true }] as const;
  const { api, control, pass, seen } = disturbed(again, { freeze: false }, waiting);
  await subscribe({ api }, ['balance.top_up']);
  for (const amount of [1, 2, 3]) await control('POST', '/balance/top-up', { amount });
  expect(seen).toHaveLength(1);
  pass(100);
  await control('POST', '/deliveries/settle');
  expect(new Set(seen.map(({ event }) => event.id)).size).toBe(3);
});

test('an advance holds up no webhook for what it repeats only afterwards', async () => {
  const failing = fakeReceiver((_, count) => (count <= 3 ? 500 : 200));
  const { api, control, seen } = disturbed([{ id: 'again', repeatsWebhooks: true }], {}, failing);
  await subscribe({ api }, ['balance.top_up']);
  for (const amount of [1, 2, 3]) await control('POST', '/balance/top-up', { amount });
  await control('POST', '/deliveries/settle');
  await control('POST', '/clock/advance', { duration: '1m' });
  const ids = [...new Set(seen.map(({ event }) => event.id))];
  expect(seen.map(({ event }) => ids.indexOf(event.id))).toEqual([0, 1, 2, 0, 1, 2, 0, 1]);
});

test('a webhook that is delayed is marked at what raised it, or at the next request, and again at its attempt', async () => {
  const late = [
    { id: 'late', webhookFaults: [{ kind: 'delay', delayMs: 2_000, whileRunning: true }] },
  ] as const;
  const { api, control, record, marks } = disturbed(late, { freeze: false });
  await subscribe({ api });
  expect(api('POST', CREATE, person('ada')).status).toBe(201);
  expect(await marks()).toEqual(['late']);
  await control('POST', '/balance/top-up', { amount: 1 });
  const marked = (await record()).flatMap(({ entry }) => (entry?.struck ? [entry.path] : []));
  expect(marked).toEqual(['/v1/partner/cardholders', '/_sandbox/balance/top-up']);
  await control('POST', '/clock/advance', { duration: '3s' });
  expect(await marks()).toEqual(['late', 'late', 'late', 'late']);
});

test('options are marked at a webhook that shows them, if its receiver answered', async () => {
  const conditions = [
    { id: 'clock', options: { clock: '2028-02-29T12:00:00.000Z' } },
    { id: 'ids', options: { idLength: 64 } },
  ];
  for (const answer of [200, 500, 'connection refused']) {
    const { api, control, marks } = disturbed(
      conditions,
      {},
      fakeReceiver(() => answer),
    );
    await subscribe({ api });
    await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/deliveries/settle');
    expect(await marks()).toEqual(answer === 'connection refused' ? [] : ['clock', 'ids']);
  }
});

test.each<[what: string, part: Omit<DisturbancePlan[number], 'id'>, answers: readonly (number | string)[]]>([
  ['with unknown fields', { webhookFaults: [{ kind: 'unknown_fields' }] }, ['connection refused']],
  ['with other white space', { webhookFaults: [{ kind: 'reformatted_body' }] }, ['connection refused']],
  ['before the response', { webhookFaults: [{ kind: 'before_response' }] }, ['connection refused']],
  ['twice', { webhookFaults: [{ kind: 'duplicate' }] }, [200, 'connection refused']],
  ['once more later', { repeatsWebhooks: true }, [200, 200, 'connection refused']],
])('a webhook that is sent %s is marked only if its receiver got it so', async (_, part, answers) => {
  const marksWith = async (last: readonly (number | string)[]) => {
    const left = [...last];
    const { api, control, marks } = disturbed(
      [{ id: 'it', ...part }],
      {},
      fakeReceiver(() => left.shift() ?? 200),
    );
    const webhooks = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['cardholder.created'] };
    api('PATCH', '/partner/webhooks/config', webhooks);
    for (const name of part.repeatsWebhooks ? ['ada', 'ben'] : ['ada']) {
      api('POST', CREATE, person(name));
      await control('POST', '/deliveries/settle');
    }
    return marks();
  };
  expect(await marksWith(answers)).toEqual([]);
  expect(await marksWith(answers.with(-1, 401))).toEqual(['it']);
  if (answers.length === 1) expect(await marksWith(['timed out after 10 s'])).toEqual(['it']);
});

const FORGED = [{ id: 'forged', webhookFaults: [{ kind: 'other_secret', extra: true, times: 1 }] }] as const;

test.each([
  {
    what: 'beside the next attempt until the genuine one is accepted',
    answers: [503, 503, 401, 200, 401, 200],
    calls: ['top-up', 'advance', 'top-up', 'settle'],
    signed: [false, true, false, true, true],
  },
  {
    what: 'beside the next webhook where it got the failure that the test planned for the first one',
    answers: [500, 200, 401, 200, 200],
    calls: ['top-up', 'settle', 'top-up', 'settle', 'top-up', 'settle'],
    signed: [false, true, false, true, true],
  },
  {
    what: 'beside each attempt until a receiver is there',
    answers: ['connection refused', 'connection refused', 401, 200, 200],
    calls: ['top-up', 'advance', 'top-up', 'settle'],
    signed: [false, true, false, true, true],
  },
  {
    what: 'and not again where its receiver closed while it had it',
    answers: ['connection reset', ...Array(9).fill('connection refused')],
    calls: ['top-up', 'advance'],
    signed: [false, true, true],
  },
])('an additional webhook is sent $what', async ({ answers, calls, signed }) => {
  const receiver = fakeReceiver(() => answers.shift() ?? 200);
  const { api, control, marks, seen } = disturbed(FORGED, {}, receiver);
  await subscribe({ api });
  for (const call of calls) {
    if (call === 'top-up') await control('POST', '/balance/top-up', { amount: 1 });
    else if (call === 'settle') await control('POST', '/deliveries/settle');
    else await control('POST', '/clock/advance', { duration: '1m' });
  }
  expect(seen.map(each => isSigned(each))).toEqual(signed);
  expect(await marks()).toEqual(signed.filter(each => !each).map(() => 'forged'));
});

test('an additional webhook is sent to each receiver of each partner, which may be another app', async () => {
  const { api, control, seen } = disturbed(FORGED, {}, fakeReceiver());
  await subscribe({ api });
  await subscribe({ api: (method, path, body) => api(method, path, Object(body), GLOBEX_KEY) });
  for (const webhookUrl of [HOOKS, `${HOOKS}/other`]) {
    api('PATCH', '/partner/webhooks/config', { webhookUrl });
    for (const partnerId of ['partner_acme', 'partner_globex', 'partner_acme', 'partner_globex']) {
      await control('POST', '/balance/top-up', { amount: 1, partnerId });
      await control('POST', '/deliveries/settle');
    }
  }
  const signed = seen.map(each => isSigned(each));
  expect(signed).toEqual([false, true, false, true, true, true, false, true, true, true, true]);
});

test('a webhook that is held back is marked only where a later one overtakes it, and never while the clock is frozen', async () => {
  const reorder = [
    { id: 'order', webhookFaults: [{ kind: 'reorder', delayMs: 500, whileRunning: true }] },
  ] as const;
  const { api, control, marks } = disturbed(reorder, { freeze: false });
  const webhooks = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
  api('PATCH', '/partner/webhooks/config', webhooks);
  const topUp = () => control('POST', '/balance/top-up', { amount: 1 });
  await topUp();
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await marks()).toEqual([]);
  await topUp();
  await topUp();
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await marks()).toEqual(['order']);
  await control('POST', '/clock/freeze');
  await topUp();
  await control('POST', '/deliveries/settle');
  const { body } = await control('GET', '/deliveries');
  expect(body.map(({ status }: Json) => status)).toEqual(Array(4).fill('delivered'));
});

test('what rides along changes each response that the sandbox made, beside others and beside a delay', async () => {
  const { api, marks } = disturbed([
    { id: 'pieces', faults: [{ inPieces: true, ridesAlong: true }] },
    { id: 'fields', faults: [{ unknownFields: true, ridesAlong: true }] },
    { id: 'fails', faults: [{ operations: ['cards.list'], status: 503, times: 1 }] },
    { id: 'late', faults: [{ operations: ['balance.get'], delayMs: 5, times: 1 }] },
  ]);
  expect(api(...LIST)).toMatchObject({ status: 503, body: { success: false } });
  for (const path of ['/partner/cards', '/partner/balance'])
    expect(Object.keys(api('GET', path).body).join()).toContain('future');
  const both = ['pieces', 'fields'];
  expect(await marks()).toEqual(['fails', ...both, ...both, 'late']);
});

test('a record has what a request created although its response was lost', async () => {
  const { api, record } = disturbed([
    { id: 'lost', faults: [{ operations: ['cardholders.create'], drop: true, when: 'after', times: 1 }] },
  ]);
  api('POST', CREATE, person('ada'));
  const content = { phoneNumber: '+4915123456789', kycSource: 'idp1' };
  const created = [{ kind: 'cardholder', owner: 'partner_acme', ownerName: 'ada', content }];
  const [entry] = (await record()).flatMap(each => each.entry ?? []);
  expect(entry).toMatchObject({ struck: ['lost'], dropped: true, created });
});
