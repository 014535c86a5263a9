import type { Layout } from './layout.ts';
import type { Runner } from './project.ts';

/** The words of a runner that works in JavaScript. */
interface Words {
  readonly imports: readonly string[];
  /** What precedes `beforeEach` and `afterEach`. */
  readonly hooks: string;
  equal(actual: string, expected: string): string;
}

const expecting = (actual: string, expected: string) => `expect(${actual}).toBe(${expected});`;

const WORDS: Readonly<Record<Exclude<Runner, 'pytest'>, Words>> = {
  vitest: { imports: ['afterEach, beforeEach, expect, test', 'vitest'], hooks: '', equal: expecting },
  jest: { imports: [], hooks: '', equal: expecting },
  playwright: { imports: ['expect, test', '@playwright/test'], hooks: 'test.', equal: expecting },
  'node:test': {
    imports: ['afterEach, beforeEach, test', 'node:test'],
    hooks: '',
    equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  },
};

/** Returns the text of the first test for a runner that works in JavaScript. */
export function javaScriptTest(runner: Exclude<Runner, 'pytest'>, layout: Layout): string {
  const { imports, hooks, equal } = WORDS[runner];
  const isTypeScript = layout.language === 'TypeScript';
  // A compiler turns the imports of TypeScript into what the module needs.
  const load = isTypeScript || layout.isModule ? imported : required;
  const [names, runnerPackage] = imports;
  const lines = [
    ...(runner === 'node:test' ? [load('assert', 'node:assert/strict')] : []),
    ...(layout.isModule ? [load('{ fileURLToPath }', 'node:url')] : [load('{ join }', 'node:path')]),
    load(isTypeScript ? '{ createSandbox, type Sandbox }' : '{ createSandbox }', 'card-sandbox'),
    ...(names === undefined || runnerPackage === undefined ? [] : [load(`{ ${names} }`, runnerPackage)]),
  ];
  const fixture = layout.isModule
    ? `fileURLToPath(new URL('card-sandbox.yaml', import.meta.url))`
    : `join(__dirname, 'card-sandbox.yaml')`;
  return `${lines.join('\n')}

const fixture = ${fixture};

let sandbox${isTypeScript ? ': Sandbox' : ''};
${hooks}beforeEach(() => {
  // In this process, without a port. The clock is frozen until a test advances it.
  sandbox = createSandbox({ fixtures: ['empty', fixture] });
});
${hooks}afterEach(() => sandbox.close());

test('a person gets an active card once KYC is approved', async () => {
  const { token } = await sandbox.mintShareToken({ identity: { firstName: 'Mia' } });
  const { id } = await sandbox.api.cardholders.create({
    externalUserId: 'user-mia',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
  // The card provider decides after two seconds.
  await sandbox.clock.advance('2s');
  const card = await sandbox.api.cards.issue({ cardholderId: id, cardProgramId: 'prog_everyday' });
  await sandbox.api.cards.activate(card.id);
  ${equal('(await sandbox.api.cards.get(card.id)).status', `'active'`)}
});

test('a frozen card is declined', async () => {
  await sandbox.api.cards.freeze('card_zoe');
  const sale = await sandbox.simulate.authorize({ cardId: 'card_zoe', amount: 9.5 });
  ${equal('sale.declineReason', `'card_frozen'`)}
});
`;
}

function imported(names: string, from: string): string {
  return `import ${names} from '${from}';`;
}

function required(names: string, from: string): string {
  return `const ${names} = require('${from}');`;
}
