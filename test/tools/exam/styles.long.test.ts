import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { sample } from '../../support/proof/proof-size.ts';

const SUITE = join(import.meta.dirname, 'styles/suite.mjs');
const INDEX = pathToFileURL(join(import.meta.dirname, '../../../dist/index.js')).href;
const TRIED = [
  'connection-lost-after.cardholders.create',
  'connection-lost-after.cards.issue',
  'error-503-after',
  'webhooks-twice',
  'names-unusual',
];

type Style = Readonly<Record<string, string | number | boolean>>;

/** Resolves with what an exam of the suite found, and with the results that have a verdict. */
async function examine(style: Style) {
  // The suite decides KYC itself: a decision by the clock would come first on a busy machine.
  const words = ['exam', '--json', '--kyc-delay', '1h', '--parallel', '4', '--only', ...TRIED];
  const args = [...words, '--', process.execPath, SUITE];
  const variables = { STYLE: JSON.stringify(style), INDEX, GITHUB_STEP_SUMMARY: '' };
  const { stdout, stderr } = await runInProcess(args, variables);
  const { baseline, results, summary } = JSON.parse(stdout) as JsonReport;
  expect(baseline, stderr).toBe('passed');
  const doubled = results.filter(({ verdict }) => verdict === 'applied-twice');
  expect(summary.appliedTwice).toBe(doubled.length);
  return { doubled: doubled.map(({ id }) => id), results };
}

const LOST = TRIED.slice(0, 3);
const [, CARD = '', ERROR = ''] = LOST;

/** How the tests are written. An app that looks up what happened is sound with each of them. */
const STYLES: readonly (readonly [string, Style])[] = [
  ['users with fixed ids', {}],
  ['users with random ids', { ids: 'random' }],
  ['parallel tests', { parallel: true }],
  ['parallel tests with random ids', { parallel: true, ids: 'random', order: 'shuffled' }],
  ['tests in random order', { order: 'shuffled' }],
  ['a reset before each test', { before: 'reset' }],
  ['a checkpoint that is restored before each test', { before: 'checkpoint' }],
  ['a sandbox in process for each test', { before: 'sandbox' }],
  ['a sandbox in process for each test, with random ids', { before: 'sandbox', ids: 'random' }],
  ['a server in process for each test', { before: 'server', users: 2 }],
  ['a partner for each test', { before: 'partner', ids: 'random' }],
  ['two cards for each user', { cards: 2 }],
  ['two cards for each random user', { cards: 2, ids: 'random', parallel: true }],
  ['cards that are replaced', { replaces: true }],
  ['cards with random names', { rename: true, ids: 'random' }],
  ['one user', { users: 1 }],
];

test.each(sample(STYLES, 1))(
  'a sound app has no double in %s, and a blind one has',

  async (_, style) => {
    expect((await examine(style)).doubled).toEqual([]);
    const { doubled, results } = await examine({ ...style, retry: 'blind' });
    expect(doubled).toEqual([CARD, ERROR]);
    const detail = results.find(({ id }) => id === CARD)?.detail;
    expect(detail).toMatch(
      /^2 cards of \S+: req_\w+ created card_\w+, and req_\w+ created card_\w+; the command passed/,
    );
  },
);

const HARMLESS: readonly (readonly [string, Style])[] = [
  ['a number of cards that is drawn at random', { cards: 0, ids: 'random', users: 5 }],
  ['as many users as some time allows', { users: 0, ids: 'random' }],
  ['a card for each repeated webhook once', { issues: 'webhook-once' }],
  [
    'a card for each webhook, for random users, once',
    { issues: 'webhook-once', ids: 'random', parallel: true },
  ],
  ['tests that are run again when they fail', { retry: 'give-up', repeats: 2 }],
  ['such tests with random users', { retry: 'give-up', ids: 'random', phones: 'own', repeats: 2 }],
  ['tests that fail', { retry: 'give-up' }],
];

test.each(sample(HARMLESS, 1))('no double is found in %s', async (_, style) => {
  expect((await examine(style)).doubled).toEqual([]);
});

const IDS = [
  ['fixed', false],
  ['random', true],
] as const;

test.each(sample(IDS, 1))(
  'cards that a repeated webhook issues again are doubles, with %s ids',

  async (ids, parallel) => {
    expect((await examine({ issues: 'webhook', ids, parallel })).doubled).toContain('webhooks-twice');
  },
);

test('a person who is another one in each attempt is a double', async () => {
  const { doubled, results } = await examine({ retry: 'blind', ids: 'per-attempt', users: 2 });
  expect(doubled).toContain(LOST[0]);
  expect(results.find(({ id }) => id === LOST[0])?.detail).toMatch(/^2 cardholders of /);
});

test('a double that the app cancels, or the test, is a remark', async () => {
  for (const style of [{ retry: 'undo' }, { retry: 'blind', cleans: true }]) {
    const { doubled, results } = await examine(style);
    expect(doubled).toEqual([]);
    const remarks = results.find(({ id }) => id === CARD)?.remarks;
    expect(remarks?.join()).toContain('one was cancelled by the end');
  }
});
