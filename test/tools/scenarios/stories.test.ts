import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readScenario } from '../../../src/tools/scenarios/file/read.ts';
import { readStories } from '../../../src/tools/scenarios/present/create-stories.ts';
import { storyId } from '../../../src/tools/scenarios/present/stories.ts';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { manualTime } from '../../support/manual-time.ts';
import { ALL_TYPES } from '../../support/receiver.ts';
import { ACME_KEY, type Json, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { newWorld } from '../../support/worlds.ts';

const SCENARIOS = join(import.meta.dirname, '../../../fixtures/scenarios');
const STORY = 'kyc-reimport';

/** Goes to a step of a story, from `main` or from another world. */
async function goTo(sandbox: TestSandbox, story: string, to: number, world = ''): Promise<Json> {
  const { status, body } = await sandbox.control('POST', `${world}/stories/${story}/steps`, { to });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The last names of the cardholders that a run has created. */
async function names(sandbox: TestSandbox, { run }: Json): Promise<string[]> {
  const { body } = await sandbox.control('GET', `/worlds/${run}/cardholders?q=zoe`);
  return body.map((each: Json) => each.lastName);
}

/** The facts about the people of the last step, by name. */
function factsOf({ played }: Json, person: number): Json {
  const { facts } = played.at(-1).people[person];
  return Object.fromEntries(facts.map((fact: Json) => [fact.name, fact]));
}

const all = (count: number) => Array(count).fill('passed');
const statuses = ({ played }: Json) => played.map(({ status }: Json) => status);

/** Plays scenario files of a partner. */
async function startWith(scenario: object) {
  const file = fixtureFile(JSON.stringify(scenario));
  const sandbox = await startSandbox({}, {}, { createStories: await readStories([file]) });
  return { sandbox, story: storyId(file) };
}

test('the built-in scenarios are the stories of the presenter', async () => {
  const sandbox = await startSandbox();
  const { body } = await sandbox.control('GET', '/stories');
  const ids = readdirSync(SCENARIOS).map(file => basename(file, '.yaml'));
  expect(body.map(({ id }: Json) => id).sort()).toEqual(ids.sort());
  expect(body.filter(({ isFeatured }: Json) => isFeatured).map(({ id }: Json) => id)).toEqual(
    'kyc-reimport card-lifecycle subscription hotel errors-in-requests errors-too-late errors-of-the-service'.split(
      ' ',
    ),
  );
  for (const { id, isFeatured: _, ...others } of body) {
    const { name, description, steps } = readScenario(id);
    expect(others).toEqual({ title: name, description, steps: steps.length, run: null, step: 0 });
    // One sentence.
    expect(description).toMatch(/^[^.]+\.$/);
  }
  const unknown = await sandbox.control('GET', '/stories/kyc-reimports');
  expect(unknown.status).toBe(404);
  expect(unknown.body.error).toContain('did you mean "kyc-reimport"?');
});

test('a step shows its message, its request with its response or its webhook, and whom it is about', async () => {
  const sandbox = await startSandbox();
  const view = await goTo(sandbox, STORY, 6);
  expect(statuses(view)).toEqual(all(6));
  expect(view.parties.map(({ name }: Json) => name)).toEqual([
    'Zoe',
    "Zoe's bank",
    'Acme',
    'Card service',
    'Card provider',
  ]);
  expect(view.steps[4]).toMatchObject({
    chapter: 'The correction',
    message: { from: 'bank', to: 'partner' },
  });
  expect(view.steps[5].message).toEqual({ from: 'partner', to: 'service' });
  const [request, response] = view.played[5].scenes;
  expect(request).toMatchObject({
    kind: 'request',
    method: 'POST',
    path: '/v1/partner/cardholders',
    left: 3,
  });
  expect(response).toMatchObject({ kind: 'response', status: 200, statusText: 'OK', left: 7 });
  expect(response.members).toContainEqual({ name: 'lastName', value: 'Lefebvre' });
  expect(JSON.parse(response.body)).toMatchObject({ lastName: 'Lefebvre', kycStatus: 'pending' });
  const [webhook] = view.played[3].scenes;
  expect(webhook).toMatchObject({ eventType: 'cardholder.created', isSigned: true, status: 'delivered' });
  expect(factsOf(view, 0).Name).toMatchObject({
    before: 'Zoe Lefevbre',
    value: 'Zoe Lefebvre',
    isChanged: true,
  });
  expect(factsOf(view, 0)['Identity check']).toMatchObject({ value: 'not submitted', isChanged: false });
});

test('people are on the screen before Acme knows them; lock, card, balance and what was refused follow', async () => {
  const sandbox = await startSandbox();
  const first = await goTo(sandbox, STORY, 1);
  expect(factsOf(first, 0).Name.value).toBe('not known to Acme yet');
  const refused = await goTo(sandbox, STORY, 11);
  expect(factsOf(refused, 0).Corrections.value).toBe('closed: being checked');
  expect(refused.played[10].isRefused).toBe(true);
  expect(refused.played[9].isRefused).toBe(false);
  const rejected = await goTo(sandbox, 'kyc-link', 3);
  expect(rejected.played[2].isRefused).toBe(true);
  const paid = await goTo(sandbox, 'hotel', 3);
  expect(factsOf(paid, 0).Spent).toMatchObject({ value: '300.00 of 2,000 USD', isChanged: true });
  expect(factsOf(paid, 0)).not.toHaveProperty('Corrections');
  const change = factsOf(paid, 1);
  expect([change.Available.value, change.Reserved.value]).toEqual(['9,700.00 USD', '300.00 USD']);
});

test('a person whom a step names by an id is shown without being declared', async () => {
  const { sandbox, story } = await startWith({
    name: 'Freeze',
    steps: [
      { request: 'POST /partner/cards/card_mia_active/freeze' },
      { request: 'POST /partner/cards/card_mia_active/unfreeze' },
    ],
  });
  const { played } = await goTo(sandbox, story, 2);
  const states = played.map(({ people }: Json) => {
    const { before, value } = people[0].facts.find(({ isChanged }: Json) => isChanged);
    return [people[0].name, before, value];
  });
  expect(states).toEqual([
    ['Mia Keller', 'active', 'frozen'],
    ['Mia Keller', 'frozen', 'active'],
  ]);
});

test('of tokens and keys a story shows the last four characters; what is sent again has them', async () => {
  const sandbox = await startSandbox();
  const { played, run } = await goTo(sandbox, STORY, 6);
  const [{ token }] = (await sandbox.control('GET', `/worlds/${run}/share-tokens`)).body;
  const [{ sent, ...request }] = played[5].scenes;
  expect(JSON.stringify(request)).not.toContain(token);
  expect(request.members).toContainEqual({ name: 'idp1ShareToken', value: `…${token.slice(-4)}` });
  const { apiKey } = (await sandbox.control('GET', `/worlds/${run}`)).body.partners[0];
  expect(sent.headers).toEqual([{ name: 'x-service-api-key', value: apiKey }]);
  const headers = Object.fromEntries(sent.headers.map(({ name, value }: Json) => [name, value]));
  const again = await sandbox.api('POST', '/partner/cardholders', JSON.parse(sent.body), headers);
  expect([again.status, again.body.error]).toEqual([400, expect.stringContaining('was already used')]);
});

test('nothing of any other world changes, whatever story is played from it', async () => {
  const sandbox = await startSandbox({
    fixtures: ['starter'],
    forwardTo: 'http://127.0.0.1:9/webhooks',
    rateLimit: 0,
    maxWorlds: 1,
    assume: { 'list-order': 'oldest', 'invalid-input-status': 422 },
  });
  const blue = await newWorld(sandbox, { id: 'blue' });
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: 'https://acme.test/hooks' });
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/deliveries/settle');
  const paths = [
    'state',
    'clock',
    'webhooks/config',
    'forwarding',
    'partners',
    'history',
    'requests',
    'faults',
  ]
    .concat(['deliveries', 'checkpoints', 'coverage', 'cardholders'])
    .flatMap(path => [`/${path}`, `/worlds/blue/${path}`]);
  const look = async () => {
    const replies = await Promise.all(paths.map(path => sandbox.control('GET', path)));
    return replies.map(({ body }, index) => ({ path: paths[index], body }));
  };
  const before = await look();
  for (const [story, to] of [
    ['errors-of-the-service', 15],
    ['errors-in-requests', 13],
    [STORY, 19],
    ['fuel', 13],
  ] as const) {
    expect(statuses(await goTo(sandbox, story, to))).toEqual(all(to));
    await goTo(sandbox, story, 4, '/worlds/blue');
  }
  expect((await sandbox.control('GET', '/worlds')).body.map(({ id }: Json) => id)).toEqual(['main', 'blue']);
  expect(await look()).toEqual(before);
  for (const world of ['', '/worlds/blue']) {
    for (const { run } of (await sandbox.control('GET', `${world}/stories`)).body) {
      if (run !== null) await sandbox.control('DELETE', `/worlds/${run}`);
    }
  }
  expect(await look()).toEqual(before);
  expect((await blue.api('GET', '/partner/cards')).status).toBe(200);
});

test('a story does not depend on the options of the server: all its steps pass', async () => {
  const sandbox = await startSandbox({
    fixtures: ['empty'],
    documentedOnly: true,
    freeze: false,
    kycDelay: '40d',
    retrySpeed: 1_000,
    names: { service: 'acme', idp1: 'checkly' },
    assume: { 'card-initial-status': 'active', 'amount-unit': 'minor', 'webhook-envelope': 'data' },
    maxWorlds: 0,
  });
  expect(statuses(await goTo(sandbox, 'card-lifecycle', 24))).toEqual(all(24));
  expect(statuses(await goTo(sandbox, 'errors-of-the-service', 15))).toEqual(all(15));
  const own = { 'x-acme-api-key': ACME_KEY };
  expect((await sandbox.api('GET', '/partner/card-programs', undefined, own)).status).toBe(404);
  expect((await sandbox.control('POST', '/worlds', {})).status).toBe(400);
});

test('going back is a rewind, after which the step is played again; 0 begins a new run', async () => {
  const sandbox = await startSandbox();
  const first = await goTo(sandbox, STORY, 6);
  expect(await names(sandbox, first)).toEqual(['Lefebvre']);
  const back = await goTo(sandbox, STORY, 3);
  expect([back.run, back.played.length]).toEqual([first.run, 3]);
  expect(await names(sandbox, first)).toEqual(['Lefevbre']);
  expect(factsOf(back, 0).Name.value).toBe('Zoe Lefevbre');
  expect(statuses(await goTo(sandbox, STORY, 6))).toEqual(all(6));
  const again = await goTo(sandbox, STORY, 0);
  expect(again.played).toEqual([]);
  expect(again.run).not.toBe(first.run);
  expect((await sandbox.control('GET', `/worlds/${first.run}`)).status).toBe(404);
  expect(await names(sandbox, again)).toEqual([]);
});

test('going back restores how the receiver responds, and which webhooks it has', async () => {
  const sandbox = await startSandbox();
  await goTo(sandbox, 'errors-of-the-service', 15);
  expect(statuses(await goTo(sandbox, 'errors-of-the-service', 6))).toEqual(all(6));
  expect(statuses(await goTo(sandbox, 'errors-of-the-service', 15))).toEqual(all(15));
  await goTo(sandbox, 'errors-of-the-service', 1);
  expect(statuses(await goTo(sandbox, 'errors-of-the-service', 15))).toEqual(all(15));
});

test('what others do in the world of a run is undone by its next step', async () => {
  const sandbox = await startSandbox();
  const { run } = await goTo(sandbox, STORY, 6);
  const control = (method: string, path: string, body?: Json) =>
    sandbox.control(method, `/worlds/${run}${path}`, body);
  await control('POST', '/faults', { status: 503 });
  await control('POST', '/clock/advance', { duration: '75d' });
  await control('POST', '/reset');
  const view = await goTo(sandbox, STORY, 19);
  expect([view.run, statuses(view)]).toEqual([run, all(19)]);
  await control('POST', '/rewind', { steps: 5 });
  const played = await goTo(sandbox, STORY, 18);
  expect(played.run).not.toBe(run);
  expect(statuses(played)).toEqual(all(18));
});

test('a run that is gone is played again to the step that is asked for', async () => {
  const sandbox = await startSandbox();
  const { run } = await goTo(sandbox, STORY, 5);
  await sandbox.control('POST', '/reset');
  expect((await goTo(sandbox, STORY, 6)).run).toBe(run);
  await sandbox.control('DELETE', `/worlds/${run}`);
  expect((await sandbox.control('GET', `/stories/${STORY}`)).body).toMatchObject({ run: null, step: 0 });
  const view = await goTo(sandbox, STORY, 7);
  expect([view.step, statuses(view)]).toEqual([7, all(7)]);
});

test('a world has one run of each story, which end with it', async () => {
  const sandbox = await startSandbox();
  const isThere = async ({ run }: Json) => (await sandbox.control('GET', `/worlds/${run}`)).status === 200;
  const first = await goTo(sandbox, STORY, 2);
  expect(await isThere(first)).toBe(true);
  const second = await goTo(sandbox, 'fuel', 2);
  expect([await isThere(first), await isThere(second)]).toEqual([true, true]);
  expect(
    (await sandbox.control('GET', '/stories')).body.filter(({ run }: Json) => run !== null),
  ).toMatchObject([
    { id: STORY, run: first.run, step: 2 },
    { id: 'fuel', run: second.run, step: 2 },
  ]);
  const again = await goTo(sandbox, 'fuel', 0);
  expect([await isThere(first), await isThere(second), await isThere(again)]).toEqual([true, false, true]);

  await newWorld(sandbox, { id: 'blue' });
  const [inBlue, inMain] = [await goTo(sandbox, STORY, 3, '/worlds/blue'), await goTo(sandbox, 'fuel', 1)];
  expect((await sandbox.control('GET', `/worlds/blue/stories/${STORY}`)).body.step).toBe(3);
  await sandbox.control('DELETE', '/worlds/blue');
  expect([await isThere(inBlue), await isThere(inMain)]).toEqual([false, true]);
});

test('the world of a run ends an hour after its last step', async () => {
  const { realTime, pass } = manualTime();
  const sandbox = await startSandbox({}, { realTime });
  const { run } = await goTo(sandbox, STORY, 1);
  pass(3_599_000);
  expect((await goTo(sandbox, STORY, 2)).run).toBe(run);
  pass(3_599_000);
  expect((await sandbox.control('GET', `/stories/${STORY}`)).body.run).toBe(run);
  pass(1_000);
  expect((await sandbox.control('GET', `/stories/${STORY}`)).body.run).toBe(null);
});

test('the clock of a story is frozen: nothing happens between its steps', async () => {
  const { realTime, pass } = manualTime();
  const sandbox = await startSandbox({ freeze: false }, { realTime });
  const { run } = await goTo(sandbox, STORY, 1);
  const { body: before } = await sandbox.control('GET', `/worlds/${run}/clock`);
  pass(60_000);
  const { body: after } = await sandbox.control('GET', `/worlds/${run}/clock`);
  expect([after.mode, after.now]).toEqual(['frozen', before.now]);
});

test('a story does not change the keys of later worlds', async () => {
  const keys = await Promise.all(
    [false, true].map(async withStory => {
      const sandbox = await startSandbox();
      if (withStory) await goTo(sandbox, STORY, 1);
      return (await newWorld(sandbox)).keys;
    }),
  );
  expect(keys[0]).toEqual(keys[1]);
});

test('a story of its own fixtures begins with their records, and says when they cannot be used', async () => {
  const steps = [{ request: 'GET /partner/cardholders', expect: { body: { total: 1 } } }];
  const people = fixtureFile(
    'partners: [{ id: partner_acme, apiKey: sk_test_acme_0123456789abcdef }]\ncardholders: [{ id: ch_only }]\n',
  );
  const { sandbox, story } = await startWith({ name: 'Small', fixtures: [people], steps });
  expect(statuses(await goTo(sandbox, story, 1))).toEqual(['passed']);
  const other = await startWith({ name: 'Lost', fixtures: ['./no-such-file.yaml'], steps });
  const refused = await other.sandbox.control('POST', `/stories/${other.story}/steps`, { to: 1 });
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('no-such-file.yaml')]);
});

test('a story has the names of the partner', async () => {
  const sandbox = await startSandbox({ names: { service: 'acme', idp1: 'checkly' } });
  const view = await goTo(sandbox, STORY, 8);
  const text = JSON.stringify(view);
  expect(text).toContain('{"name":"checklyShareToken","value":"…');
  for (const name of ['\\"kycSource\\": \\"checkly\\"', 'x-acme-api-key', 'X-Acme-Signature', 'X-Acme-Event'])
    expect(text).toContain(name);
  expect(text).not.toMatch(/idp1|x-service|x-sandbox-names/i);
  expect(statuses(view)).toEqual(all(8));
});

test('a call of the control plane in a story has the neutral names, which are the only ones there', async () => {
  const file = fixtureFile(
    'name: From idp2\nsteps:\n  - say: A token of idp2\n    control: POST /share-tokens\n    body: { source: idp2 }',
  );
  const createStories = await readStories([file]);
  const sandbox = await startSandbox({ names: { idp2: 'veriface' } }, {}, { createStories });
  const view = await goTo(sandbox, storyId(file), 1);
  expect([view.title, view.steps[0].heading]).toEqual(['From veriface', 'A token of veriface']);
  const [{ path, sent, members }] = view.played[0].scenes;
  expect(members).toEqual([{ name: 'source', value: 'idp2' }]);
  const again = await sandbox.control('POST', path.replace('/_sandbox', ''), JSON.parse(sent.body));
  expect(again).toMatchObject({ status: 201, body: { source: 'idp2' } });
});

test('the webhooks of a story arrive at an https address, and those of the partner stay what they are', async () => {
  const sandbox = await startSandbox({ forwardTo: 'http://127.0.0.1:9/webhooks' });
  const { run } = await goTo(sandbox, STORY, 4);
  const [{ webhookUrl }, { subscribedEvents }] = await Promise.all(
    [`/worlds/${run}/webhooks/config`, '/webhooks/config'].map(
      async path => (await sandbox.control('GET', path)).body,
    ),
  );
  expect(webhookUrl).toMatch(/^https:/);
  expect(subscribedEvents).toHaveLength(ALL_TYPES.length);
});
