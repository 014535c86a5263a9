import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { startInProcess } from '../../support/in-process.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { fixtureFile } from '../fixtures/fixture-files.ts';

const as =
  ({ api }: TestSandbox, key: string) =>
  (method: string, path: string, body?: unknown) =>
    api(method, path, body, { 'x-service-api-key': key });

test('a new partner has a key, a card program and a webhook configuration of its own', async () => {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  const { status, body } = await control('POST', '/partners', { name: 'Worker 1' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^partner_\w{16}$/),
    name: 'Worker 1',
    apiKey: expect.stringMatching(/^sk_test_\w{24}$/),
    programId: expect.stringMatching(/^prog_\w{16}$/),
  });
  const ask = as(sandbox, body.apiKey);
  const person = await ask('POST', '/partner/cardholders', newCardholder());
  expect(person.status).toBe(201);
  const kyc = await ask('POST', `/partner/cardholders/${person.body.id}/kyc`, {
    cardProgramId: body.programId,
  });
  expect(kyc.status).toBe(200);
  const config = await ask('GET', '/partner/webhooks/config');
  expect(config.body).toEqual({ webhookUrl: null, webhookSecret: null, subscribedEvents: [] });
  expect((await sandbox.api('GET', '/partner/cardholders')).body.total).toBe(0);
  expect((await control('GET', '/partners')).body.at(-1)).toMatchObject({ id: body.id, apiKey: body.apiKey });
});

test('a fixture is opened for the first of its partners alone', async () => {
  let reads = 0;
  const content = {
    get cardholders() {
      reads += 1;
      return [{ generate: 3 }];
    },
  };
  const { control } = startInProcess({ fixtures: ['empty', new BuiltFixture('guests', content)] });
  const readsOfPartner = async () => {
    reads = 0;
    expect((await control('POST', '/partners', { fixture: 'guests' })).status).toBe(201);
    return reads;
  };
  expect(await readsOfPartner()).toBeGreaterThan(0);
  expect(await readsOfPartner()).toBe(0);
});

test('two partners from one fixture have the same records under different ids and do not see each other', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { control } = sandbox;
  const [one, two] = [
    (await control('POST', '/partners', { fixture: 'starter' })).body,
    (await control('POST', '/partners', { fixture: 'starter' })).body,
  ];
  expect(one.name).toBe(one.id);
  const all = async (key: string) => {
    const ask = as(sandbox, key);
    const lists = ['cardholders', 'cards', 'card-programs', 'usage/records'];
    const pages = await Promise.all(lists.map(list => ask('GET', `/partner/${list}?limit=100`)));
    return pages.map(({ body }) => body.data);
  };
  const [acme, first, second] = [
    await all('sk_test_acme_0123456789abcdef'),
    await all(one.apiKey),
    await all(two.apiKey),
  ];
  const withoutIds = (rows: Record<string, unknown>[]) =>
    rows.map(({ id: _id, programId: _program, last4: _last4, referenceId: _reference, ...rest }) => rest);
  for (const [place, rows] of acme.entries()) {
    expect(rows.length).toBeGreaterThan(1);
    expect(withoutIds(first[place])).toEqual(withoutIds(rows));
    expect(withoutIds(second[place])).toEqual(withoutIds(rows));
  }
  const ids = [acme, first, second].flatMap(lists => lists.flat().map(({ id }: { id: string }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect((await control('PUT', '/state', (await control('GET', '/state')).body)).status).toBe(204);
});

test('fixtures that the sandbox was started with are available; other files are not', async () => {
  const file = await temporaryFile('team.yaml');
  writeFileSync(file, 'cardholders: [{ externalUserId: zoe, kycStatus: approved }]\n');
  const sandbox = await startSandbox({ fixtures: ['empty', file] });
  const { control } = sandbox;
  const { body } = await control('POST', '/partners', { fixture: file });
  const people = await as(sandbox, body.apiKey)('GET', '/partner/cardholders');
  expect(people.body.data).toMatchObject([{ externalUserId: 'zoe' }]);

  const before = (await control('GET', '/state')).body;
  const typo = await control('POST', '/partners', { fixture: 'startr' });
  expect(typo).toMatchObject({ status: 400 });
  expect(typo.body.error).toBe('body.fixture: there is no fixture "startr", did you mean "starter"?');
  const other = await temporaryFile('other.yaml');
  writeFileSync(other, 'cardholders: [{ externalUserId: eve }]\n');
  for (const fixture of [other, '/etc/passwd', '../fixtures/starter.yaml', '', 'starter.yaml']) {
    expect((await control('POST', '/partners', { fixture })).status).toBe(400);
  }
  expect((await control('POST', '/partners', { name: '' })).status).toBe(400);
  expect((await control('GET', '/state')).body).toEqual(before);
});

test('a new partner has the people of a fixture in the state that they are in, decisions to come included', async () => {
  const file = await temporaryFile('people.yaml');
  writeFileSync(
    file,
    `cardPrograms: [{ id: prog_one, name: One }, { id: prog_two, name: Two }]
cardholders:
  - { externalUserId: waiting, submitted: true, cardProgramId: prog_two }
  - { externalUserId: new }
  - { externalUserId: owner, kycStatus: approved, card: { cardProgramId: prog_two, status: active } }
`,
  );
  const sandbox = await startSandbox({ fixtures: ['empty', file], kycDelay: '1m' });
  const { control } = sandbox;
  const { body } = await control('POST', '/partners', { fixture: file });
  const people = async () => (await control('GET', `/cardholders?partnerId=${body.id}`)).body.toReversed();
  const programs = (await control('GET', `/programs?partnerId=${body.id}`)).body.toReversed();
  const [one, two] = programs.slice(-2);
  expect([one.name, two.name]).toEqual(['One', 'Two']);
  expect(await people()).toMatchObject([
    { externalUserId: 'waiting', kyc: { state: 'in_flight', cardProgramId: two.id } },
    { externalUserId: 'new', kyc: { state: 'not_submitted', cardProgramId: null } },
    { externalUserId: 'owner', kyc: { state: 'approved' }, lockReason: 'card_issued' },
  ]);
  expect((await control('GET', `/cards?partnerId=${body.id}`)).body).toMatchObject([
    { programId: two.id, status: 'active' },
  ]);
  await control('POST', '/clock/advance', { duration: '1m' });
  expect((await people()).map(({ kyc }: { kyc: { state: string } }) => kyc.state)).toEqual([
    'approved',
    'not_submitted',
    'approved',
  ]);
});

test("a new partner has copies of the usage records and share tokens of a fixture's first partner alone", async () => {
  const file = await temporaryFile('tokens.yaml');
  writeFileSync(
    file,
    `shareTokens:
  - { token: tok_acme, identity: { firstName: Mia } }
  - { token: tok_globex, partnerId: partner_globex }
cardholders: [{ id: ch_mia, kycStatus: approved }]
usage: [{ id: use_mia, type: kyc_verification, amount: 1, referenceId: ch_mia }]
`,
  );
  const sandbox = await startSandbox({ fixtures: ['empty', file] });
  const { body } = await sandbox.control('POST', '/partners', { fixture: file });
  const tokens = await sandbox.control('GET', `/share-tokens?partnerId=${body.id}`);
  expect(tokens.body.map(({ token }: { token: string }) => token)).toEqual(['tok_acme']);
  const ask = as(sandbox, body.apiKey);
  const [person] = (await ask('GET', '/partner/cardholders')).body.data;
  expect((await ask('GET', '/partner/usage/records')).body.data).toMatchObject([
    { id: expect.stringMatching(/^use_\w{16}$/), type: 'kyc_verification', referenceId: person.id },
  ]);
});

test('the usage records of a new partner refer to its own cardholders, cards and transactions', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { body: partner } = await sandbox.control('POST', '/partners', { fixture: 'starter' });
  const ask = as(sandbox, partner.apiKey);
  const lists = {
    kyc_verification: 'cardholders',
    card_issuance: 'cards',
    transaction_processing: 'transactions',
  };
  for (const [type, list] of Object.entries(lists)) {
    const { data } = (await ask('GET', `/partner/usage/records?type=${type}`)).body;
    expect(data.length).toBeGreaterThan(1);
    for (const { referenceId } of data) {
      expect(await ask('GET', `/partner/${list}/${referenceId}`)).toMatchObject({
        body: { id: referenceId },
      });
    }
  }
});

test('a fixture whose generated people repeat others is refused, and adds no part of a partner', async () => {
  const people = fixtureFile(
    'cardholders: [{ generate: 3, externalUserId: guest }, { id: ch_mia, externalUserId: guest_2 }]',
  );
  // With another one after it, the sandbox starts.
  const other = fixtureFile('cardholders: [{ id: ch_mia, externalUserId: mia }]');
  const { control } = startInProcess({ fixtures: ['empty', people, other] });
  const { body: before } = await control('GET', '/state');
  expect(await control('POST', '/partners', { fixture: people })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('externalUserId: guest_2 is already used by another cardholder') },
  });
  expect((await control('GET', '/state')).body).toEqual(before);
  expect((await control('POST', '/partners', { fixture: other })).status).toBe(201);
});
