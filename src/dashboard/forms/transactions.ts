import { control } from '../data/http.ts';
import type { Transaction } from '../data/response-types.ts';
import { balance, partner } from '../data/store.ts';
import { openForm } from '../ui/form.tsx';
import { numberIn } from './values.ts';

/** Opens the form that settles an authorized transaction. */
export function openSettlementForm({ id, amount, currency }: Transaction): void {
  openForm({
    title: 'Settle the transaction',
    intro: 'Any amount up to the authorized one. The rest is released.',
    submit: 'Settle',
    fields: () => [
      { name: 'amount', label: `Amount in ${currency}`, kind: 'number', initial: String(amount) },
    ],
    run: values => control('POST', `/transactions/${id}/settle`, { amount: numberIn(values, 'amount') }),
  });
}

/** Opens the form that tops up the balance of the selected partner. */
export function openTopUpForm(): void {
  openForm({
    title: 'Top up the balance',
    submit: 'Top up',
    fields: () => [{ name: 'amount', label: 'Amount', kind: 'number', initial: '1000' }],
    async run(values) {
      const amount = numberIn(values, 'amount');
      await control('POST', '/balance/top-up', { amount, partnerId: partner.value?.id });
      await balance.load();
    },
  });
}
