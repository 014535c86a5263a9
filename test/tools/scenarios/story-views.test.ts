import { expect, test } from 'vitest';
import { FixtureError } from '../../../src/sandbox/fixtures/file/fixture-error.ts';
import { readStories } from '../../../src/tools/scenarios/present/create-stories.ts';
import { messageOf, partiesOf } from '../../../src/tools/scenarios/present/parties.ts';
import { readOwnStories, storyId } from '../../../src/tools/scenarios/present/stories.ts';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';
import { parseScenario } from '../../support/scenario.ts';

/** Plays all steps of a story. Resolves with its view. */
async function play(scenario: Json, step = scenario.steps.length): Promise<Json> {
  const file = fixtureFile(JSON.stringify({ name: 'A story', ...scenario }));
  const sandbox = await startSandbox({}, {}, { createStories: await readStories([file]) });
  const { status, body } = await sandbox.control('POST', `/stories/${storyId(file)}/steps`, { to: step });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The facts about somebody after the last step, as `name: value (tone)`. */
function factsAbout(view: Json, name: string): string[] {
  const person = view.played.at(-1).people.find((each: Json) => each.name === name);
  return person.facts.map(
    ({ name, value, tone }: Json) => `${name}: ${value}${tone === null ? '' : ` (${tone})`}`,
  );
}

const SAY = { say: 'Look' };

test.each([
  ['POST /share-tokens', 'bank', 'partner'],
  ['POST /cardholders/x/kyc/approve', 'provider', 'service'],
  ['POST /kyc-sessions/x/approve', 'provider', 'service'],
  ['POST /transactions', 'shop', 'service'],
  ['POST /cards/x/3ds', 'shop', 'service'],
  ['POST /cards/x/freeze', 'partner', 'service'],
  ['POST /balance/top-up', 'partner', 'service'],
  ['PATCH /partners/x/settings', 'partner', 'service'],
  ['POST /clock/freeze', undefined, undefined],
  ['GET /cards/x', undefined, undefined],
] as const)('in a story %s is a message from %s to %s', (control, from, to) => {
  expect(messageOf({ control })).toEqual(from === undefined ? null : { from, to });
});

test('requests go from the partner to the service, webhooks the other way, and steps can say otherwise', () => {
  const request = 'GET /partner/cards';
  expect(messageOf({ request })).toEqual({ from: 'partner', to: 'service' });
  expect(messageOf({ webhook: { eventType: 'card.issued' } })).toEqual({ from: 'service', to: 'partner' });
  expect(messageOf({ request, from: 'phone' })).toEqual({ from: 'phone', to: 'service' });
  expect(messageOf({ say: 'x', from: 'person', to: 'phone' })).toEqual({ from: 'person', to: 'phone' });
  expect(messageOf({ say: 'x', from: 'person' })).toBeNull();
  expect(messageOf({ advance: '1h' })).toBeNull();
});

test('the parties of a story are those with a message, in their order, with the names of the story', async () => {
  const all = await parseScenario(
    ['shop', 'provider', 'bank', 'phone', 'person']
      .map(from => `  - { say: Hello, from: ${from}, to: service }`)
      .concat('  - request: GET /partner/cards')
      .join('\n'),
    'parties: { phone: Her phone }',
  );
  expect(partiesOf(all)).toEqual([
    { id: 'person', name: 'Customer' },
    { id: 'phone', name: 'Her phone' },
    { id: 'bank', name: 'Bank' },
    { id: 'partner', name: 'Partner' },
    { id: 'service', name: 'Card service' },
    { id: 'provider', name: 'Card provider' },
    { id: 'shop', name: 'Shop' },
  ]);
  expect(partiesOf(await parseScenario('  - say: Nobody'))).toEqual([]);
});

test('people have their status, identity check, lock and cards as the audience reads them', async () => {
  const facts = async (id: string) => {
    const view = await play({ steps: [{ request: `GET /partner/cardholders/${id}` }] });
    const [{ name }] = view.played[0].people;
    return [name, ...factsAbout(view, name)];
  };
  const none = 'Card: none (quiet)';
  expect(await facts('ch_liam_pending')).toEqual([
    'Liam Becker',
    'Identity check: not submitted (quiet)',
    none,
  ]);
  const inFlight = await facts('ch_nora_in_flight');
  expect(inFlight.slice(1)).toEqual(['Identity check: with the card provider (warn)', none]);
  expect((await facts('ch_otto_rejected'))[1]).toBe('Identity check: failed (bad)');
  expect((await facts('ch_sara_suspended'))[1]).toBe('Customer: suspended (bad)');
  const mia = await facts('ch_mia_approved');
  expect(mia).toContain('Identity check: passed (good)');
  expect(mia.join()).toMatch(/Card …\d{4}: active \(good\)/);
});

test('cards have their states, and what they have spent', async () => {
  const card = 'card_mia_active';
  const spent = (view: Json) => factsAbout(view, 'Mia Keller').filter(fact => /^(Card|Spent)/.test(fact));
  const steps = [
    { request: `POST /partner/cards/${card}/freeze` },
    { request: `POST /partner/cards/${card}/cancel` },
  ];
  expect((await play({ steps }, 1)).played[0].people[0].facts).toContainEqual({
    name: expect.stringMatching(/^Card …\d{4}$/),
    value: 'frozen',
    tone: 'info',
    isChanged: true,
    before: 'active',
  });
  const cancelled = spent(await play({ steps }));
  expect(cancelled.join()).toMatch(/Card …\d{4}: cancelled \(bad\)/);
  expect(cancelled.join()).toMatch(/Spent: \d+\.\d\d of [\d,.]+ [A-Z]{3}/);
});

test('a person is declared by the variable of its id, and known once a step has captured it', async () => {
  const view = await play({
    people: { ana: 'Ana' },
    steps: [SAY, { request: 'GET /partner/cardholders/ch_liam_pending', capture: { ana: 'body.id' } }, SAY],
  });
  const [before, after, last] = view.played.map(({ people }: Json) => people);
  expect(before[0]).toEqual({
    name: 'Ana',
    facts: [{ name: 'Name', value: 'not known to Acme yet', tone: 'quiet', isChanged: false, before: null }],
  });
  expect(after.map(({ name }: Json) => name)).toEqual(['Ana']);
  expect(after[0].facts[0]).toEqual({
    name: 'Name',
    value: 'Liam Becker',
    tone: null,
    isChanged: true,
    before: 'not known to Acme yet',
  });
  expect(after[0].facts[1]).toMatchObject({ name: 'Identity check', isChanged: true, before: null });
  expect(last[0].facts.some(({ isChanged }: Json) => isChanged)).toBe(false);
});

test('the partner has one name in a story: its own, where the story gives it one', async () => {
  const view = await play({
    parties: { partner: 'Globex' },
    people: { ana: 'Ana' },
    steps: [{ control: 'POST /balance/top-up', body: { amount: 5 } }],
  });
  const [ana, balance] = view.played[0].people;
  expect([ana.facts[0].value, balance.name]).toEqual(['not known to Globex yet', "Globex's balance"]);
});

test('the balance is shown from the step on that changes it, also when it is what it was', async () => {
  const topUp = { control: 'POST /balance/top-up', body: { amount: 1250.5 } };
  const view = await play({ steps: [SAY, topUp, SAY] });
  const shown = view.played.map(({ people }: Json) => people.map(({ name }: Json) => name));
  expect(shown).toEqual([[], ["Acme's balance"], ["Acme's balance"]]);
  expect(factsAbout(view, "Acme's balance")).toEqual(['Available: 6,250.50 EUR', 'Reserved: 18.40 EUR']);
});

test('a refused request shows its error, the rule and which of its members the step is about', async () => {
  const view = await play({
    steps: [
      {
        say: 'Lost',
        speakerNotes: 'Pause here.',
        request: 'GET /partner/cards/card_nobody',
        headers: { 'X-Note': 'hello' },
        expect: { status: 404 },
      },
      {
        request: 'GET /partner/cards?limit=1',
        about: ['total', 'x-service-api-key'],
      },
      {
        request: 'GET /partner/cards',
        key: 'sk_test_someone_0123456789abcdef',
        expect: { status: 401 },
      },
      { request: 'GET /partner/cards?limit=1', key: null, expect: { status: 401 } },
    ],
  });
  expect(view.steps[0]).toEqual({
    chapter: null,
    heading: 'Lost',
    note: null,
    speakerNotes: 'Pause here.',
    message: { from: 'partner', to: 'service' },
  });
  const [refused, short, other, without] = view.played;
  expect(view.played.map(({ isRefused }: Json) => isRefused)).toEqual([true, false, true, true]);
  expect(refused.scenes[0]).toMatchObject({
    members: [{ name: 'X-Note', value: 'hello' }],
    headers: [
      { name: 'x-service-api-key', value: expect.stringMatching(/^….{4}$/) },
      { name: 'X-Note', value: 'hello' },
    ],
    body: null,
    left: 0,
  });
  expect(refused.scenes[1]).toMatchObject({
    status: 404,
    statusText: 'Not Found',
    members: [{ name: 'error', value: expect.stringContaining('card_nobody') }],
    left: 1,
    rule: expect.stringMatching(/^(interface section|assumption)/),
  });
  expect(short.scenes[0].members).toEqual([
    { name: 'x-service-api-key', value: expect.stringMatching(/^….{4}$/) },
  ]);
  expect(short.scenes[1]).toMatchObject({ members: [{ name: 'total' }], rule: null });
  expect(other.scenes[0].members).toEqual([{ name: 'x-service-api-key', value: '…cdef' }]);
  expect(without.scenes[0].members).toEqual([{ name: 'x-service-api-key', value: 'none' }]);
});

test('a response lists the headers that the step expects once, and then the others', async () => {
  const view = await play({
    steps: [{ request: 'GET /partner/balance', expect: { headers: { 'Content-Type': '<string>' } } }],
  });
  const { headers, members } = view.played[0].scenes[1];
  expect(headers[0].name).toBe('Content-Type');
  expect(headers.filter(({ name }: Json) => name.toLowerCase() === 'content-type')).toHaveLength(1);
  expect(headers.length).toBeGreaterThan(1);
  expect(members[0].name).toBe('Content-Type');
});

test('a body that is a text is shown as it is', async () => {
  const view = await play({
    steps: [{ request: 'POST /partner/cards', body: 'not JSON', expect: { status: 400 } }],
  });
  expect(view.played[0].scenes[0]).toMatchObject({
    body: 'not JSON',
    members: [{ name: 'body', value: 'not JSON' }],
    sent: { body: 'not JSON' },
  });
});

test('a declined payment and a refused webhook are refusals', async () => {
  const view = await play({
    steps: [
      { control: 'POST /transactions', body: { cardId: 'card_mia_active', amount: 9_999_999 } },
      { respond: 503 },
      { control: 'POST /events', body: { eventType: 'balance.low' } },
      { webhook: { eventType: 'balance.low' } },
    ],
  });
  expect(view.played.map(({ isRefused }: Json) => isRefused)).toEqual([true, false, false, true]);
  expect(view.played[3].scenes[0]).toMatchObject({ kind: 'webhook', attempts: 1, responseStatus: 503 });
  expect(view.played[1].scenes).toEqual([{ kind: 'respond', status: 503 }]);
});

test('a step that fails stops a story, and its differences are lines', async () => {
  const view = await play({
    steps: [SAY, { request: 'GET /partner/balance', expect: { status: 201 } }, SAY],
  });
  expect(view.played).toHaveLength(2);
  expect(view.played[1]).toMatchObject({
    status: 'failed',
    differences: ['status: expected 201, got 200'],
    now: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(view).toMatchObject({ steps: { length: 3 }, step: 2, description: null, title: 'A story' });
});

test('the link of a story is the name of its file, which only one can have', () => {
  expect([storyId('/a/b.c/onboarding.v2.yaml'), storyId('C:\\a\\cards.yml'), storyId('plain')]).toEqual([
    'onboarding.v2',
    'cards',
    'plain',
  ]);
  const text = JSON.stringify({ name: 'x', steps: [SAY] });
  const [one, two] = [fixtureFile(text), fixtureFile(text)];
  expect([...readOwnStories([one]).keys()]).toEqual(['mine']);
  expect(() => readOwnStories([one, two])).toThrow(FixtureError);
  expect(() => readOwnStories([one, two])).toThrow(
    `${two}: has the name of ${one}, which is its link; rename one of them`,
  );
});

test("a partner's own story comes first, and replaces a built-in one of its name", async () => {
  const own = fixtureFile(JSON.stringify({ name: 'Own fuel', steps: [SAY] }), 'fuel.yaml');
  const sandbox = await startSandbox({}, {}, { createStories: await readStories([own]) });
  const { body } = await sandbox.control('GET', '/stories');
  expect(body[0]).toMatchObject({ id: 'fuel', title: 'Own fuel' });
  expect(body.filter(({ id }: Json) => id === 'fuel')).toHaveLength(1);
  expect(body.length).toBeGreaterThan(3);
});
