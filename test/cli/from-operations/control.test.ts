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
