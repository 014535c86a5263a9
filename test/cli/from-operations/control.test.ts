import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sharedSandbox } from '../../support/cli-in-process.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const { run, json } = sharedSandbox();

test('an argument may be a flag, and a response without a body is an empty record', async () => {
  expect(await json('clock', 'advance', '--duration', '30m')).toMatchObject({
    now: '2026-03-15T10:30:00.000Z',
  });
  expect(await json('clock', 'resume')).toMatchObject({ mode: 'running' });
  expect(await json('reset')).toEqual({});
});

test('simulate kyc takes reasons of a rejection, and simulate card cardholders of any partner', async () => {
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

test('a state is saved and loaded', async () => {
  await json('clock', 'freeze', '2026-03-20T00:00:00Z');
  const file = await temporaryFile('state.json');
  expect(await run('state', 'save', file)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `saved to ${file}\n`,
  });
  const printed = JSON.parse((await run('state', 'save')).stdout);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(printed);
  await json('clock', 'advance', '1h');
  await json('state', 'load', file);
  expect(await json('clock', 'now')).toMatchObject({ now: '2026-03-20T00:00:00.000Z' });
  await writeFile(file, '[]');
  const refused = await run('state', 'load', file);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/does not contain a JSON object\n$/),
  });
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
