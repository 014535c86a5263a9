import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

test('records are listed newest first, with fields that the API does not return', async () => {
  const { api, control } = await startSandbox();
  const first = await api('POST', '/partner/cardholders', newCardholder({ residenceCity: 'Porto' }));
  const second = await api('POST', '/partner/cardholders', newCardholder());
  const { status, body } = await control('GET', '/cardholders');
  expect(status).toBe(200);
  expect(body.map(({ id }: { id: string }) => id)).toEqual([second.body.id, first.body.id]);
  expect(body[1]).toMatchObject({
    address: { residenceCity: 'Porto' },
    kyc: { state: 'not_submitted' },
    lockReason: null,
  });
});

test('each list is of one partner, by default the first', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  for (const path of ['cardholders', 'cards', 'programs']) {
    const ofAcme = (await control('GET', `/${path}`)).body;
    const ofGlobex = (await control('GET', `/${path}?partnerId=partner_globex`)).body;
    expect(ofGlobex).toHaveLength(1);
    expect(ofAcme.length).toBeGreaterThan(1);
    expect(ofAcme).not.toContainEqual(expect.objectContaining({ id: ofGlobex[0].id }));
    expect((await control('GET', `/${path}?partnerId=partner_nobody`)).status).toBe(404);
  }
});

test('a card is listed with its cardholder and currency, a session with its person and who used it', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  expect((await control('GET', '/cards?q=card_mia_active')).body).toMatchObject([
    { id: 'card_mia_active', cardholderId: 'ch_mia_approved', partnerId: 'partner_acme', currency: 'EUR' },
  ]);
  const [{ identity }] = (await control('GET', '/kyc-sessions?q=kycs_noor')).body;
  const name = encodeURIComponent(`${identity.firstName} ${identity.lastName}`);
  expect((await control('GET', `/kyc-sessions?q=${name}`)).body).toMatchObject([
    { id: 'kycs_noor_approved', status: 'approved', identity: { firstName: 'Noor' }, usedBy: null },
  ]);
  expect((await control('GET', '/kyc-sessions?q=kycs_omar_pending')).body[0].identity).toBeNull();
  expect((await control('GET', '/share-tokens?q=tok_ana')).body).toMatchObject([
    { token: 'tok_ana_approve', outcome: 'approve', identity: { firstName: 'Ana' }, usedBy: null },
  ]);
});

test('q selects rows by any text in them, case-insensitively, before the limit applies', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  expect((await control('GET', '/cardholders?q=BERLIN&limit=1')).body).toMatchObject([
    { id: 'ch_liam_pending' },
  ]);
  expect((await control('GET', '/cardholders?q=nobody-has-this')).body).toEqual([]);
  const [mia] = (await control('GET', '/cardholders?q=ch_mia_approved')).body;
  const name = encodeURIComponent(`${mia.firstName} ${mia.lastName}`);
  expect((await control('GET', `/cardholders?q=${name}`)).body).toEqual([mia]);
  expect((await control('GET', '/cardholders?limit=3')).body).toHaveLength(3);
});

test.each(['limit=0', 'limit=10001', 'limit=ten', 'limit=1&limit=2', 'offset=-1'])(
  '%s is refused',
  async query => {
    const { control } = await startSandbox();
    expect((await control('GET', `/cardholders?${query}`)).status).toBe(400);
  },
);

test('offset skips the newest records, and a header has the number of all of them', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  const all = await control('GET', '/cardholders');
  const page = await control('GET', '/cardholders?offset=1&limit=2');
  expect(page.body).toEqual(all.body.slice(1, 3));
  expect(page.headers.get('x-total-count')).toBe(String(all.body.length));
  expect((await control('GET', '/cardholders?q=e&offset=1')).body).toEqual(
    (await control('GET', '/cardholders?q=e')).body.slice(1),
  );
  expect((await control('GET', '/cardholders?offset=1000')).body).toEqual([]);
  expect((await control('GET', '/cardholders?q=e')).headers.has('x-total-count')).toBe(false);
});

test('one record is read as the list shows it', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 10 });
  for (const path of ['cardholders', 'cards', 'transactions']) {
    const [row] = (await control('GET', `/${path}`)).body;
    const one = await control('GET', `/${path}/${row.id}`);
    expect(one).toMatchObject({ status: 200, body: row });
    expect((await control('GET', `/${path}/nobody`)).status).toBe(404);
  }
});

test('a share token and a session are the first that a search for the whole token or id returns', async () => {
  const { api, control } = await startSandbox({ fixtures: ['starter'] });
  for (const idp1ShareToken of ['idp1_test_approve_a', 'idp1_test_approve_ab']) {
    await api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken }));
  }
  const first = async (list: string, text: string) =>
    (await control('GET', `/${list}?limit=1&q=${text}`)).body[0];
  expect((await first('share-tokens', 'idp1_test_approve_a')).token).toBe('idp1_test_approve_a');
  expect((await first('kyc-sessions', 'kycs_omar_pending')).id).toBe('kycs_omar_pending');
});

test('200 rows are listed by default', async () => {
  const { api, control } = startInProcess();
  for (let index = 0; index < 201; index += 1) api('POST', '/partner/cardholders', newCardholder());
  expect((await control('GET', '/cardholders')).body).toHaveLength(200);
  expect((await control('GET', '/cardholders?limit=10000')).body).toHaveLength(201);
});

test('reads of records are not in the journal', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  const paths = [
    'cardholders',
    'cards',
    'transactions',
    'programs',
    'kyc-sessions',
    'share-tokens',
    'balance',
  ];
  for (const path of paths) {
    expect((await control('GET', `/${path}`)).status).toBe(200);
  }
  expect((await control('GET', '/requests')).body).toEqual([]);
});

test('the webhook configuration of any partner is read and changed under the rules of the partner', async () => {
  const { api, globex, control } = await startSandbox();
  const change = {
    webhookUrl: 'https://hooks.example.com/',
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['card.issued'],
  };
  const changed = await control('PATCH', '/webhooks/config?partnerId=partner_globex', change);
  expect(changed).toMatchObject({ status: 200, body: change });
  expect((await globex('GET', '/partner/webhooks/config')).body).toEqual(change);
  expect((await control('GET', '/webhooks/config?partnerId=partner_globex')).body).toEqual(change);
  expect((await control('GET', '/webhooks/config')).body).toMatchObject({ webhookUrl: null });
  for (const wrong of [
    { webhookUrl: 'http://a.example' },
    { webhookSecret: 'short' },
    { subscribedEvents: ['x'] },
  ]) {
    const refused = await control('PATCH', '/webhooks/config', wrong);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual((await api('PATCH', '/partner/webhooks/config', wrong)).body);
  }
});

test('a list is filtered by state, with the number of all that match', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 10 });
  for (const [path, parameter, stateOf] of [
    ['cardholders', 'kycState', (row: Json) => row.kyc.state],
    ['cards', 'status', (row: Json) => row.status],
    ['cards', 'cardholderId', (row: Json) => row.cardholderId],
    ['transactions', 'status', (row: Json) => row.status],
    ['transactions', 'cardId', (row: Json) => row.cardId],
    ['transactions', 'cardholderId', (row: Json) => row.cardholderId],
  ] as const) {
    const all = (await control('GET', `/${path}`)).body;
    for (const state of new Set<string>(all.map(stateOf))) {
      const matching = all.filter((row: unknown) => stateOf(row) === state);
      const page = await control('GET', `/${path}?${parameter}=${state}&limit=1`);
      expect(page.body).toEqual(matching.slice(0, 1));
      expect(page.headers.get('x-total-count')).toBe(String(matching.length));
    }
  }
});

test('sessions are filtered by their state at the time of the sandbox clock', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  expect((await control('GET', '/kyc-sessions?status=pending')).body).toMatchObject([
    { id: 'kycs_omar_pending' },
  ]);
  await control('POST', '/clock/advance', { duration: '25h' });
  expect((await control('GET', '/kyc-sessions?status=pending')).body).toEqual([]);
  const expired = (await control('GET', '/kyc-sessions?status=expired')).body;
  expect(expired).toContainEqual(expect.objectContaining({ id: 'kycs_omar_pending', status: 'expired' }));
});

test('a token is expired from the moment on that it is valid until, and a used one stays used', async () => {
  const { api, control } = await startSandbox({
    fixtures: ['starter'],
    clock: '2026-03-01T12:00:00Z',
    freeze: true,
  });
  const minted = async () =>
    (await control('POST', '/share-tokens', { source: 'idp1', expiresIn: '1h' })).body;
  const [used, unused] = [await minted(), await minted()];
  await api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: used.token }));
  const statesOf = async () => {
    const found: Record<string, string[]> = {};
    for (const state of ['unused', 'used', 'expired']) {
      const { body } = await control('GET', `/share-tokens?state=${state}&source=idp1`);
      const own = body.filter(({ token }: Json) => token === used.token || token === unused.token);
      found[state] = own.map(({ token }: Json) => token);
    }
    return found;
  };
  await control('POST', '/clock/advance', { duration: '3599s' });
  expect(await statesOf()).toEqual({ unused: [unused.token], used: [used.token], expired: [] });
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await statesOf()).toEqual({ unused: [], used: [used.token], expired: [unused.token] });
});

test('a transaction has the name of its cardholder and the end of its card number, and a search finds both', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  const { id } = (await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 10 })).body;
  const card = (await control('GET', '/cards/card_mia_active')).body;
  const found = (await control('GET', `/transactions/${id}`)).body;
  expect(found).toMatchObject({ cardholderName: 'Mia Keller', last4: card.last4 });
  expect((await control('GET', '/transactions?q=mia%20keller')).body).toContainEqual(found);
  expect((await control('GET', '/share-tokens?q=ana%20silva')).body).toMatchObject([
    { token: 'tok_ana_approve' },
  ]);
});

test('approved and rejected sessions are counted, whatever the time', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  for (const [status, isCounted] of [
    ['approved', true],
    ['rejected', true],
    ['pending', false],
    ['expired', false],
  ] as const) {
    const { headers, body } = await control('GET', `/kyc-sessions?status=${status}`);
    expect(headers.get('x-total-count')).toBe(isCounted ? String(body.length) : null);
  }
});

test('filters and a search apply together, and do not reach the records of another partner', async () => {
  const { control } = await startSandbox({ fixtures: ['starter'] });
  const search = '/cards?status=active&q=card_';
  const found = (await control('GET', search)).body;
  expect(found).toEqual((await control('GET', '/cards?status=active')).body);
  expect((await control('GET', '/cards?status=frozen&q=card_mia_active')).body).toEqual([]);
  const ofMia = '/cards?cardholderId=ch_mia_approved';
  expect((await control('GET', ofMia)).body).not.toEqual([]);
  expect((await control('GET', `${ofMia}&partnerId=partner_globex`)).body).toEqual([]);
  expect((await control('GET', '/cards?status=melted')).status).toBe(400);
});
