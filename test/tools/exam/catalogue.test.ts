import { expect, test } from 'vitest';
import { apiOperations, catalogue } from '../../../src/tools/exam/catalogue/catalogue.ts';
import type { ExamHistory } from '../../../src/tools/exam/misbehaviour.ts';

const NOTHING: ExamHistory = {
  ...{
    called: [],
    webhooks: [],
    acceptedWebhooks: [],
    hasSeveralWebhooks: false,
    openLists: [],
    usesLibrary: false,
  },
  ...{ clocks: ['running'], ownOptions: [], waitsForKyc: [] },
};
const called = (...ids: readonly string[]) => apiOperations.filter(({ id }) => ids.includes(id));

/** What commands did undisturbed. */
const COMMANDS: Readonly<Record<string, ExamHistory>> = {
  'one that does nothing': NOTHING,
  'one that issues and freezes a card, and gets a webhook on a frozen clock that it sets': {
    ...NOTHING,
    called: called('cards.issue', 'cards.freeze'),
    webhooks: ['card.issued'],
    acceptedWebhooks: ['card.issued'],
    clocks: ['frozen'],
    ownOptions: ['clock', 'kycDelay'],
    waitsForKyc: ['frozen'],
  },
  'one that reads balances and lists of its own people, and waits for KYC in real time': {
    ...NOTHING,
    called: called('balance.get', 'cardholders.list', 'cardholders.create'),
    webhooks: ['cardholder.approved', 'cardholder.kyc.updated'],
    acceptedWebhooks: ['cardholder.approved'],
    hasSeveralWebhooks: true,
    clocks: ['running', 'frozen'],
    waitsForKyc: ['running'],
  },
  'one that reads the lists of all cards and transactions, freezes a clock that ran, and accepts no webhook':
    {
      ...NOTHING,
      called: called('cards.list', 'transactions.list', 'cards.cancel'),
      webhooks: ['card.status.changed'],
      hasSeveralWebhooks: true,
      openLists: ['cards.list', 'transactions.list'],
      clocks: ['both'],
      waitsForKyc: ['frozen'],
    },
};

test('what a command did decides which misbehaviours can strike it, and how each does', async () => {
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > 60 ? `${value.slice(0, 60)}…` : value;
  const texts = Object.entries(COMMANDS).map(([command, history]) => {
    const lines = catalogue.map(each => {
      const disturbance = each.disturb(history);
      if (typeof disturbance === 'string') return `${each.id}: not tried, ${disturbance}`;
      const { crowd, ...rest } = disturbance;
      const people = crowd === undefined ? '' : `${crowd.length} others before each, `;
      return `${each.id}: ${people}${JSON.stringify(rest, shorten)}`;
    });
    return `=== ${command}\n${lines.join('\n')}`;
  });
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('catalogue.txt');
});
