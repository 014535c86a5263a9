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
import { harProblems } from './support/har-problems.ts';

const start = () => startSandbox({ fixtures: ['starter'] });

async function exported({ origin }: TestSandbox, format: string, query = ''): Promise<string> {
  const response = await fetch(`${origin}/_sandbox/history/export?format=${format}${query}`);
  return response.text();
}

test('a scenario is valid and gives the same answers in a new sandbox, whatever the requests hold', async () => {
  const sandbox = await start();
  await playAwkwardStory(sandbox);
  const file = await temporaryFile('history.yaml');
  await writeFile(file, await exported(sandbox, 'scenario'));
  const second = await start();
  const stage = await createStage(second.origin, { inbox: 'not needed' });
  const report = await playToEnd(readScenario(file), stage);
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
  expect(text.match(/sk_test_\w+/g)).toEqual(['sk_test_unknown_key']);
  expect(text.split(WEBHOOK_SECRET)).toHaveLength(2);
  expect(Object.values(variables)).toContain(WEBHOOK_SECRET);
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

test('a HAR document has the members that version 1.2 requires', async () => {
  const sandbox = await start();
  await playAwkwardStory(sandbox);
  const har = JSON.parse(await exported(sandbox, 'har'));
  expect(harProblems(har)).toEqual([]);
  expect(har.log.entries).toHaveLength((await sandbox.control('GET', '/history')).body.length);
});

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
  const file = await temporaryFile('history.yaml');
  await writeFile(file, await exported(sandbox, 'scenario'));
  for (const second of [await start(), await startSandbox({ fixtures: ['starter'], names })]) {
    const stage = await createStage(second.origin, { inbox: 'not needed' });
    expect(await playToEnd(readScenario(file), stage)).toMatchObject({ ok: true });
  }
});

test('a history loads a state document again, as long as it is not large', async () => {
  const sandbox = await start();
  const { body: document } = await sandbox.control('GET', '/state');
  await sandbox.control('PUT', '/state', document);
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const text = await exported(sandbox, 'scenario');
  expect(parse(text).steps[0]).toMatchObject({ control: 'PUT /state', body: document });
  const second = await start();
  const file = await temporaryFile('history.yaml');
  await writeFile(file, text);
  const report = await playToEnd(
    readScenario(file),
    await createStage(second.origin, { inbox: 'not needed' }),
  );
  expect(report).toMatchObject({ ok: true });
  expect((await second.control('GET', '/state')).body).toEqual((await sandbox.control('GET', '/state')).body);

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
  expect(Object.values(variables)).toEqual([ACME_KEY]);
  expect(steps).toEqual([
    expect.objectContaining({ key: `\${${Object.keys(variables)[0]}}`, expect: { status: 401 } }),
  ]);
});
