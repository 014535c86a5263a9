import { control } from '../data/http.ts';
import type { IncrementResult, Transaction } from '../data/response-types.ts';
import { balance, partner } from '../data/store.ts';
import { openForm } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';

const amountField = (currency: string, initial: number) =>
  ({ name: 'amount', label: `Amount in ${currency}`, kind: 'number', initial: String(initial) }) as const;

export function openSettlementForm({ id, amount, currency }: Transaction): void {
  openForm({
    title: 'Settle the transaction',
    intro: 'Of a lower amount than the authorized one, the rest is released.',
    submit: 'Settle',
    fields: () => [
      amountField(currency, amount),
      {
        name: 'force',
        label: 'More than authorized',
        kind: 'choice',
        choices: [
          ['', 'is refused'],
          ['force', 'is settled, whatever limits and balance (a tip)'],
        ],
        isOptional: true,
      },
    ],
    run: ({ amount, force }) =>
      control('POST', `/transactions/${id}/settle`, { amount, force: force !== undefined }),
  });
}

export function openIncrementForm({ id, currency }: Transaction): void {
  openForm({
    title: 'Increment the transaction',
    intro: 'Adds to the authorized amount. The card, its limits and the balance decide the result.',
    submit: 'Increment',
    fields: () => [amountField(currency, 10)],
    async run(input) {
      const result = await control<IncrementResult>('POST', `/transactions/${id}/increment`, input);
      if (!result.approved) throw new Error(`Declined: ${readable(result.declineReason)}. Nothing changed.`);
    },
  });
}

export function openReversalForm({ id, amount, currency }: Transaction): void {
  openForm({
    title: 'Reverse the transaction',
    intro: 'Of a lower amount than the authorized one, the rest stays authorized.',
    submit: 'Reverse',
    fields: () => [amountField(currency, amount)],
    run: input => control('POST', `/transactions/${id}/reverse`, input),
  });
}

export function openTopUpForm(): void {
  openForm({
    title: 'Top up the balance',
    submit: 'Top up',
    fields: () => [{ name: 'amount', label: 'Amount', kind: 'number', initial: '1000' }],
    async run(input) {
      await control('POST', '/balance/top-up', { ...input, partnerId: partner.value?.id });
      await balance.load();
    },
  });
}
