import { type DeclineReason, FORCED_REASONS } from '../../resources/transactions/decline-reasons.ts';
import { callApi } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Card, Cardholder, Transaction } from '../data/response-types.ts';
import { go } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';
import { programField } from './program-field.ts';
import { numberIn } from './values.ts';

/** The decline reasons that the form offers. The others follow from the state of the card or the cardholder. */
const OFFERED_REASONS: readonly string[] = [
  ...(['insufficient_funds', 'spend_limit_exceeded'] satisfies DeclineReason[]),
  ...Object.keys(FORCED_REASONS),
];
const TYPE_LABELS: Readonly<Record<Transaction['type'], string>> = { sale: 'sale', cash: 'cash withdrawal' };

/** Opens the form that issues a card to a cardholder. */
export function openCardForm({ id, firstName, lastName, kyc }: Cardholder): void {
  openForm({
    title: 'Issue a card',
    intro: `For ${firstName} ${lastName}. Limits that you leave empty are those of the program.`,
    submit: 'Issue card',
    fields: () => [
      programField(kyc.cardProgramId),
      {
        name: 'nameOnCard',
        label: 'Name on card',
        isOptional: true,
        hint: 'Default: the name of the cardholder.',
      },
      { name: 'limit', label: 'Total limit', kind: 'number', isOptional: true },
      { name: 'daily', label: 'Daily limit for sales', kind: 'number', isOptional: true },
    ],
    async run(values) {
      const daily = numberIn(values, 'daily');
      const card = await callApi<Card>('POST', '/partner/cards', {
        cardholderId: id,
        cardProgramId: values.cardProgramId,
        nameOnCard: values.nameOnCard || undefined,
        limit: numberIn(values, 'limit'),
        ...(daily === undefined ? {} : { spendControl: { sales: { daily } } }),
      });
      go('cards', card.id);
    },
  });
}

/** Opens the form that authorizes a transaction in the simulated card network. */
export function openAuthorizationForm(card: Card): void {
  openForm({
    title: 'Authorize a transaction',
    intro: `With the card ending in ${card.last4}. The card, its limits and the balance decide the result.`,
    submit: 'Authorize',
    fields: () => [
      { name: 'amount', label: `Amount in ${card.currency}`, kind: 'number', initial: '24.90' },
      { name: 'type', label: 'Type', kind: 'choice', choices: Object.entries(TYPE_LABELS) },
      { name: 'merchant', label: 'Merchant', isOptional: true, hint: 'Generated when empty.' },
      {
        name: 'declineReason',
        label: 'Decline',
        kind: 'choice',
        choices: [
          ['', 'only where the rules require it'],
          ...OFFERED_REASONS.map(reason => [reason, readable(reason)] as const),
        ],
        isOptional: true,
      },
    ],
    async run(values) {
      const { id } = await control<Transaction>('POST', '/transactions', {
        cardId: card.id,
        amount: numberIn(values, 'amount'),
        type: values.type,
        declineReason: values.declineReason || undefined,
        ...(values.merchant ? { merchant: { name: values.merchant } } : {}),
      });
      go('transactions', id);
    },
  });
}
