import { createCard } from '../../support/cardholders.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** A state document with many records, in pieces of one row, as the sandbox itself writes it. */
export async function* largeState(cardholders: number): AsyncGenerator<string> {
  const { tables, counts, ...head } = await template();
  const [person] = tables.cardholders;
  const [card] = tables.cards;
  const [printed] = tables.cardNumbers;
  const rows: Record<string, () => Generator<Json>> = {
    *cardholders() {
      for (let i = 0; i < cardholders; i++) {
        const member = { id: `ch_${i}`, externalUserId: `user_${i}`, email: `user_${i}@example.com` };
        yield { ...person, ...member, hasCard: hasCard(i) };
      }
    },
    *cards() {
      for (let i = 0; i < cardholders; i += 10) {
        yield { ...card, id: `card_${i}`, cardholderId: `ch_${i}`, last4: numberOf(i).slice(-4) };
      }
    },
    *cardNumbers() {
      for (let i = 0; i < cardholders; i += 10) yield { ...printed, id: `card_${i}`, number: numberOf(i) };
    },
    *usageRecords() {
      // Those of the template refer to its own records.
    },
  };
  const cards = Math.ceil(cardholders / 10);
  const all = { ...counts, cardholders, cards, cardNumbers: cards, usageRecords: 0 };
  yield `${JSON.stringify({ ...head, counts: all }).slice(0, -1)},"tables":{`;
  let separator = '';
  for (const name of Object.keys(counts)) {
    yield `${separator}\n  ${JSON.stringify(name)}: [`;
    separator = '';
    for (const row of rows[name]?.() ?? tables[name]) {
      yield `${separator}\n    ${JSON.stringify(row)}`;
      separator = ',';
    }
    yield separator === '' ? ']' : '\n  ]';
    separator = ',';
  }
  yield '\n}}\n';
}

const hasCard = (index: number) => index % 10 === 0;

/** A state with one cardholder who has a card, and no timers. */
async function template(): Promise<Json> {
  const sandbox = await startSandbox({ seed: 7, rateLimit: 0 });
  await createCard(sandbox);
  await sandbox.control('POST', '/clock/advance', { duration: '1m' });
  const { body } = await sandbox.control('GET', '/state');
  // A used token refers to the cardholder.
  body.tables.shareTokens = [];
  body.counts.shareTokens = 0;
  return body;
}

/** A card number with a valid check digit, different for each index. */
function numberOf(index: number): string {
  const digits = `42424242${String(index).padStart(7, '0')}`;
  let sum = 0;
  for (const [position, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return digits + String((10 - (sum % 10)) % 10);
}
