import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readScenario } from '../../../src/tools/scenarios/file/read.ts';
import { readStories } from '../../../src/tools/scenarios/present/create-stories.ts';
import { storyId } from '../../../src/tools/scenarios/present/stories.ts';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const SCENARIOS = join(import.meta.dirname, '../../../fixtures/scenarios');

async function goTo(sandbox: TestSandbox, story: string, to: number, world = ''): Promise<Json> {
  const { status, body } = await sandbox.control('POST', `${world}/stories/${story}/steps`, { to });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const names = async (sandbox: TestSandbox) => {
  const { body } = await sandbox.control('GET', '/cardholders');
  return body.map((each: Json) => each.lastName);
};

test('the built-in scenarios are the stories of the presenter', async () => {
  const sandbox = await startSandbox();
  const { body } = await sandbox.control('GET', '/stories');
  const ids = readdirSync(SCENARIOS).map(file => basename(file, '.yaml'));
  expect(body.map(({ id }: Json) => id).sort()).toEqual(ids.sort());
  expect(body.slice(0, 3).map(({ id }: Json) => id)).toEqual([
    'kyc-reimport',
    'error-flows',
    'card-lifecycle',
  ]);
  for (const { id, steps, problem } of body) {
    expect({ steps, problem }).toEqual({ steps: readScenario(id).steps.length, problem: null });
  }
  const unknown = await sandbox.control('GET', '/stories/kyc-reimports');
  expect(unknown.status).toBe(404);
  expect(unknown.body.error).toContain('did you mean "kyc-reimport"?');
});

test('a step shows its request, response, webhook and the records before and after it', async () => {
  const sandbox = await startSandbox();
  const { played } = await goTo(sandbox, 'kyc-reimport', 6);
  expect(played.map(({ status }: Json) => status)).toEqual(Array(6).fill('passed'));
  const [request, response] = played[5].scenes;
  expect(request).toMatchObject({ kind: 'request', method: 'POST', path: '/v1/partner/cardholders' });
  expect(response).toMatchObject({ kind: 'response', status: 200, statusText: 'OK' });
  expect(response.members).toContainEqual({ name: 'lastName', value: 'Lefebvre' });
  const [webhook] = played[3].scenes;
  expect(webhook).toMatchObject({
    kind: 'webhook',
    eventType: 'cardholder.created',
    isSigned: true,
    status: 'delivered',
  });
  expect(webhook.headers.map(({ name }: Json) => name)).toEqual(['X-Service-Event', 'X-Service-Signature']);
  const [{ kind, action, members }] = played[5].changes;
  expect([kind, action]).toEqual(['cardholder', 'updated']);
  expect(members).toContainEqual({ name: 'lastName', before: 'Lefevbre', after: 'Lefebvre' });
});

test('a record that was there before the story has its before as well', async () => {
  const steps = [
    { request: 'POST /partner/cards/card_mia_active/freeze' },
    { request: 'POST /partner/cards/card_mia_active/unfreeze' },
  ];
  const file = fixtureFile(JSON.stringify({ name: 'Freeze', steps }));
  const sandbox = await startSandbox(
    { fixtures: ['starter'] },
    {},
    { createStories: await readStories([file]) },
  );
  const { played } = await goTo(sandbox, storyId(file), 2);
  const members = played.map(({ changes }: Json) => changes[0].members);
  expect(members[0]).toContainEqual({ name: 'status', before: 'active', after: 'frozen' });
  expect(members[1]).toContainEqual({ name: 'status', before: 'frozen', after: 'active' });
});

test('a transaction changes its card and the balance as well', async () => {
  const text =
    'name: Buy\nsteps: [{ control: POST /transactions, body: { cardId: card_mia_active, amount: 12 } }]\n';
  const file = fixtureFile(text);
  const sandbox = await startSandbox(
    { fixtures: ['starter'] },
    {},
    { createStories: await readStories([file]) },
  );
  const { played } = await goTo(sandbox, storyId(file), 1);
  const changes = played[0].changes.map(({ kind, members }: Json) => [
    kind,
    members.map(({ before, after }: Json) => Number(after) - Number(before)),
  ]);
  expect(Object.fromEntries(changes)).toMatchObject({ card: [12, 12, 12], balance: [-12, 12] });
});

test('of tokens and keys a story shows the last four characters', async () => {
  const sandbox = await startSandbox();
  const { played } = await goTo(sandbox, 'kyc-reimport', 6);
  const [{ token }] = (await sandbox.control('GET', '/share-tokens')).body;
  expect(JSON.stringify(played)).not.toContain(token);
  expect(played[5].scenes[0].members).toContainEqual({
    name: 'idp1ShareToken',
    value: `…${token.slice(-4)}`,
  });
  expect(played[5].scenes[0].headers).toEqual([{ name: 'x-service-api-key', value: '…cdef' }]);
});

test('going back is a rewind, after which the step is played again', async () => {
  const sandbox = await startSandbox();
  await goTo(sandbox, 'kyc-reimport', 6);
  expect(await names(sandbox)).toEqual(['Lefebvre']);
  expect((await goTo(sandbox, 'kyc-reimport', 3)).played).toHaveLength(3);
  expect(await names(sandbox)).toEqual(['Lefevbre']);
  const { played } = await goTo(sandbox, 'kyc-reimport', 6);
  expect(played.map(({ status }: Json) => status)).toEqual(Array(6).fill('passed'));
  await goTo(sandbox, 'kyc-reimport', 0);
  expect(await names(sandbox)).toEqual([]);
});

test('a story that was reset away begins again', async () => {
  const sandbox = await startSandbox();
  await goTo(sandbox, 'kyc-reimport', 6);
  await sandbox.control('POST', '/reset');
  expect((await goTo(sandbox, 'kyc-reimport', 0)).played).toEqual([]);
  const { played } = await goTo(sandbox, 'kyc-reimport', 4);
  expect(played.map(({ status }: Json) => status)).toEqual(Array(4).fill('passed'));
});

test('a step that others have rewound away cannot be gone back to, but the story can begin again', async () => {
  const sandbox = await startSandbox();
  await goTo(sandbox, 'kyc-reimport', 4);
  const { length } = (await sandbox.control('GET', '/history')).body;
  await sandbox.control('POST', '/rewind', { steps: length });
  const refused = await sandbox.control('POST', '/stories/kyc-reimport/steps', { to: 2 });
  expect([refused.status, refused.body.error]).toEqual([
    400,
    'the history no longer reaches back to this step; start the story again',
  ]);
  await goTo(sandbox, 'kyc-reimport', 0);
  const { played } = await goTo(sandbox, 'kyc-reimport', 4);
  expect(played.map(({ status }: Json) => status)).toEqual(Array(4).fill('passed'));
});

test('the clock is held during a story; leaving it restores clock, webhooks and forwarding, and keeps the records', async () => {
  const sandbox = await startSandbox({ freeze: false, forwardTo: 'http://127.0.0.1:9/webhooks' });
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: 'https://acme.test/hooks' });
  await goTo(sandbox, 'kyc-reimport', 4);
  expect((await sandbox.control('GET', '/clock')).body.mode).toBe('frozen');
  expect((await sandbox.control('DELETE', '/stories')).status).toBe(204);
  expect((await sandbox.control('GET', '/clock')).body.mode).toBe('running');
  expect((await sandbox.api('GET', '/partner/webhooks/config')).body.webhookUrl).toBe(
    'https://acme.test/hooks',
  );
  expect((await sandbox.control('GET', '/forwarding')).body.url).toBe('http://127.0.0.1:9/webhooks');
  expect(await names(sandbox)).toEqual(['Lefevbre']);
  expect((await sandbox.control('GET', '/stories/kyc-reimport')).body.played).toEqual([]);
});

test('each world has a story of its own', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/worlds', { id: 'blue' });
  await goTo(sandbox, 'kyc-reimport', 3, '/worlds/blue');
  await goTo(sandbox, 'error-flows', 2);
  expect((await sandbox.control('GET', '/worlds/blue/stories/kyc-reimport')).body.played).toHaveLength(3);
  expect(await names(sandbox)).toEqual([]);
});

test('a story has the names of the partner', async () => {
  const sandbox = await startSandbox({ names: { service: 'acme', idp1: 'checkly' } });
  const { played } = await goTo(sandbox, 'kyc-reimport', 4);
  const text = JSON.stringify(played);
  expect(text).toContain('{"name":"kycSource","value":"checkly"}');
  for (const name of ['checklyShareToken', 'x-acme-api-key', 'X-Acme-Signature'])
    expect(text).toContain(name);
  expect(text).not.toMatch(/idp1|x-service/i);
  expect(played.map(({ status }: Json) => status)).toEqual(Array(4).fill('passed'));
});

test('with --documented-only a story that needs an assumed operation says so and is not played', async () => {
  const sandbox = await startSandbox({ documentedOnly: true });
  const { body } = await sandbox.control('GET', '/stories');
  const { problem } = body.find(({ id }: Json) => id === 'card-lifecycle');
  expect(problem).toBe(
    'Step 1 needs GET /partner/card-programs, which --documented-only refuses. Start the sandbox without it to play this story.',
  );
  const refused = await sandbox.control('POST', '/stories/card-lifecycle/steps', { to: 1 });
  expect([refused.status, refused.body.error]).toEqual([400, problem]);
});
