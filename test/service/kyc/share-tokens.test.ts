import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { POPULATED } from '../../support/fixtures/populated.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';

test('by default a token belongs to the first partner, comes from idp1 and has a generated identity', async () => {
  const { control } = await startSandbox();
  const { status, body } = await control('POST', '/share-tokens');
  expect(status).toBe(201);
  expect(body).toEqual({
    token: expect.stringMatching(/^share_\w+$/),
    partnerId: 'partner_acme',
    source: 'idp1',
    outcome: 'approve',
    identity: {
      firstName: expect.stringMatching(/./),
      lastName: expect.stringMatching(/./),
      residenceCountryCode: expect.stringMatching(/^[A-Z]{2}$/),
      residenceStateProvince: expect.stringMatching(/./),
      residenceCity: expect.stringMatching(/./),
      residenceAddressDetail: expect.stringMatching(/./),
      postalCode: expect.stringMatching(/./),
    },
    createdAt: START,
    expiresAt: null,
    usedBy: null,
  });
});

test('a minted token has the given members', async () => {
  const { control } = await startSandbox();
  const identity = { firstName: 'Mia', residenceCountryCode: 'DE' };
  const { body } = await control('POST', '/share-tokens', {
    partnerId: 'partner_globex',
    source: 'idp2',
    outcome: 'manual',
    identity,
    expiresIn: '90s',
  });
  expect(body).toMatchObject({
    partnerId: 'partner_globex',
    source: 'idp2',
    outcome: 'manual',
    identity,
    expiresAt: '2026-03-15T10:01:30.000Z',
  });
});

test.each<[Record<string, unknown>, number, string]>([
  [{ source: 'web' }, 400, 'body.source: must be one of "idp1", "idp2"'],
  [{ outcome: 'maybe' }, 400, 'body.outcome: must be one of "approve", "reject", "manual"'],
  [{ identity: { firstName: '' } }, 400, 'body.identity.firstName: must have at least 1 character'],
  [{ identity: 'Mia' }, 400, 'body.identity: must be an object'],
  [{ expiresIn: 60 }, 400, expect.stringMatching(/^body\.expiresIn: must be a duration such as/)],
  [{ expiresIn: 'soon' }, 400, expect.stringMatching(/^body\.expiresIn: must be a duration such as/)],
  [{ partnerId: 'partner_none' }, 404, 'no partner with id "partner_none", did you mean "partner_acme"?'],
])('minting with %j is refused', async (body, status, error) => {
  const { control } = await startSandbox();
  expect(await control('POST', '/share-tokens', body)).toMatchObject({
    status,
    body: { success: false, error },
  });
});

test.each([
  'idp1_unknown',
  'idp1_test_approve_',
  'idp1_test_perhaps_1',
  'IDP1_test_approve_1',
  'web_test_approve_1',
])('the unknown token %j is refused', async idp1ShareToken => {
  const { api } = await startSandbox();
  const { status, body } = await api('POST', PATH, newCardholder({ idp1ShareToken }));
  expect(status).toBe(400);
  expect(body.error).toMatch(/^body\.idp1ShareToken: unknown share token/);
});

test('a token of one source is refused for the other, and stays valid for its own', async () => {
  const { api, control } = await startSandbox();
  for (const token of [
    (await control('POST', '/share-tokens', { source: 'idp2' })).body.token,
    'idp2_test_approve_1',
  ]) {
    const body = newCardholder({ idp1ShareToken: token, idp2ShareToken: token });
    const refused = await api('POST', PATH, body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe('body.idp1ShareToken: is a share token of idp2, not of idp1');
    expect((await api('POST', PATH, { ...body, kycSource: 'idp2' })).status).toBe(201);
  }
});

test('a token expires exactly at its expiry time', async () => {
  const { api, control } = await startSandbox();
  const [early, late] = [
    (await control('POST', '/share-tokens', { expiresIn: '10s' })).body.token,
    (await control('POST', '/share-tokens', { expiresIn: '10s' })).body.token,
  ];
  await control('POST', '/clock/advance', { duration: '9999ms' });
  expect((await api('POST', PATH, newCardholder({ idp1ShareToken: early }))).status).toBe(201);
  await control('POST', '/clock/advance', { duration: '1ms' });
  const { status, body } = await api('POST', PATH, newCardholder({ idp1ShareToken: late }));
  expect(status).toBe(400);
  expect(body.error).toMatch(/^body\.idp1ShareToken: expired at 2026-03-15T10:00:10\.000Z/);
});

test('a used token is refused, whether a create or the fixture used it', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const { token } = (await sandbox.control('POST', '/share-tokens')).body;
  await createCardholder(sandbox, { idp1ShareToken: token });
  for (const idp1ShareToken of [token, 'idp1_used']) {
    const { status, body } = await sandbox.api('POST', PATH, newCardholder({ idp1ShareToken }));
    expect(status).toBe(400);
    expect(body.error).toMatch(/^body\.idp1ShareToken: was already used/);
  }
});

test("another partner's minted token is unknown, and stays valid for its owner", async () => {
  const { api, globex, control } = await startSandbox();
  const { token } = (await control('POST', '/share-tokens')).body;
  const body = newCardholder({ idp1ShareToken: token });
  const refused = await globex('POST', PATH, body);
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatch(/unknown share token/);
  expect((await api('POST', PATH, body)).status).toBe(201);
});

test('a magic token gives the same person in every sandbox, and another text another person', async () => {
  const people = [];
  for (const seed of [1, 2]) {
    const { api } = await startSandbox({ seed });
    const same = await api('POST', PATH, newCardholder({ idp1ShareToken: 'idp1_test_approve_mia' }));
    const other = await api('POST', PATH, newCardholder({ idp1ShareToken: 'idp1_test_approve_ben' }));
    people.push([same, other].map(({ body }) => `${body.firstName} ${body.lastName}`));
  }
  expect(people[0]).toEqual(people[1]);
  expect(people[0]?.[0]).not.toBe(people[0]?.[1]);
});

test('each magic token is single-use, and similar texts are different tokens', async () => {
  const { api } = await startSandbox();
  const use = (idp1ShareToken: string) => api('POST', PATH, newCardholder({ idp1ShareToken }));
  expect((await use('idp1_test_approve_mia')).status).toBe(201);
  expect((await use('idp1_test_approve_mia')).status).toBe(400);
  expect((await use('idp1_test_approve_Mia')).status).toBe(201);
  expect((await use('idp1_test_reject_mia')).status).toBe(201);
});
