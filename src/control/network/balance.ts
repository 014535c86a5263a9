import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { PositiveAmount } from '../../core/values/money.ts';
import { balances, viewBalance } from '../../service/balance/records.ts';
import { topUp } from '../../service/balance/rules.ts';
import { Balance } from '../../service/balance/schema.ts';

const topUpBalance = operation({
  id: 'balance.topUp',
  plane: 'control',
  method: 'POST',
  path: '/balance/top-up',
  summary: "Add money to a partner's balance",
  fidelity: assumed('balance'),
  body: z.object({
    amount: PositiveAmount.describe('What is added to the available balance.'),
    partnerId: partnerChoice,
  }),
  responses: { 200: Balance },
  run({ state, body }) {
    const { id } = partnerOrFirst(state, body.partnerId);
    return reply(200, viewBalance(state, topUp(state, id, body.amount)));
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
  run({ state, query }) {
    const { id } = partnerOrFirst(state, query.partnerId);
    return reply(200, viewBalance(state, state.table(balances).existing(id)));
  },
});

export const balanceControlOperations = [topUpBalance, showBalance];
