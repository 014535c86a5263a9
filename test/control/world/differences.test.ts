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
    clock: 'The clock is 75 d ahead of where it started.',
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

test('a clock that is a little less than two hours ahead is two hours ahead', async () => {
  const sandbox = await startSandbox({ freeze: true });
  await sandbox.control('POST', '/clock/advance', { duration: '7199s' });
  expect(await differences(sandbox)).toEqual({ clock: 'The clock is 2 h ahead of where it started.' });
});

test('a clock with a time of its own that was moved in either direction is told', async () => {
  const textAfter = async (freeze: boolean, at: string) => {
    const sandbox = await startSandbox({ freeze, clock: '2026-03-15T10:00:00Z' });
    await sandbox.control('POST', '/clock/freeze', { at });
    if (!freeze) await sandbox.control('POST', '/clock/resume');
    return (await differences(sandbox)).clock;
  };
  expect(await textAfter(true, '2026-03-12T10:00:00Z')).toBe('The clock is 3 d behind where it started.');
  expect(await textAfter(true, '2026-03-18T10:00:00Z')).toBe('The clock is 3 d ahead of where it started.');
  expect(await textAfter(true, '2026-03-15T10:00:00Z')).toBeUndefined();
  expect(await textAfter(false, '2026-03-12T10:00:00Z')).toMatch(
    /^The clock is .* behind where it started\.$/,
  );
  const ahead = /^The clock is .* ahead of where it would be without advances\.$/;
  expect(await textAfter(false, '2026-03-16T10:00:00Z')).toMatch(ahead);
});

test('each change of the forwarding is told', async () => {
  const sandbox = await startSandbox({ forwardTo: 'http://127.0.0.1:9/a', allowHttpWebhooks: true });
  const textAfter = async (forwarding: unknown) => {
    await sandbox.control('PUT', '/forwarding', forwarding);
    const { body } = await sandbox.control('GET', '/state/differences');
    return body.map(({ text }: { text: string }) => text);
  };
  expect(await textAfter({ url: null })).toEqual([
    'Webhooks are not forwarded; at the start they went to http://127.0.0.1:9/a.',
  ]);
  expect(await textAfter({ url: 'http://127.0.0.1:9/a', allowHttp: false })).toEqual([
    'Webhook URLs with http:// are refused, unlike at the start.',
  ]);
  const map = { 'https://hooks.partner.test': 'http://127.0.0.1:9' };
  expect(await textAfter({ map })).toEqual(['The mappings of webhook URLs were changed.']);
  expect(await textAfter({})).toEqual([]);
});

test('a fault can act until its window has ended', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/faults', { status: 503, until: '2026-03-15T10:00:01Z' });
  expect(await differences(sandbox)).toHaveProperty('faults');
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  expect(await differences(sandbox)).toEqual({});
});

test('a partner that is missing and several faults are told', async () => {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  const { body } = await control('GET', '/state');
  for (let count = 0; count < 2; count++) await control('POST', '/faults', { status: 503 });
  expect(await differences(sandbox)).toEqual({ faults: '2 faults of the API can still act.' });
  for (const [name, rows] of Object.entries<{ id: string; partnerId: string }[]>(body.tables)) {
    body.tables[name] = rows.filter(({ partnerId }) => partnerId !== 'partner_globex');
    body.counts[name] = body.tables[name].length;
  }
  expect((await control('PUT', '/state', body)).status).toBe(204);
  expect((await differences(sandbox)).partners).toBe('The partner Globex is missing.');
});
