import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, SECRET } from '../../support/receiver.ts';
import { type Json, newCardholder } from '../../support/sandbox.ts';

/** Options that differ from the defaults in all that decides what a world holds. */
const OTHER: CoreOptions = {
  seed: 7,
  clock: '2031-12-31T23:59:59Z',
  kycDelay: '36525d',
  idLength: 255,
  rateLimit: 3_000,
  retrySpeed: 0.5,
  allowHttpWebhooks: true,
  forwardTo: 'http://127.0.0.1:9/all',
  names: { idp1: 'checkly' },
  documentedOnly: true,
  assume: {
    'authorization-ttl': 'never',
    'card-initial-status': 'active',
    'email-comparison': 'sensitive',
    'event-history': 'twelve',
    'kyc-after-rejection': 'refused',
    'list-order': 'oldest',
    'magic-tokens': 'off',
    'webhook-envelope': 'data',
    'amount-unit': 'minor',
    'unset-config': 'omitted',
  },
};

/** Returns the state of a sandbox with these options in which something of each kind has happened. */
async function stateUnder(options: CoreOptions): Promise<Json> {
  const { transport } = fakeReceiver((_, count) => (count % 2 === 0 ? 200 : 500));
  const { api, control } = startInProcess(
    { fixtures: ['starter'], ...options, documentedOnly: false },
    { transport },
  );
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: options.allowHttpWebhooks ? 'http://127.0.0.1:9/own' : 'https://hooks.test/',
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created', 'card.issued', 'card.transaction'],
  });
  await control('POST', '/partners', { name: 'Third' });
  const { body: token } = await control('POST', '/share-tokens', { expiresIn: '1h' });
  const created = api('POST', '/partner/cardholders', {
    ...newCardholder(),
    kycSource: options.names?.idp1 ?? 'idp1',
    idp1ShareToken: undefined,
    [`${options.names?.idp1 ?? 'idp1'}ShareToken`]: token.token,
  });
  expect(created.status).toBe(201);
  api('POST', `/partner/cardholders/${created.body.id}/kyc`, { cardProgramId: 'prog_everyday' });
  api('POST', '/partner/kyc-sessions', {});
  const { body: card } = await control('POST', '/cards/issue', { cardholderId: 'ch_mia_approved' });
  await control('POST', '/transactions', { cardId: card.id, amount: 1.5 });
  await control('POST', `/cards/${card.id}/3ds`, { amount: 1 });
  await control('POST', '/faults', { status: 503, times: 1, after: 9 });
  await control('POST', '/webhook-faults', { kind: 'reorder', times: 1 });
  await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '1d' });
  await control('POST', '/clock/advance', { duration: '90s' });
  return (await control('GET', '/state')).body;
}

test.each([
  ['other options into the defaults', OTHER, {}],
  ['the defaults into other options', {}, OTHER],
  ['other options into themselves', OTHER, OTHER],
])('a state of a sandbox with %s loads in every way', async (_, from, into) => {
  const state = await stateUnder(from);
  const put = startInProcess(into);
  expect(await put.control('PUT', '/state', state)).toEqual({ status: 204, body: null });
  expect((await put.control('GET', '/state')).body.tables).toEqual(state.tables);
  expect(await put.control('POST', '/worlds', { state })).toMatchObject({ status: 201 });
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'state.json');
  writeFileSync(file, JSON.stringify(state));
  for (const options of [{ fixtures: [file] }, { state: file }]) {
    const { clock: _clock, ...others } = into as CoreOptions;
    const loaded = startInProcess({ ...others, ...options });
    expect((await loaded.control('GET', '/state')).body.tables).toEqual(state.tables);
    await loaded.control('POST', '/clock/advance', { duration: '2d' });
    expect((await loaded.control('GET', '/state')).status).toBe(200);
  }
});

test('addresses that differ in case do not load where case does not count, and the refusal names the setting', async () => {
  const sensitive = startInProcess({ assume: { 'email-comparison': 'sensitive' } });
  sensitive.api('POST', '/partner/cardholders', newCardholder({ email: 'mia@example.com' }));
  sensitive.api('POST', '/partner/cardholders', newCardholder({ email: 'MIA@example.com' }));
  const { body: state } = await sensitive.control('GET', '/state');
  const refused = await startInProcess().control('PUT', '/state', state);
  expect([refused.status, refused.body.error]).toEqual([
    400,
    expect.stringMatching(/email: is taken by another cardholder; .* --assume email-comparison=sensitive$/),
  ]);
});
