import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, defineFixture, type Sandbox, type SandboxOptions } from '../../../src/index.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';

const PACKAGE = join(import.meta.dirname, '../../../src/index.ts');

/** A folder with files, which is removed after the test. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-fixture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function start(options: SandboxOptions): Sandbox {
  const sandbox = createSandbox({ clock: START, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Acme's records in a list of the API, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of responses, which they then compare
async function listed(sandbox: Sandbox, path: string): Promise<any[]> {
  const response = await sandbox.fetch(`/v1/partner/${path}`, { headers: { 'x-service-api-key': ACME_KEY } });
  return ((await response.json()) as { readonly data: unknown[] }).data.toReversed();
}

test('a fixture in code creates the same world as one in YAML', async () => {
  const folder = folderWith({
    'people.yaml': `
cardholders:
  - { id: ch_mia, firstName: Mia, lastName: Wong, externalUserId: mia, kycStatus: approved, createdAt: -2d }
  - { id: ch_noah, externalUserId: noah, address: { residenceCity: Kiel } }
cards:
  - { id: card_mia, cardholderId: ch_mia, status: active, transactions: [{ id: txn_1, amount: 12.5 }] }
`,
  });
  const people = defineFixture(async ({ cardholders, cards }) => {
    const mia = await cardholders.create({
      id: 'ch_mia',
      firstName: 'Mia',
      lastName: 'Wong',
      externalUserId: 'mia',
      kycStatus: 'approved',
      createdAt: '-2d',
    });
    await cardholders.create({ id: 'ch_noah', externalUserId: 'noah', address: { residenceCity: 'Kiel' } });
    await cards.create({
      id: 'card_mia',
      cardholderId: mia.id,
      status: 'active',
      transactions: [{ id: 'txn_1', amount: 12.5 }],
    });
  });
  const [code, yaml] = await Promise.all(
    [people, join(folder, 'people.yaml')].map(each => start({ fixtures: ['empty', each] }).state.export()),
  );
  expect(code).toEqual(yaml);
});

test('records are created in bulk, found, changed and deleted, the same for the same seed', async () => {
  const many = defineFixture(async ({ cardholders, faker }) => {
    const made = await cardholders.createMany(50, index => ({
      externalUserId: `user_${index}`,
      firstName: faker.person.firstName(),
      kycStatus: index % 2 === 0 ? 'approved' : 'pending',
    }));
    expect(new Set(made.map(({ id }) => id)).size).toBe(50);
    await cardholders.updateMany(q => q.where({ kycStatus: 'approved' }), {
      data(draft) {
        draft.lastName = 'Approved';
      },
    });
    cardholders.deleteMany(q => q.where({ externalUserId: id => (id ?? '').length > 6 }));
    expect(cardholders.count()).toBe(10);
    expect(cardholders.findMany(q => q.where({ lastName: 'Approved' }))).toHaveLength(5);
    expect(cardholders.findFirst()?.externalUserId).toBe('user_0');
  });
  const [one, other, another] = await Promise.all(
    [1, 1, 2].map(seed => listed(start({ fixtures: ['empty', many], seed }), 'cardholders')),
  );
  expect(one).toHaveLength(10);
  expect(one?.[0]).toMatchObject({ externalUserId: 'user_0', lastName: 'Approved' });
  expect(other).toEqual(one);
  expect(another?.map(({ firstName }) => firstName)).not.toEqual(one?.map(({ firstName }) => firstName));
});

test('fixtures of both kinds are merged in order, and two in code generate different ids', async () => {
  const someone = () => defineFixture(async ({ cardholders }) => void (await cardholders.create({})));
  const bank = defineFixture(async ({ partners, cardPrograms }) => {
    await partners.create({ id: 'partner_x', apiKey: ACME_KEY });
    await cardPrograms.create({ name: 'First' });
  });
  const people = await listed(start({ fixtures: [bank, someone(), someone()] }), 'cardholders');
  expect(people.map(({ id }) => id)).toEqual(['ch_f2_1', 'ch_f3_1']);
});

test('an error lists all problems, each with its fixture and record', async () => {
  const wrong = defineFixture(
    async ({ cardholders, cards }) => {
      await cardholders.createMany(2, index => ({
        id: `ch_${index}`,
        email: index === 1 ? 'mia' : 'a@b.test',
      }));
      await cards.create({ cardholderId: 'ch_9', statsu: 'active' } as { cardholderId: string });
    },
    { name: 'people.ts' },
  );
  const sandbox = start({ fixtures: ['empty', wrong] });
  await expect(sandbox.ready).rejects.toMatchObject({
    name: 'FixtureError',
    problems: [
      'people.ts: cardholders[1].email: must be a valid email address',
      'people.ts: cards[0].statsu: is unknown, did you mean "status"?',
    ],
  });
  await expect(sandbox.clock.now()).rejects.toThrow('people.ts: cardholders[1].email');
  await expect(sandbox.fetch('/v1/partner/cards')).rejects.toThrow('people.ts: cardholders[1].email');
  const lost = defineFixture(async ({ cards }) => void (await cards.create({ cardholderId: 'ch_9' })));
  await expect(start({ fixtures: ['empty', lost] }).ready).rejects.toThrow(
    'fixture 2: cards[0].cardholderId: there is no cardholder "ch_9"',
  );
  const broken = defineFixture(() => {
    throw new Error('no such file of mine');
  });
  await expect(start({ fixtures: [broken] }).clock.now()).rejects.toThrow('no such file of mine');
});

test('apiKey throws while the fixtures are being built', async () => {
  const sandbox = start({ fixtures: ['empty', defineFixture(() => undefined)] });
  expect(() => sandbox.apiKey).toThrow('await sandbox.ready first');
  await sandbox.ready;
  expect(sandbox.apiKey).toBe(ACME_KEY);
});

test('a module must export a fixture by default', async () => {
  const folder = folderWith({
    'people.mjs': `import { defineFixture } from ${JSON.stringify(PACKAGE)};
export default defineFixture(async ({ cardholders }) => { await cardholders.create({ externalUserId: 'mia' }); });`,
    'nothing.mjs': 'export default {};',
    'broken.mjs': 'export default {',
  });
  const open = (name: string) => start({ fixtures: ['empty', join(folder, name)] });
  expect(await listed(open('people.mjs'), 'cardholders')).toMatchObject([{ externalUserId: 'mia' }]);
  await expect(open('nothing.mjs').ready).rejects.toThrow('export must be what defineFixture returns');
  await expect(open('broken.mjs').ready).rejects.toThrow('broken.mjs:1: cannot be loaded: ');
  await expect(open('missing.mjs').ready).rejects.toThrow('missing.mjs: there is no such file');
});

test('a new partner gets the records of a fixture in code', async () => {
  const people = defineFixture(
    async ({ cardholders }) => void (await cardholders.createMany(2, () => ({}))),
    {
      name: 'people',
    },
  );
  const sandbox = start({ fixtures: ['empty', people] });
  const partner = await sandbox.partners.create({ fixture: 'people' });
  const init = { headers: { 'x-service-api-key': partner.apiKey } };
  const response = await sandbox.fetch('/v1/partner/cardholders', init);
  expect(await response.json()).toMatchObject({ total: 2 });
});

test('a fixture can be the content of a file, merged with others', async () => {
  const people = { cardholders: [{ id: 'ch_mia', externalUserId: 'mia', firstName: 'Mia' }] };
  const sandbox = start({ fixtures: ['empty', people] });
  expect(await listed(sandbox, 'cardholders')).toMatchObject([{ id: 'ch_mia', firstName: 'Mia' }]);
  expect(() => start({ fixtures: [{ cardholder: [] }] })).toThrow(
    'fixture 1: cardholder: is unknown, did you mean "cardholders"?',
  );
});

test('a saved state can be a fixture, by itself, and is what a reset goes back to', async () => {
  const before = start({ fixtures: ['empty'] });
  const { id } = await before.simulate.card();
  const saved = await before.state.export();
  const sandbox = start({ fixtures: [saved] });
  expect(await sandbox.api.cards.get(id)).toMatchObject({ id, status: 'active' });
  await sandbox.api.cards.cancel(id);
  await sandbox.reset();
  expect(await sandbox.api.cards.get(id)).toMatchObject({ status: 'active' });
  expect(() => start({ fixtures: ['empty', saved] })).toThrow('is a saved state, which is a whole world');
});

test('half of a character is refused in objects, with its place', () => {
  const cardholders = [{ id: 'ch_1', externalUserId: 'Zo\ud83d' }];
  expect(() => createSandbox({ fixtures: ['starter', { cardholders }] })).toThrow(
    'fixture 2: cardholders[0].externalUserId: contains a lone surrogate, which is not a character; write whole characters',
  );
});

test('half of a character is refused in a saved state', async () => {
  await using sandbox = createSandbox();
  const state: Record<string, unknown> = await sandbox.state.export();
  const cut = JSON.parse(JSON.stringify(state).replace('Mia', 'Mi\\ud83d'));
  expect(() => createSandbox({ fixtures: [cut] })).toThrow(/^fixture 1: contains a lone surrogate/);
});
