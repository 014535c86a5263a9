import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { ACME_KEY, type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

const ids = ({ body }: Json) => body.data.map(({ id }: Json) => id);

test('the filter of cards by status has the name of the setting, and no other', async () => {
  const usual = await startSandbox({ fixtures: ['starter'] });
  const frozen = await usual.api('GET', '/partner/cards?status=frozen');
  const all = await usual.api('GET', '/partner/cards');
  expect(frozen.body.total).toBeLessThan(all.body.total);
  const renamed = await startSandbox({
    fixtures: ['starter'],
    assume: { 'card-status-parameter': 'state' },
  });
  expect((await renamed.api('GET', '/partner/cards?state=frozen')).body).toEqual(frozen.body);
  expect((await renamed.api('GET', '/partner/cards?status=frozen')).body).toEqual(all.body);
  const refused = await renamed.api('GET', '/partner/cards?state=thawed');
  expect(refused.body.error).toMatch(/^query\.state: must be one of/);
});

test('the typed client filters by its own names, whatever the settings call the parameters', async () => {
  const clock = '2026-03-31T12:00:00Z';
  const usual = createSandbox({ clock });
  const renamed = createSandbox({
    clock,
    assume: {
      'card-status-parameter': 'state',
      'usage-from-parameter': 'to',
      'usage-to-parameter': 'from',
      'usage-period-parameter': 'month',
      'usage-type-parameter': 'kind',
    },
  });
  const cards = { status: 'frozen' } as const;
  expect(await renamed.api.cards.list(cards)).toEqual(await usual.api.cards.list(cards));
  for (const query of [
    { from: '2026-03-14' },
    { to: '2026-03-14' },
    { billingPeriod: '2026-02' },
    { type: 'card_issuance' } as const,
  ]) {
    const { total } = await usual.api.usage.list(query);
    expect(total).toBeGreaterThan(0);
    expect(await renamed.api.usage.list(query)).toMatchObject({ total });
  }
});

test('commands and tools, which have neutral names, may filter by the name of the setting, too', async () => {
  await using sandbox = createSandbox({ assume: { 'card-status-parameter': 'state' } });
  const headers = { 'x-service-api-key': sandbox.apiKey, 'x-sandbox-names': 'neutral' };
  const list = async (query: string) =>
    (await sandbox.fetch(`/v1/partner/cards?${query}`, { headers })).json() as Json;
  const { total } = await list('status=frozen');
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan((await list('')).total);
  expect(await list('state=frozen')).toMatchObject({ total });
});

test('an unknown parameter has a hint that names the one of the setting', async () => {
  const { api, control } = await startSandbox({ assume: { 'card-status-parameter': 'card_state' } });
  await api('GET', '/partner/cards?card_stat=active');
  const [{ hints }] = (await control('GET', '/requests')).body;
  expect(hints).toEqual(['query.card_stat is unknown and was ignored, did you mean "card_state"?']);
});

test('the filters of usage records have the names of the settings, even if they change places', async () => {
  const usual = await startSandbox({ fixtures: ['starter'] });
  const renamed = await startSandbox({
    fixtures: ['starter'],
    assume: {
      'usage-from-parameter': 'to',
      'usage-to-parameter': 'from',
      'usage-period-parameter': 'month',
      'usage-type-parameter': 'kind',
    },
  });
  for (const [here, there] of [
    ['from=2026-03-14', 'to=2026-03-14'],
    ['to=2026-03-14', 'from=2026-03-14'],
    ['billingPeriod=2026-02', 'month=2026-02'],
    ['type=card_issuance', 'kind=card_issuance'],
  ]) {
    const expected = await usual.api('GET', `/partner/usage/records?${here}`);
    expect((await renamed.api('GET', `/partner/usage/records?${there}`)).body).toEqual(expected.body);
  }
  await renamed.api('GET', '/partner/usage/records?from=2026-03-01&to=2026-03-02');
  const [{ hints }] = (await renamed.control('GET', '/requests')).body;
  expect(hints).toEqual(['query.to is later than query.from, so nothing can match']);
});

test.each([400, 422] as const)('invalid input is a %i, and other refusals stay', async status => {
  const { api } = await startSandbox({ assume: { 'invalid-input-status': status } });
  expect((await api('GET', '/partner/cards?page=0')).status).toBe(status);
  expect((await api('POST', '/partner/cardholders', {})).status).toBe(status);
  expect((await api('POST', '/partner/cardholders', '{')).status).toBe(status);
  const unknownToken = newCardholder({ idp1ShareToken: 'no-such-token' });
  expect((await api('POST', '/partner/cardholders', unknownToken)).status).toBe(status);
  const webhookSecret = 'a-secret-of-the-webhooks';
  for (const webhookUrl of ['nope', 'http://hooks.example.com', 'https://user:pass@hooks.example.com', 5]) {
    const change = await api('PATCH', '/partner/webhooks/config', { webhookUrl, webhookSecret });
    expect(change.status, String(webhookUrl)).toBe(status);
  }
  const noSecret = await api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.example.com',
  });
  expect(noSecret.status).toBe(400);
  const usedToken = newCardholder();
  expect((await api('POST', '/partner/cardholders', usedToken)).status).toBe(201);
  const again = newCardholder({ idp1ShareToken: usedToken.idp1ShareToken });
  expect((await api('POST', '/partner/cardholders', again)).status).toBe(400);
  expect((await api('GET', '/partner/cards/card_none')).status).toBe(404);
});

test.each([401, 403] as const)('a caller that is not on the allow-list gets a %i', async status => {
  const { api, control } = await startSandbox({ assume: { 'allow-list-status': status } });
  await control('PATCH', '/partners/partner_acme/settings', { ipAllowList: ['203.0.113.7'] });
  expect((await api('GET', '/partner/cards')).status).toBe(status);
  const other = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': `${ACME_KEY}x` });
  expect(other.status).toBe(401);
});

test.each(['newest', 'oldest'] as const)('every list has the %s record first', async order => {
  const usual = await startSandbox({ fixtures: ['starter'] });
  const ordered = await startSandbox({ fixtures: ['starter'], assume: { 'list-order': order } });
  for (const path of [
    '/partner/cards',
    '/partner/cards?cardholderId=ch_mia_approved',
    '/partner/cardholders',
    '/partner/card-programs',
    '/partner/transactions',
    '/partner/usage/records?type=card_issuance',
  ]) {
    const separator = path.includes('?') ? '&' : '?';
    const all = ids(await usual.api('GET', `${path}${separator}limit=100`));
    const expected = order === 'newest' ? all : all.toReversed();
    expect(ids(await ordered.api('GET', `${path}${separator}limit=100`))).toEqual(expected);
    const second = await ordered.api('GET', `${path}${separator}limit=1&page=2`);
    expect(ids(second)).toEqual(expected.slice(1, 2));
  }
});
