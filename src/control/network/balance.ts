import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../kernel/access/partners.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { balances, viewBalance } from '../../resources/balance/records.ts';
import { topUp } from '../../resources/balance/rules.ts';
import { Balance } from '../../resources/balance/schema.ts';
import { PositiveAmount } from '../../values/money.ts';

const topUpBalance = operation({
  id: 'balance.topUp',
  plane: 'control',
  method: 'POST',
  path: '/balance/top-up',
  summary: "Add money to a partner's balance",
  fidelity: assumed('balance'),
  body: z.object({ amount: PositiveAmount, partnerId: partnerChoice }),
  responses: { 200: Balance },
  run({ world, body }) {
    const { id } = partnerOrFirst(world, body.partnerId);
    return reply(200, viewBalance(world, topUp(world, id, body.amount)));
  },
});

const showBalance = operation({
  id: 'balance.show',
  plane: 'control',
  method: 'GET',
  path: '/balance',
  summary: "Get a partner's balance",
  fidelity: assumed('control-records'),
  query: z.object({ partnerId: partnerChoice }),
  responses: { 200: Balance },
  run({ world, query }) {
    const { id } = partnerOrFirst(world, query.partnerId);
    return reply(200, viewBalance(world, world.table(balances).existing(id)));
  },
});

/** Operations on the balance of a partner. */
export const balanceControlOperations = [topUpBalance, showBalance];
