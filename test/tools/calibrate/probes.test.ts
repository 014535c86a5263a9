import { expect, test } from 'vitest';
import { VARIABLES } from '../../../src/tools/calibrate/lab/lab.ts';
import { probes } from '../../../src/tools/calibrate/probes/catalogue.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, startSandbox } from '../../support/sandbox.ts';
import { calibrated } from './calibrated.ts';

test('probes that only read come first, and each says what it would take', () => {
  const needs = probes.map(each => each.needs);
  expect(needs).toEqual([...needs].sort((one, other) => (one === other ? 0 : one === 'read' ? -1 : 1)));
  for (const { takes } of probes) expect(takes).not.toBe('');
  const used = new Set(probes.flatMap(({ variables = [] }) => variables));
  expect([...used].sort()).toEqual(Object.keys(VARIABLES).sort());
});

test('what has happened to transactions and the balance is observed', async () => {
  const { origin, api, control } = await startSandbox({ fixtures: ['starter'] });
  await api('PATCH', '/partner/webhooks/config', {
    subscribedEvents: ['card.transaction', 'balance.top_up'],
  });
  await control('POST', '/balance/top-up', { amount: 10 });
  for (const [action, amount] of [
    ['increment', 5],
    ['reverse', 3],
  ] as const) {
    const { body } = await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 20 });
    await control('POST', '/clock/advance', { duration: '1s' });
    await control('POST', `/transactions/${body.id}/${action}`, { amount });
  }
  const { body: tip } = await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 20 });
  await control('POST', `/transactions/${tip.id}/settle`, { amount: 23, force: true });
  const only = [
    'authorization-expiry',
    'over-settlement',
    'increments',
    'partial-reversals',
    'balance-events',
  ];
  const { results } = await calibrated(origin, { only });
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual(only.map(id => [id, 'observed']));
});

test('a key that is blocked and a key before a rotation are observed', async () => {
  const { origin, control } = await startSandbox();
  await control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['203.0.113.1'] });
  const { body } = await control('POST', '/partners/partner_acme/keys/rotate', {});
  const { results } = await calibrated(origin, {
    apiKey: body.apiKey,
    only: ['ip-allow-list', 'allow-list-status', 'key-rotation'],
    variables: { blockedKey: GLOBEX_KEY, previousKey: ACME_KEY },
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['observed', 'observed', 'observed']);
  const evidence = JSON.stringify(results);
  for (const key of [body.apiKey, GLOBEX_KEY, ACME_KEY]) expect(evidence).not.toContain(key);
});

test('where magic tokens are off, probes use the share tokens of --var', async () => {
  const { origin, control } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'magic-tokens': 'off' },
  });
  const tokens = [];
  for (let count = 0; count < 4; count++)
    tokens.push((await control('POST', '/share-tokens', {})).body.token);
  const only = ['magic-tokens', 'cardholder-creation', 'email-comparison', 'idp2-variant', 'list-order'];
  const { results } = await calibrated(origin, {
    only,
    write: true,
    variables: { shareTokens: tokens.join() },
  });
  for (const token of tokens) expect(JSON.stringify(results)).not.toContain(token);
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual({
    'magic-tokens': 'contradicted',
    'cardholder-creation': 'observed',
    'email-comparison': 'observed',
    'idp2-variant': 'unknown',
    'list-order': 'observed',
  });
  expect(results.find(({ id }) => id === 'magic-tokens')?.setting).toEqual({
    name: 'magic-tokens',
    value: 'off',
  });
});

test('a parameter with a name that nobody would guess is found when --var names it', async () => {
  const { origin } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'card-status-parameter': 'etat', 'usage-from-parameter': 'created[gte]' },
  });
  const only = ['card-status-parameter', 'usage-from-parameter'];
  const blind = await calibrated(origin, { only });
  expect(blind.results.map(({ verdict }) => verdict)).toEqual(['unknown', 'contradicted']);
  const { results } = await calibrated(origin, { only, variables: { parameters: 'zustand,etat' } });
  expect(results.map(({ setting }) => setting?.value)).toEqual(['etat', 'created[gte]']);
});

test('the names of filters are found where the service refuses unknown parameters', async () => {
  const { origin } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'card-status-parameter': 'state' },
  });
  const strict: typeof fetch = (input, init) => {
    const { searchParams } = new URL(String(input));
    const isKnown = [...searchParams.keys()].every(name => ['page', 'limit', 'state'].includes(name));
    return isKnown ? fetch(input, init) : Promise.resolve(Response.json({ success: false }, { status: 400 }));
  };
  const { results } = await calibrated(origin, {
    only: ['card-status-parameter', 'unknown-members'],
    fetch: strict,
  });
  const verdicts = Object.fromEntries(results.map(({ id, verdict }: Json) => [id, verdict]));
  expect(verdicts).toEqual({ 'unknown-members': 'contradicted', 'card-status-parameter': 'contradicted' });
  expect(results.find(({ setting }) => setting !== undefined)?.setting?.value).toBe('state');
});

test('a service that has only the documented operations contradicts the assumptions about the others, and no setting', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'], documentedOnly: true, kycDelay: '0s' });
  const { results } = await calibrated(origin, {
    write: true,
    asyncTimeoutMs: 1_000,
    time: { now: () => Date.now(), sleep: () => new Promise(resolve => setImmediate(resolve)) },
  });
  const of = (verdict: string) => results.filter(each => each.verdict === verdict).map(({ id }) => id);
  expect(of('contradicted')).toEqual(['cardholder-list', 'card-programs', 'transactions']);
  expect(of('observed')).toEqual(
    expect.arrayContaining(['kyc-decision', 'kyc-after-rejection', 'event-history']),
  );
});
