import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sharedSandbox } from '../../support/cli-in-process.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const { run, json, running } = sharedSandbox();

test('clock now, advance, freeze and resume control the time', async () => {
  expect((await run('clock', 'now')).stdout).toBe(
    '  now            2026-03-15T10:00:00.000Z\n  mode           frozen\n  pendingTimers  1\n',
  );
  expect(await json('clock', 'advance', '90m')).toMatchObject({ now: '2026-03-15T11:30:00.000Z' });
  expect(await json('clock', 'advance', '--duration', '30m')).toMatchObject({
    now: '2026-03-15T12:00:00.000Z',
  });
  expect(await json('clock', 'resume')).toMatchObject({ mode: 'running' });
  expect(await json('clock', 'freeze', '2026-04-01T00:00:00Z')).toMatchObject({
    now: '2026-04-01T00:00:00.000Z',
    mode: 'frozen',
  });
  expect(await json('reset')).toEqual({});
  expect((await run('reset')).stdout).toBe('done\n');
});

test('share-tokens add takes the identity in flags without a prefix', async () => {
  const token = await json(
    'share-tokens',
    'add',
    '--outcome',
    'reject',
    '--first-name',
    'Mia',
    '--last-name',
    'Wong',
  );
  expect(token).toMatchObject({ outcome: 'reject', identity: { firstName: 'Mia', lastName: 'Wong' } });
});

test('simulate kyc decides a submission, simulate card issues and activates a card', async () => {
  const kyc = ['simulate', 'kyc', 'ch_nora_in_flight'];
  expect((await run(...kyc, '--reason', 'other')).stderr).toContain(
    "'--reason <reason...>' requires --outcome",
  );
  expect((await run(...kyc, '--outcome', 'reject', '--reason', 'mood')).stderr).toContain(
    '"document_expired"',
  );
  const decided = await json(...kyc, '--outcome', 'reject', '--reason', 'other', 'underage');
  expect(decided).toMatchObject({
    id: 'ch_nora_in_flight',
    kycStatus: 'rejected',
    kyc: { reasons: ['other', 'underage'] },
  });
  const card = await json('simulate', 'card', 'ch_mia_approved');
  expect(card).toMatchObject({ status: 'active', programId: 'prog_everyday', nameOnCard: 'Mia Keller' });
  const other = await json(
    'simulate',
    'card',
    'ch_mia_approved',
    '--program',
    'prog_travel',
    '--no-activate',
  );
  expect(other).toMatchObject({ status: 'created', programId: 'prog_travel' });
  const foreign = await json('simulate', 'card', 'ch_gus_globex');
  expect(foreign).toMatchObject({ status: 'active', programId: 'prog_globex' });
  expect((await run('simulate', 'card', 'ch_gus_globex', '--partner-id', 'partner_acme')).stderr).toBe(
    'error: no cardholder with id "ch_gus_globex"\n',
  );
  expect((await run('simulate', 'card', 'ch_gus_globex', '--partner-id', 'partner_globx')).stderr).toBe(
    'error: no partner with id "partner_globx", did you mean "partner_globex"?\n',
  );
});

test('a misspelt id is reported with the nearest known id', async () => {
  expect((await run('simulate', 'authorize', 'card_mia_actve', '5')).stderr).toBe(
    'error: no card with id "card_mia_actve", did you mean "card_mia_active"?\n',
  );
  expect((await run('cardholders', 'show', 'ch_somebody_else')).stderr).toBe(
    'error: no cardholder with id "ch_somebody_else"\n',
  );
});

test('simulate plays the card network: authorize, settle, reverse, 3ds, top-up', async () => {
  const authorize = ['simulate', 'authorize', 'card_mia_active'];
  await json('simulate', 'top-up', '500');
  const sale = await json(...authorize, '12.50', '--merchant-name', 'Bakery');
  expect(sale).toMatchObject({ status: 'authorized', amount: 12.5, merchant: { name: 'Bakery' } });
  expect(await json('simulate', 'settle', sale.id, '11.90')).toMatchObject({
    status: 'settled',
    settledAmount: 11.9,
  });
  const cash = await json(...authorize, '--amount', '20', '--type', 'cash');
  expect(await json('simulate', 'reverse', cash.id)).toMatchObject({ type: 'cash', status: 'reversed' });
  const declined = await json(...authorize, '1', '--decline-reason', 'incorrect_pin');
  expect(declined).toMatchObject({ status: 'declined', declineReason: 'incorrect_pin' });
  const { challengeId } = await json('simulate', '3ds', 'card_mia_active', '99');
  expect(await json('simulate', '3ds-verify', challengeId, '000000')).toMatchObject({ challengeId });
});

test('simulate increment, reverse and settle change the amount of an authorization', async () => {
  const { id, merchant } = await json(
    'simulate',
    'authorize',
    'card_mia_active',
    '80',
    '--merchant',
    'hotel',
  );
  expect(merchant.mcc).toBe('7011');
  expect(await json('simulate', 'increment', id, '20')).toMatchObject({ approved: true, amount: 100 });
  expect(await json('simulate', 'reverse', id, '--amount', '30')).toMatchObject({
    status: 'authorized',
    amount: 70,
  });
  const refused = await run('simulate', 'settle', id, '75');
  expect(refused.stderr).toContain('it cannot be settled for more without force');
  expect(await json('simulate', 'settle', id, '75', '--force')).toMatchObject({ settledAmount: 75 });
});

test('a merchant preset and a part of a merchant exclude each other', async () => {
  const words = ['simulate', 'authorize', 'card_mia_active', '5', '--merchant', 'hotel'];
  const { code, stderr } = await run(...words, '--merchant-name', 'Ritz');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("option '--merchant-name <text>' cannot be used with '--merchant <text>'"),
  ]);
});

test('the cardholder is played without the passcode: simulate 3ds-verify --correct', async () => {
  const { challengeId } = await json('simulate', '3ds', 'card_mia_active', '99');
  const [newest] = await json('challenges', 'list', '--card-id', 'card_mia_active');
  expect(newest).toMatchObject({ challengeId, status: 'pending' });
  expect(newest).not.toHaveProperty('otp');
  expect(await json('challenges', 'show', challengeId)).toHaveProperty('otp');
  expect(await json('simulate', '3ds-verify', challengeId, '--correct')).toMatchObject({
    status: 'approved',
  });
  const { code, stderr } = await run('simulate', '3ds-verify', challengeId, '--correct');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `error: challenge ${challengeId} is approved; its passcode works no longer, start another one\n`,
  });
  expect((await run('simulate', '3ds-verify', challengeId)).code).toBe(2);
  expect((await run('simulate', '3ds-verify', challengeId, '000000', '--correct')).code).toBe(2);
});

test('simulate limits changes the limits of a card', async () => {
  const card = await json('simulate', 'limits', 'card_mia_active', '900', '--sales-daily', '50');
  expect(card).toMatchObject({ limit: 900, spendControl: { sales: { daily: 50 } } });
});

test('states and checkpoints are saved and loaded', async () => {
  await json('clock', 'freeze', '2026-03-20T00:00:00Z');
  const saved = await json('checkpoints', 'save', 'before');
  expect(saved).toMatchObject({ name: 'before' });
  const file = await temporaryFile('state.json');
  expect(await run('state', 'save', file)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `saved to ${file}\n`,
  });
  const printed = JSON.parse((await run('state', 'save')).stdout);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(printed);
  await json('clock', 'advance', '1h');
  await json('checkpoints', 'restore', 'before');
  expect(await json('clock', 'now')).toMatchObject({ now: '2026-03-20T00:00:00.000Z' });
  expect(await json('checkpoints', 'list')).toMatchObject([{ name: 'before' }]);
  await json('clock', 'advance', '1h');
  await json('state', 'load', file);
  expect(await json('clock', 'now')).toMatchObject({ now: '2026-03-20T00:00:00.000Z' });
  await writeFile(file, '[]');
  const refused = await run('state', 'load', file);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/does not contain a JSON object\n$/),
  });
  await json('reset');
});

test('faults are added, listed and cleared, for the API and for webhooks', async () => {
  const fault = await json(
    'faults',
    'add',
    '--path',
    '/partner/cards',
    '--status',
    '503',
    '--delay',
    '1ms',
    '--body',
    '{"a":1}',
  );
  expect(fault).toMatchObject({ path: '/partner/cards', status: 503, delayMs: 1, body: { a: 1 } });
  const late = await json('faults', 'add', '--kind', 'delay', '--event-type', 'card.issued', '--delay', '2s');
  expect(late).toMatchObject({ kind: 'delay', eventType: 'card.issued', delayMs: 2_000 });
  expect((await json('faults', 'list')).map(({ id }: { id: string }) => id)).toEqual([fault.id, late.id]);
  expect((await running().ask('GET', '/v1/partner/cards')).status).toBe(503);
  await json('faults', 'clear');
  expect(await json('faults', 'list')).toEqual([]);
});

test('events are triggered, awaited, listed, shown and retried', async () => {
  const config = {
    webhookUrl: 'https://127.0.0.1:1',
    webhookSecret: 'a-secret-of-some-length',
    subscribedEvents: ['card.issued'],
  };
  await running().ask('PATCH', '/v1/partner/webhooks/config', config);
  const sent = await json('trigger', 'card.issued', '--resource', 'card_mia_active');
  await json('events', 'settle');
  const found = await json(
    'events',
    'wait',
    'card.issued',
    '--resource',
    'card_mia_active',
    '--timeout',
    '5s',
  );
  expect(found).toMatchObject({ id: sent.id, eventType: 'card.issued', resourceId: 'card_mia_active' });
  expect(await json('events', 'show', sent.id)).toMatchObject({ id: sent.id });
  expect((await run('events', 'list')).stdout).toMatch(
    new RegExp(`${sent.id} +\\S+Z +card\\.issued +pending`),
  );
  expect((await run('events', 'retry', sent.id)).stderr).toMatch(/^error: .*failed/);
  const { code, stderr } = await run('events', 'wait', 'balance.low', '--timeout', '1ms');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: no delivery with .* within 1 ms; /);
});

test('requests are listed, shown and explained', async () => {
  await running().ask('DELETE', '/_sandbox/requests');
  await running().ask('POST', '/v1/partner/cards', { cardholderId: 'ch_nobody' });
  const [entry] = await json('requests', 'list', '--status', '400');
  const table = (await run('requests', 'list')).stdout.split('\n');
  expect(table[0]).toMatch(/^id +at +status +method +path +refusal +query$/);
  expect(table[1]).toMatch(
    `${entry.id}  ${entry.at}  400     POST    /v1/partner/cards  body.cardProgramId: is required`,
  );
  expect(await json('requests', 'show', entry.id)).toEqual({ ...entry, wouldPass: expect.any(Array) });
  const { stdout } = await run('requests', 'explain', entry.id);
  expect(stdout).toBe(
    [
      'Request',
      '  POST /v1/partner/cards',
      `  by partner_acme at ${entry.at}, operation cards.issue`,
      '  body: {"cardholderId":"ch_nobody"}',
      'Response',
      '  400: body.cardProgramId: is required',
      'Decided by',
      '  assumption invalid-input, because section 7 of the interface is silent',
      `  ${entry.rule.decision}`,
      'Would have been accepted',
      '  a request with these fields, for example:',
      '  body.cardholderId: "ch_wendy_web", required',
      '  body.cardProgramId: "prog_everyday", required',
      '  body.type: "virtual", or physical',
      expect.anything(),
    ]
      .slice(0, -1)
      .join('\n') + stdout.slice(stdout.indexOf('\n  body.nameOnCard')),
  );
  expect(await json('requests', 'explain', entry.id)).toMatchObject({
    id: entry.id,
    wouldPass: expect.arrayContaining(['body.cardProgramId: "prog_everyday", required']),
  });
});

test('the newest refusal is explained without an id, and a journal without one is an error', async () => {
  await running().ask('DELETE', '/_sandbox/requests');
  const none = await run('requests', 'explain');
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no request in the journal was refused'),
  });
  await running().ask('GET', '/v1/partner/cards?limit=ten');
  await running().ask('GET', '/v1/partner/cards?limit=0');
  await running().ask('GET', '/v1/partner/cards');
  expect(await json('requests', 'explain')).toMatchObject({ status: 400, query: 'limit=0' });
});

test('a structured refusal is explained by its code', async () => {
  const again = {
    externalUserId: 'user-new',
    email: 'liam@example.org',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_x1',
  };
  const refused = await running().ask('POST', '/v1/partner/cardholders', again);
  const { stdout } = await run('requests', 'explain', refused.headers.get('x-sandbox-request') ?? '');
  expect(stdout).toContain('  section 7 of the interface');
  expect(stdout).toContain('Would have been accepted\n  for the same person, the existing cardholder');
});

test('flags set nested members and lists, and override a whole body', async () => {
  const settings = ['partners', 'update-settings', 'partner_globex'];
  const changed = await json(
    ...settings,
    '--ip-allow-list',
    '127.0.0.1',
    '--ip-allow-list',
    '::1',
    '--low-threshold',
    '5.5',
  );
  expect(changed).toMatchObject({ ipAllowList: ['127.0.0.1', '::1'], lowThreshold: 5.5 });
  const file = await temporaryFile('settings.json');
  await writeFile(file, '{"ipAllowList": [], "lowThreshold": 7}');
  expect(await json(...settings, '--body', `@${file}`, '--low-threshold', '8')).toMatchObject({
    ipAllowList: [],
    lowThreshold: 8,
  });
});

test('a record that does not exist is an error of the sandbox, with exit code 1', async () => {
  expect(await run('cardholders', 'show', 'ch_nobody')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'error: no cardholder with id "ch_nobody"\n',
  });
});

test('a group without a command shows its commands, as wrong usage', async () => {
  const { code, stderr } = await run('clock');
  expect(code).toBe(2);
  for (const word of ['now', 'advance', 'freeze', 'resume'])
    expect(stderr).toMatch(new RegExp(`^  ${word} `, 'm'));
});

test('an empty list prints none, and [] as JSON', async () => {
  expect((await run('requests', 'list', '--path', '/partner/usage/records')).stdout).toBe('none\n');
  expect(await json('requests', 'list', '--path', '/partner/usage/records')).toEqual([]);
});

test('a missing body file is one line', async () => {
  const { code, stderr } = await run('share-tokens', 'add', '--body', '@/no/such.json');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: /no/such.json cannot be read: there is no such file\n',
  });
});
