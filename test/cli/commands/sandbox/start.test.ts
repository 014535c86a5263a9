import { rm, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { launchHere, runInProcess, startHere, startPrettyHere } from '../../../support/cli-in-process.ts';
import { runCli } from '../../../support/cli-process.ts';
import { ACME_KEY, GLOBEX_KEY, newCardholder } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

test('the first line of a JSON log has the addresses and API keys, and nothing else', async () => {
  const { listening } = await startHere();
  const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  expect(listening).toStrictEqual({
    type: 'listening',
    url,
    baseUrl: `${listening.url}/v1`,
    dashboardUrl: `${listening.url}/dashboard`,
    partners: [
      { id: 'partner_acme', name: 'Acme', apiKey: ACME_KEY },
      { id: 'partner_globex', name: 'Globex', apiKey: GLOBEX_KEY },
    ],
  });
});

test('the first line has the secret with which forwarded webhooks are signed, of a single partner too', async () => {
  const file = await temporaryFile('partner.yaml');
  await writeFile(
    file,
    'partners: [{ id: partner_solo, name: Solo, apiKey: sk_test_solo_0123456789abcdef }]',
  );
  const { listening } = await startHere(['--fixtures', file, '--forward-to', 'http://127.0.0.1:9/hooks']);
  expect(listening).toMatchObject({
    webhookSecrets: { partner_solo: expect.stringMatching(/^whsec_\w{24}$/) },
  });
});

test('a JSON log has one line for the start, one per API request and none for the control plane', async () => {
  const sandbox = await startHere(['--fixtures', 'empty', '--clock', '2026-03-15T10:00:00Z', '--freeze']);
  await sandbox.ask('GET', '/v1/partner/cards?limit=5&colour=red');
  await sandbox.ask('GET', '/_sandbox/info');
  const refused = await sandbox.ask('GET', '/v1/partner/cardholders/ch_nobody');
  await sandbox.stop();
  const [, first, second, ...rest] = sandbox.stdout().split('\n');
  expect(JSON.parse(first ?? '')).toStrictEqual({
    type: 'request',
    id: expect.stringMatching(/^req_/),
    world: 'main',
    at: '2026-03-15T10:00:00.000Z',
    partnerId: 'partner_acme',
    method: 'GET',
    url: '/v1/partner/cards?limit=5&colour=red',
    operation: 'cards.list',
    status: 200,
    durationMs: expect.any(Number),
    refusal: null,
    rule: null,
    fault: null,
    dropped: false,
    hints: ['query.colour is unknown and was ignored'],
  });
  expect(JSON.parse(second ?? '')).toMatchObject({
    id: refused.headers.get('x-sandbox-request'),
    status: 404,
    refusal: 'no cardholder with id "ch_nobody"',
    rule: 'assumption unknown-id',
  });
  expect(rest).toEqual(['']);
  expect(sandbox.stderr()).toBe('');
});

test('flags configure the sandbox', async () => {
  const sandbox = await startHere([
    ...['--fixtures', 'empty', '--seed', '7', '--clock', '2026-01-31T23:59:00Z', '--freeze'],
    ...['--kyc-delay', '90s', '--rate-limit', '3', '--allow-http-webhooks', '--documented-only'],
    ...['--retry-speed', '0.5', '--forward-to', 'http://127.0.0.1:9/hooks', '--insecure-webhook-tls'],
    ...['--map', 'https://a.test=http://127.0.0.1:1', '--map', 'https://b.test=http://127.0.0.1:2'],
    ...['--egress', 'any'],
  ]);
  const info = await sandbox.ask('GET', '/_sandbox/info');
  expect(info.body).toMatchObject({
    seed: 7,
    options: {
      fixtures: ['empty'],
      clock: '2026-01-31T23:59:00Z',
      freeze: true,
      kycDelay: '90s',
      rateLimit: 3,
      allowHttpWebhooks: true,
      retrySpeed: 0.5,
      forwardTo: 'http://127.0.0.1:9/hooks',
      map: ['https://a.test=http://127.0.0.1:1', 'https://b.test=http://127.0.0.1:2'],
      egress: 'any',
      insecureWebhookTls: true,
      documentedOnly: true,
    },
  });
  const clock = await sandbox.ask('GET', '/_sandbox/clock');
  expect(clock.body).toMatchObject({ now: '2026-01-31T23:59:00.000Z', mode: 'frozen' });
  const created = await sandbox.ask('POST', '/v1/partner/cardholders', newCardholder());
  const { id } = created.body;
  await sandbox.ask('POST', `/v1/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  const statusAfter = async (duration: string) => {
    await sandbox.ask('POST', '/_sandbox/clock/advance', { duration });
    return (await sandbox.ask('GET', `/_sandbox/cardholders/${id}`)).body.kycStatus;
  };
  // Within 60 s of the first request, so that the rate-limit window stays the same.
  const undocumented = await sandbox.ask('GET', '/v1/partner/cardholders');
  expect(undocumented).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('--documented-only') },
  });
  expect((await sandbox.ask('GET', '/v1/partner/cards')).status).toBe(429);
  expect(await statusAfter('89s')).toBe('pending');
  expect(await statusAfter('1s')).toBe('approved');
  const webhooks = { webhookUrl: 'http://127.0.0.1:9/', webhookSecret: 'a-secret-of-some-length' };
  expect((await sandbox.ask('PATCH', '/v1/partner/webhooks/config', webhooks)).status).toBe(200);
});

test('X-Forwarded-For is the client address only with --trust-proxy', async () => {
  const viaProxy = async (args: string[]) => {
    const sandbox = await startHere(args);
    const settings = { ipAllowList: ['203.0.113.7'] };
    await sandbox.ask('PATCH', '/_sandbox/partners/partner_acme/settings', settings);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    return (await sandbox.ask('GET', '/v1/partner/cards', undefined, headers)).status;
  };
  expect(await viaProxy([])).toBe(401);
  expect(await viaProxy(['--trust-proxy'])).toBe(200);
});

test('fixtures are built-in names and files, merged in order', async () => {
  const people = await temporaryFile('people.yaml');
  await writeFile(
    people,
    [
      'cardholders:',
      '  - id: ch_mia',
      '    externalUserId: user_mia',
      '    firstName: Mia',
      '    lastName: Wong',
      '    email: mia@example.com',
    ].join('\n'),
  );
  const sandbox = await startHere(['--fixtures', 'empty', people]);
  const response = await sandbox.ask('GET', '/v1/partner/cardholders/ch_mia');
  expect(response.body).toMatchObject({ firstName: 'Mia', externalUserId: 'user_mia' });
  const pretty = await startPrettyHere(['--fixtures', 'empty', '--fixtures', people]);
  expect(pretty.banner).toContain(`empty + ${people}`);
});

test('--json is short for --log-format json', async () => {
  const { printed } = launchHere(['start', '--port', '0', '--json']);
  const [line] = await printed(/^.*\n/);
  expect(JSON.parse(line)).toMatchObject({ type: 'listening' });
});

test('--background reports the sandbox once it responds, and what ended a start that failed', async () => {
  const start = (...flags: string[]) => runCli(['start', '--background', '--port', '0', ...flags]);
  const [started, failed] = await Promise.all([start(), start('--kyc-delay', 'soon')]);
  const { url, log } = JSON.parse(started.stdout);
  onTestFinished(() => rm(log));
  expect(await runInProcess(['stop', '--url', url, '--json'])).toMatchObject({ code: 0 });
  expect(started).toMatchObject({ code: 0, stderr: '' });
  expect(failed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--kyc-delay') });
});
