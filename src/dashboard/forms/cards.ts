import { callApi, ofPartner } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Card, Cardholder, Transaction } from '../data/response-types.ts';
import { balance, partner } from '../data/store.ts';
import { go } from '../route.ts';
import { ask, type Values } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { programField } from './cardholders.ts';

/** Reasons that a caller can force, beside `none`: the ones that follow from the state come by themselves. */
const REASONS = [
  'insufficient_funds',
  'spend_limit_exceeded',
  'merchant_category_not_allowed',
  'country_not_allowed',
  'incorrect_pin',
  'incorrect_cvv',
  'three_ds_failed',
  'suspected_fraud',
  'do_not_honor',
];

/** A number that was filled in; undefined where nothing was. */
function numberIn(values: Values, name: string): number | undefined {
  const text = values[name] ?? '';
  return text === '' ? undefined : Number(text);
}

/** Asks for what a card is issued with. */
export function askForCard({ id, firstName, lastName, kyc }: Cardholder): void {
  ask({
    title: 'Issue a card',
    intro: `For ${firstName} ${lastName}. Limits that you leave empty come from the program.`,
    submit: 'Issue card',
    fields: () => [
      programField(kyc.cardProgramId),
      {
        name: 'nameOnCard',
        label: 'Name on card',
        isOptional: true,
        hint: 'The cardholder’s, unless you say otherwise.',
      },
      { name: 'limit', label: 'Limit over all time', kind: 'number', isOptional: true },
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

/** Asks for a purchase or a withdrawal, and has the simulated network authorize it. */
export function askForAuthorization(card: Card): void {
  ask({
    title: 'Authorize a transaction',
    intro: `On the card ending in ${card.last4}. Whether it passes follows from the card, its limits and the balance.`,
    submit: 'Authorize',
    fields: () => [
      { name: 'amount', label: `Amount in ${card.currency}`, kind: 'number', initial: '24.90' },
      {
        name: 'type',
        label: 'Type',
        kind: 'choice',
        choices: [
          ['sale', 'sale'],
          ['cash', 'cash withdrawal'],
        ],
      },
      { name: 'merchant', label: 'Merchant', isOptional: true, hint: 'Made up when empty.' },
      {
        name: 'declineReason',
        label: 'Decline it',
        kind: 'choice',
        choices: [
          ['', 'only where the rules say so'],
          ...REASONS.map(each => [each, each.replaceAll('_', ' ')] as const),
        ],
        isOptional: true,
      },
    ],
    async run(values) {
      const made = await control<Transaction>('POST', '/transactions', {
        cardId: card.id,
        amount: numberIn(values, 'amount'),
        type: values.type,
        declineReason: values.declineReason || undefined,
        ...(values.merchant ? { merchant: { name: values.merchant } } : {}),
      });
      go('transactions', made.id);
    },
  });
}

/** Asks how much of an authorization is settled. */
export function askForSettlement({ id, amount, currency }: Transaction): void {
  ask({
    title: 'Settle the transaction',
    intro: 'Any amount up to the authorized one; the rest is released.',
    submit: 'Settle',
    fields: () => [
      { name: 'amount', label: `Amount in ${currency}`, kind: 'number', initial: String(amount) },
    ],
    run: values => control('POST', `/transactions/${id}/settle`, { amount: numberIn(values, 'amount') }),
  });
}

/** Asks how much to add to the partner's balance. */
export function askForTopUp(): void {
  ask({
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

/** Starts a 3DS challenge on a card, and then asks for the passcode that its webhook brought. */
export function askForChallenge(card: Card): void {
  ask({
    title: 'Start a 3DS challenge',
    intro: 'The one-time passcode goes out with the event card.3ds_otp, to be passed on within 60 seconds.',
    submit: 'Start challenge',
    fields: () => [
      {
        name: 'amount',
        label: `Amount in ${card.currency}`,
        kind: 'number',
        initial: '99.00',
        isOptional: true,
      },
    ],
    async run(values) {
      const { challengeId } = await control<{ challengeId: string }>('POST', `/cards/${card.id}/3ds`, {
        amount: numberIn(values, 'amount'),
      });
      askForPasscode(challengeId);
    },
  });
}

function askForPasscode(challengeId: string): void {
  ask({
    title: 'Verify the passcode',
    intro: `Challenge ${challengeId}. The passcode is in the webhook that your receiver got; three tries.`,
    submit: 'Verify',
    fields: () => [{ name: 'otp', label: 'Passcode' }],
    async run({ otp }) {
      const answer = await control<{ status: string; attemptsLeft: number }>(
        'POST',
        `/3ds/${challengeId}/verify`,
        { otp },
      );
      if (answer.status === 'pending') throw new Error(`wrong passcode, ${answer.attemptsLeft} tries left`);
      toast(answer.status === 'approved' ? 'good' : 'bad', `The challenge ${answer.status}`);
    },
  });
}

/** Asks for an event to send, whatever the state of things. */
export function askForEvent(types: readonly string[]): void {
  ask({
    title: 'Trigger an event',
    intro: 'About an existing record where one is named or there is one, else about a sample.',
    submit: 'Trigger',
    fields: () => [
      {
        name: 'eventType',
        label: 'Event',
        kind: 'choice',
        choices: types.map(each => [each, each] as const),
      },
      {
        name: 'resourceId',
        label: 'Record',
        isOptional: true,
        hint: 'Id of a cardholder, card, transaction or session.',
      },
    ],
    async run(values) {
      const answer = await control<{ id?: string; delivered?: false; cause?: string }>(
        'POST',
        `/events?${ofPartner()}`,
        {
          eventType: values.eventType,
          partnerId: partner.value?.id,
          resourceId: values.resourceId || undefined,
        },
      );
      if (answer.delivered === false) throw new Error(`Nothing was sent: ${answer.cause}.`);
      if (answer.id !== undefined) go('deliveries', answer.id);
    },
  });
}
