import { documented } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { balances, viewBalance } from './records.ts';
import { Balance } from './schema.ts';

const getBalance = operation({
  id: 'balance.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/balance',
  summary: 'Get the balance',
  fidelity: documented('4.12'),
  responses: { 200: Balance },
  run: ({ state, partner }) => reply(200, viewBalance(state, state.table(balances).existing(partner.id))),
});

export const balanceOperations = [getBalance];
