import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readScenario } from '../../../src/tools/scenarios/file/read.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import {
  ACME_KEY,
  GLOBEX_KEY,
  type Json,
  newCardholder,
  startSandbox,
  type TestSandbox,
} from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';
import { answersOf, LEAKED, LIVE_KEY, playAwkwardStory, WEBHOOK_SECRET } from './support/awkward-story.ts';

const start = () => startSandbox({ fixtures: ['starter'] });

async function exported({ origin }: TestSandbox, format: string, query = ''): Promise<string> {
  const response = await fetch(`${origin}/_sandbox/history/export?format=${format}${query}`);
  return response.text();
}

/** Plays the text of a scenario on a sandbox. */
async function played({ origin }: TestSandbox, text: string) {
  const file = await temporaryFile('history.yaml');
  await writeFile(file, text);
  return playToEnd(readScenario(file), await createStage(origin, { inbox: 'not needed' }));
}

test('a scenario is valid and gives the same answers in a new sandbox, whatever the requests hold', async () => {
  const sandbox = await start();
  await playAwkwardStory(sandbox);
  const second = await start();
  const report = await played(second, await exported(sandbox, 'scenario'));
  expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(await answersOf(second)).toEqual(await answersOf(sandbox));
});

test('in a scenario, ids are captures, and keys and secrets variables', async () => {
  const sandbox = await start();
  const { rotatedKey } = await playAwkwardStory(sandbox);
  const text = await exported(sandbox, 'scenario');
  const { steps, variables } = parse(text);
  const keys = [ACME_KEY, GLOBEX_KEY, rotatedKey];
  expect(keys.filter(each => text.includes(each))).toEqual([]);
  expect(text.match(/sk_test_\w+/g)).toEqual([variables.apiKey4]);
  expect(text).not.toContain(WEBHOOK_SECRET);
  // As long as the secret, so that it is accepted as well.
  expect(variables.webhookSecret2).toHaveLength(WEBHOOK_SECRET.length);
  expect(steps[0]).toEqual({
    say: 'The keys of other partners',
    control: 'GET /info',
    capture: { apiKey: 'body.partners[1].apiKey' },
  });
  const [created] = steps.filter(({ request }: Json) => request === 'POST /partner/cardholders');
  expect(created.capture).toMatchObject({ cardholder: 'body.id' });
  expect(steps).toContainEqual(expect.objectContaining({ expect: { dropped: true } }));
});

test.each(['scenario', 'har', 'curl'])(
  'the format %s shows no passcode, no number or CVV of a card and no live key, nor does the list',
  async format => {
    const sandbox = await start();
    const { passcode, card } = await playAwkwardStory(sandbox);
    expect(card.number.replaceAll(' ', '')).toMatch(/^\d{16}$/);
    const list = JSON.stringify((await sandbox.control('GET', '/history')).body);
    const text = (await exported(sandbox, format)) + list;
    const digits = text.replace(/[ -]/g, '');
    for (const number of [card.number, LEAKED.pan, LEAKED.note]) {
      expect(digits).not.toContain(number.replace(/\D/g, ''));
    }
    for (const secret of [passcode, LIVE_KEY, LEAKED.cvv]) {
      expect(text).not.toMatch(new RegExp(`(?<!\\w)${secret}(?!\\w)`));
    }
  },
);

test('from and to limit an export, both inclusive', async () => {
  const sandbox = await start();
  for (let count = 0; count < 4; count++) await sandbox.api('GET', '/partner/balance');
  const [, last, first] = (await sandbox.control('GET', '/history')).body;
  const har = JSON.parse(await exported(sandbox, 'har', `&from=${first.id}&to=${last.id}`));
  expect(har.log.entries.map(({ comment }: Json) => comment.split(':')[0])).toEqual([first.id, last.id]);
  const { body, status } = await sandbox.control('GET', `/history/export?from=${last.id}&to=${first.id}`);
  expect([status, body.error]).toEqual([400, 'query.to: must not be an entry before that of from']);
});

test('a history in the names of a partner plays on a sandbox with and without them', async () => {
  const names = { service: 'acme', idp1: 'veritas' };
  const sandbox = await startSandbox({ fixtures: ['starter'], names });
  const body = { externalUserId: 'u1', email: 'u1@example.com', phoneNumber: '+4915123456789' };
  const ownNames = { kycSource: 'veritas', veritasShareToken: 'veritas_test_approve_1' };
  const headers = { 'x-acme-api-key': ACME_KEY, 'content-type': 'application/json' };
  const created = await fetch(`${sandbox.origin}/v1/partner/cardholders`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...body, ...ownNames }),
  });
  expect(created.status).toBe(201);
  const text = await exported(sandbox, 'scenario');
  for (const second of [await start(), await startSandbox({ fixtures: ['starter'], names })])
    expect(await played(second, text)).toMatchObject({ ok: true });
});

test('a history loads a state document again without its secrets, as long as it is not large', async () => {
  const sandbox = await start();
  const secret = 'a-secret-of-the-partner';
  const body = { webhookUrl: 'https://hooks.partner.test/', webhookSecret: secret };
  await sandbox.api('PATCH', '/partner/webhooks/config', body);
  await sandbox.control('POST', '/cards/card_mia_active/3ds', {});
  const { body: document } = await sandbox.control('GET', '/state');
  document.tables.apiKeys[0].id = 'sk_test_of_the_document';
  await sandbox.control('PUT', '/state', document);
  const key = { 'x-service-api-key': 'sk_test_of_the_document' };
  const { cardNumbers, shareTokens, challenges, cards } = document.tables;
  await sandbox.api('POST', '/partner/cardholders', newCardholder(), key);
  const token = shareTokens.find(({ source, usedBy }: Json) => source === 'idp1' && usedBy === null).token;
  const donor = newCardholder({ idp1ShareToken: token });
  expect((await sandbox.api('POST', '/partner/cardholders', donor, key)).status).toBe(201);
  await sandbox.api('GET', `/partner/cards/${cards[0].id}`, undefined, key);

  const text = await exported(sandbox, 'scenario');
  const held = [secret, token, document.secrets?.key ?? 'none', 'sk_test_of_the_document', ACME_KEY];
  const printed = cardNumbers.flatMap(({ number }: Json) => [number]);
  const leaked = [...held, ...printed, ...challenges.map(({ otp }: Json) => `"?${otp}"?\n`)];
  expect(leaked.filter(each => new RegExp(each).test(text))).toEqual([]);
  expect(text).not.toMatch(/\b[2-6]\d{15}\b/);

  const second = await start();
  const report = await played(second, text);
  expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(await answersOf(second)).toEqual(await answersOf(sandbox));

  const response = await fetch(`${sandbox.origin}/_sandbox/state`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document) + ' '.repeat(1024 * 1024),
  });
  expect(response.status).toBeLessThan(300);
  const { steps } = parse(await exported(sandbox, 'scenario'));
  expect(steps.at(-1)).toEqual({ say: expect.stringMatching(/^Load a world .* \(cannot be repeated\)$/) });
});

test('a history that begins after a key was rotated repeats requests with the former key', async () => {
  const sandbox = await start();
  await sandbox.control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '0s' });
  const refused = await sandbox.api('GET', '/partner/balance');
  expect(refused.status).toBe(401);
  const from = refused.headers.get('x-sandbox-request');
  const { steps, variables } = parse(await exported(sandbox, 'scenario', `&from=${from}`));
  expect(Object.values(variables)).toEqual(['sk_test_recorded_apiKey']);
  expect(steps).toEqual([
    expect.objectContaining({ key: `\${${Object.keys(variables)[0]}}`, expect: { status: 401 } }),
  ]);
});

test('a history that begins after a key was rotated sends the current key where the former one worked', async () => {
  const sandbox = await start();
  const rotate = (gracePeriod: string) =>
    sandbox.control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod });
  // A reset starts the ids of requests again: this one gets that of the first one after it.
  await sandbox.api('GET', '/partner/balance');
  await rotate('24h');
  const first = await sandbox.api('GET', '/partner/balance');
  await rotate('0s');
  expect((await sandbox.api('GET', '/partner/balance')).status).toBe(200);
  await sandbox.control('PUT', '/state', (await sandbox.control('GET', '/state')).body);
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', '/partner/balance')).status).toBe(200);
  const from = first.headers.get('x-sandbox-request') ?? '';
  const text = await exported(sandbox, 'scenario', `&from=${from}`);
  expect(text).not.toContain(ACME_KEY);
  await sandbox.control('POST', '/rewind', { to: from });
  const report = await played(sandbox, text);
  expect(report).toMatchObject({ failed: 0, reproduced: { same: 3, of: 3 } });
  expect(report.steps.filter(({ heading }) => heading === 'The current key')).toHaveLength(3);
});

test('a request with a key of a loaded state is repeated with the key that is loaded instead', async () => {
  const sandbox = await start();
  const { body: document } = await sandbox.control('GET', '/state');
  // The partners come in another order.
  document.tables.partners.reverse();
  document.tables.apiKeys.find(({ id }: Json) => id === ACME_KEY).id = 'sk_test_of_the_document';
  await sandbox.control('PUT', '/state', document);
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  const key = { 'x-service-api-key': 'sk_test_of_the_document' };
  expect((await sandbox.api('GET', '/partner/balance', undefined, key)).status).toBe(200);
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', '/partner/balance')).status).toBe(200);
  const report = await played(await start(), await exported(sandbox, 'scenario'));
  expect(report).toMatchObject({ failed: 0, reproduced: { same: 2, of: 2 } });
});

test('a key that was refused before it was issued is the issued one after that', async () => {
  const sandbox = await start();
  const rotate = async () =>
    (await sandbox.control('POST', '/partners/partner_globex/keys/rotate', {})).body.apiKey;
  const apiKey = await rotate();
  await sandbox.control('POST', '/reset');
  const key = { 'x-service-api-key': apiKey };
  const refused = await sandbox.api('GET', '/partner/balance', undefined, key);
  expect([refused.status, await rotate()]).toEqual([401, apiKey]);
  expect((await sandbox.api('GET', '/partner/balance', undefined, key)).status).toBe(200);
  const from = refused.headers.get('x-sandbox-request') ?? '';
  const text = await exported(sandbox, 'scenario', `&from=${from}`);
  await sandbox.control('POST', '/rewind', { to: from });
  expect(await played(sandbox, text)).toMatchObject({ failed: 0 });
});

test('a share token of the start is read before a checkpoint without it is restored', async () => {
  const sandbox = await start();
  await sandbox.control('POST', '/checkpoints/before');
  // The checkpoint starts the ids of requests again, as a reset does.
  await sandbox.api('GET', '/partner/balance');
  const minted = (await sandbox.control('POST', '/share-tokens', { source: 'idp1' })).body;
  const first = await sandbox.api('GET', '/partner/balance');
  await sandbox.control('GET', '/share-tokens');
  await sandbox.control('POST', '/checkpoints/before/restore');
  const donor = newCardholder({ idp1ShareToken: minted.token });
  expect((await sandbox.api('POST', '/partner/cardholders', donor)).status).toBe(400);
  const from = first.headers.get('x-sandbox-request') ?? '';
  const text = await exported(sandbox, 'scenario', `&from=${from}`);
  expect(text).not.toContain(minted.token);
  await sandbox.control('POST', '/rewind', { to: from });
  const report = await played(sandbox, text);
  expect(report).toMatchObject({ failed: 0, reproduced: { same: 2, of: 2 } });
});

test('a magic token stays itself in a state that a history loads', async () => {
  const sandbox = await start();
  const person = (token: string) => newCardholder({ idp1ShareToken: token });
  const token = 'idp1_test_approve_twice';
  await sandbox.api('POST', '/partner/cardholders', person(token));
  await sandbox.control('PUT', '/state', (await sandbox.control('GET', '/state')).body);
  const globex = { 'x-service-api-key': GLOBEX_KEY };
  expect((await sandbox.api('POST', '/partner/cardholders', person(token), globex)).status).toBe(201);
  const report = await played(await start(), await exported(sandbox, 'scenario'));
  expect(report.steps.filter(({ status }) => status !== 'passed')).toEqual([]);
});

test('a script takes no variable from the environment whose whole name a client chose', async () => {
  const sandbox = await start();
  await sandbox.api('POST', '/partner/kyc-sessions', {
    PATHToken: 'x',
    BASH_ENV_SECRET: 'abcdef',
    externalUserId: 'a',
  });
  await sandbox.api('GET', '/partner/balance', undefined, { 'x-service-api-key': 'sk_test_unknown' });
  const { body } = await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: 'b' });
  await sandbox.api('GET', `/partner/kyc-sessions/${body.id}`);
  const script = await exported(sandbox, 'curl');
  const names = [...script.matchAll(/^(\w+)=|\$\{?([A-Za-z_]\w*)/gm)].map(
    ([, set, read]) => set ?? read ?? '',
  );
  const known = ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'CARD_SANDBOX_URL', 'REAL_TIME', '1', '2'];
  const others = new Set(names.filter(name => !known.includes(name)));
  expect([...others].sort()).toEqual([
    'CARD_SANDBOX_VAR_BASH_ENV_SECRET',
    'CARD_SANDBOX_VAR_apiKey',
    'CARD_SANDBOX_VAR_kycSession',
    'response',
  ]);
});

test('a request with an empty key is repeated without one, which gets the same response', async () => {
  const sandbox = await start();
  await sandbox.api('GET', '/partner/balance', undefined, { 'x-service-api-key': '' });
  const second = await start();
  await played(second, await exported(sandbox, 'scenario'));
  const refusal = async ({ control }: TestSandbox) => {
    const [{ id }] = (await control('GET', '/requests?status=401')).body;
    return (await control('GET', `/requests/${id}`)).body.response.body;
  };
  expect(await refusal(sandbox)).toContain('is missing');
  expect(await refusal(second)).toEqual(await refusal(sandbox));
});

test.each([
  // A scenario doubles the sign of a text, and a shell script puts a backslash before it.
  ['scenario', /(?<!\$)\$\{/, 3],
  ['curl', /(?<!\\)\$\{?(?:HOME|apiKey)/, 2],
])(
  'in the format %s a text of a client never becomes a reference to a variable, whatever characters it has',
  async (format, reference, places) => {
    const sandbox = await start();
    const names = ['\uFDD0HOME\uFDD1', '\uFDD0apiKey\uFDD1', `\${HOME}`, '$HOME', '`id`', '\u0000', '\uFFFE'];
    for (const name of names) await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: name });
    await fetch(`${sandbox.origin}/v1/partner/kyc-sessions?\uFDD0HOME\uFDD1`, {
      method: 'POST',
      headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'text/plain' },
      body: '"id": "\uFDD0HOME\uFDD1',
    });
    const text = await exported(sandbox, format);
    expect(text).not.toMatch(reference);
    expect(text.match(/\uFDD0HOME\uFDD1/g)).toHaveLength(places);
  },
);

test('a share token that existed at the start is read from the sandbox where the history is played', async () => {
  const sandbox = await start();
  const body = newCardholder({ idp1ShareToken: 'tok_ana_approve' });
  expect((await sandbox.api('POST', '/partner/cardholders', body)).status).toBe(201);
  await sandbox.api('POST', '/partner/cardholders', {
    ...body,
    externalUserId: 'other',
    email: 'b@example.com',
  });
  for (const format of ['scenario', 'har', 'curl']) {
    expect(await exported(sandbox, format)).not.toContain('tok_ana_approve');
  }
  const second = await start();
  const report = await played(second, await exported(sandbox, 'scenario'));
  expect(report).toMatchObject({ failed: 0, reproduced: { same: 2, of: 2 } });
});

test('a secret that a client repeats in another place is in no export', async () => {
  const sandbox = await start();
  const webhookSecret = 'hunter2-secret-hunter2';
  const body = { webhookUrl: 'https://hooks.partner.test/', webhookSecret };
  await sandbox.api('PATCH', '/partner/webhooks/config', body);
  const note = `${webhookSecret}, ${ACME_KEY}`;
  await sandbox.api('POST', `/partner/kyc-sessions?note=${webhookSecret}`, { externalUserId: note });
  for (const format of ['scenario', 'curl']) {
    const text = await exported(sandbox, format);
    expect(text).not.toContain(webhookSecret);
    expect(text).not.toContain(ACME_KEY);
  }
});
