import { expect, test } from 'vitest';
import { HOOKS, SECRET } from '../../support/receiver.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

async function differences({ control }: TestSandbox): Promise<Record<string, string>> {
  const { body } = await control('GET', '/state/differences');
  return Object.fromEntries(body.map((each: { subject: string; text: string }) => [each.subject, each.text]));
}

test('a world that only has other records does not differ from its start', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
  expect(await differences(sandbox)).toEqual({});
});

test('clock, faults, forwarding, partners and their configuration are compared, until a reset', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { control, api } = sandbox;
  await control('POST', '/clock/advance', { duration: '75d' });
  await control('POST', '/clock/resume');
  await control('POST', '/faults', { status: 503, times: 1, path: '/partner/balance' });
  await control('POST', '/webhook-faults', { kind: 'drop' });
  await control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/hooks' });
  await control('POST', '/partners', { name: 'Hasty' });
  await control('PATCH', '/partners/partner_acme/settings', { lowThreshold: 5 });
  await control('POST', '/partners/partner_globex/keys/rotate');
  await control('PATCH', '/webhooks/config', { webhookUrl: HOOKS, webhookSecret: SECRET });
  expect(await differences(sandbox)).toEqual({
    clock: 'The clock is 75 d ahead of where it would be without advances.',
    faults: '1 fault of the API can still act.',
    'webhook-faults': '1 fault of webhooks can still act.',
    forwarding: 'Webhooks are forwarded to http://127.0.0.1:9/hooks; at the start they were not.',
    partners: 'The partner Hasty was added.',
    settings: 'Settings of Acme were changed: lowThreshold.',
    keys: 'The API key of Globex was rotated.',
    webhooks: 'The webhooks of Acme were changed: webhookUrl, webhookSecret, subscribedEvents.',
  });

  expect((await api('GET', '/partner/balance')).status).toBe(503);
  expect(await differences(sandbox)).not.toHaveProperty('faults');
  await control('POST', '/reset');
  // The forwarding outlives a reset.
  expect(Object.keys(await differences(sandbox))).toEqual(['forwarding']);
});

test('the clock of a sandbox that follows real time is compared with it', async () => {
  const sandbox = await startSandbox({ clock: undefined, freeze: false });
  expect(await differences(sandbox)).toEqual({});
  await sandbox.control('POST', '/clock/advance', { duration: '3h' });
  expect(await differences(sandbox)).toEqual({ clock: 'The clock is 3 h ahead of real time.' });
  await sandbox.control('POST', '/clock/freeze');
  const { body } = await sandbox.control('GET', '/state/differences');
  expect(body[0]).toMatchObject({ subject: 'clock', text: 'The clock is frozen; it started running.' });
});
