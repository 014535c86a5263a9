import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CardNetwork, cardNetwork } from '../../support/card-network.ts';
import { CARDS, Money, type Move, PARTNERS } from '../../support/money-model.ts';
import { START } from '../../support/sandbox.ts';

const amount = fc
  .oneof(fc.nat(2_500), fc.nat(20_000), fc.constantFrom(1, 2_000, 4_000, 60_000))
  .map(each => each + 1);
const which = fc.nat(9);

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      card: fc.nat(2),
      amount,
      type: fc.constantFrom('sale' as const, 'sale' as const, 'cash' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), which, percent: fc.nat(110) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('topUp' as const), partner: fc.nat(1), amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.constantFrom(1, 9, 24, 240) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('freeze' as const, 'unfreeze' as const), which: fc.nat(2) }),
  },
);

/** Does one thing in the sandbox and in the model; the answers have to agree. */
async function play(network: CardNetwork, money: Money, given: Move): Promise<void> {
  const { control, pay } = network;
  switch (given.kind) {
    case 'pay': {
      const { card, type } = given;
      const expected = money.declines(card, type, given.amount);
      const { body } = await pay(CARDS[card]?.id ?? '', given.amount / 100, { type });
      const status = expected === null ? 'authorized' : 'declined';
      expect(body).toMatchObject({ status, declineReason: expected });
      return money.pay(body.id, card, type, given.amount, expected !== null);
    }
    case 'settle':
    case 'reverse': {
      const payment = money.payments[given.which % Math.max(1, money.payments.length)];
      if (payment === undefined) return;
      const part =
        given.kind === 'settle' ? Math.max(1, Math.round((payment.amount * given.percent) / 100)) : 0;
      const body = given.kind === 'settle' ? { amount: part / 100 } : undefined;
      const done = money.end(payment, given.kind === 'settle' ? 'settled' : 'reversed', part);
      const reply = await control('POST', `/transactions/${payment.id}/${given.kind}`, body);
      return expect(reply.status).toBe(done ? 200 : 400);
    }
    case 'topUp': {
      const partnerId = PARTNERS[given.partner]?.id;
      await control('POST', '/balance/top-up', { amount: given.amount / 100, partnerId });
      return money.topUp(given.partner, given.amount);
    }
    case 'advance':
      await network.advance(`${given.hours}h`);
      return money.advance(given.hours);
    case 'freeze':
    case 'unfreeze': {
      const ask = given.which === 2 ? network.globex : network.api;
      ask('POST', `/partner/cards/${CARDS[given.which]?.id}/${given.kind}`);
      if (given.kind === 'freeze') money.frozen.add(given.which);
      else money.frozen.delete(given.which);
    }
  }
}

const hundredths = (shown: number) => Math.round(shown * 100);

/** What the partners can read has to be what the model says, to the hundredth, and nothing of the other. */
function compare(network: CardNetwork, money: Money): void {
  [network.api, network.globex].forEach((ask, partner) => {
    const { available, held } = ask('GET', '/partner/balance').body;
    const used = money.used(partner);
    expect([hundredths(available), hundredths(held)]).toEqual([money.available(partner), used.held]);
    const listed = ask('GET', '/partner/transactions?limit=100').body.data;
    const own = money.payments.filter(({ card }) => CARDS[card]?.partner === partner);
    expect(listed.map(({ id, status }: Record<string, string>) => `${id} ${status}`).reverse()).toEqual(
      own.map(({ id, status }) => `${id} ${status}`),
    );
    const foreign = money.payments.find(({ card }) => CARDS[card]?.partner !== partner);
    if (foreign !== undefined) expect(ask('GET', `/partner/transactions/${foreign.id}`).status).toBe(404);
    CARDS.forEach((card, number) => {
      const read = ask('GET', `/partner/cards/${card.id}`);
      expect(read.status).toBe(card.partner === partner ? 200 : 404);
      if (read.status === 404) return;
      const { sales, cash } = read.body.spendControl.spent;
      for (const [windows, type] of [
        [sales, 'sale'],
        [cash, 'cash'],
      ]) {
        const { perTransaction, daily, monthly, allTime } = windows;
        expect(perTransaction).toBe(0);
        expect([daily, monthly, allTime].map(hundredths)).toEqual(money.spent(number, type));
      }
    });
  });
  const raised = network.events.filter(({ type }) => !type.startsWith('card.status'));
  expect(raised.map(({ type, partnerId }) => `${type} ${partnerId}`)).toEqual(money.events);
}

test('whatever two partners do, no hundredth is lost, windows add up and neither sees the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40, size: 'max' }), async moves => {
      const network = cardNetwork();
      const money = new Money(Date.parse(START));
      for (const given of moves) {
        await play(network, money, given);
        compare(network, money);
      }
      network.stop();
    }),
    { numRuns: 60 },
  );
}, 60_000);
