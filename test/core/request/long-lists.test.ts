import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

const SETTINGS = '/partners/partner_acme/settings';
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
const origins = (count: number) => addresses(count).map(address => `https://${address}`);

test('a list takes 1,000 entries; one more is a 400 that changes nothing', async () => {
  const { control, api } = await startSandbox();
  const config = await api('PATCH', '/partner/webhooks/config', {
    subscribedEvents: Array(1_000).fill('card.issued'),
  });
  expect(config.body.subscribedEvents).toEqual(['card.issued']);
  expect((await control('PATCH', SETTINGS, { allowedOrigins: origins(1_000) })).status).toBe(200);
  const withAddresses = { ipAllowList: ['127.0.0.1', ...addresses(999)] };
  expect((await control('PATCH', SETTINGS, withAddresses)).status).toBe(200);
  const before = (await control('GET', SETTINGS)).body;
  for (const [path, field, list] of [
    [SETTINGS, 'ipAllowList', addresses(1_001)],
    [SETTINGS, 'allowedOrigins', origins(1_001)],
    ['/partner/webhooks/config', 'subscribedEvents', Array(1_001).fill('card.issued')],
  ] as const) {
    const ask = path === SETTINGS ? control : api;
    const { status, body } = await ask('PATCH', path, { [field]: list });
    expect([status, body.error]).toEqual([400, `body.${field}: must have at most 1000 items, has 1001`]);
  }
  expect((await control('GET', SETTINGS)).body).toEqual(before);
});

test('a list with 400,000 invalid entries is one problem', async () => {
  const { control, api } = await startSandbox();
  const list = Array(400_000).fill(1);
  const problem = 'must have at most 1000 items, has 400000';
  const settings = await control('PATCH', SETTINGS, { ipAllowList: list });
  expect([settings.status, settings.body.error]).toEqual([400, `body.ipAllowList: ${problem}`]);
  const config = await api('PATCH', '/partner/webhooks/config', { subscribedEvents: list });
  expect([config.status, config.body.error]).toEqual([400, `body.subscribedEvents: ${problem}`]);
});
