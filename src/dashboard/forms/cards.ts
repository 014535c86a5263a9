import { type DeclineReason, FORCED_REASONS } from '../../service/transactions/decline-reasons.ts';
import { callApi } from '../data/actions.ts';
import { control, read } from '../data/http.ts';
import { cardholders, readRows } from '../data/records.ts';
import type { Card, Cardholder, Challenge, ChallengeResult, Transaction } from '../data/response-types.ts';
import { assumed, isDocumentedOnly, partner } from '../data/store.ts';
import { openCreated } from '../route.ts';
import { type Field, type Input, openForm } from '../ui/form.tsx';
import { nameOf, readable } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import { programField } from './fields.ts';

/** The decline reasons that the form offers. The others follow from the state of the card or the cardholder. */
const OFFERED_REASONS: readonly string[] = [
  ...(['insufficient_funds', 'spend_limit_exceeded'] satisfies DeclineReason[]),
  ...Object.keys(FORCED_REASONS),
];
const TYPE_LABELS: Readonly<Record<Transaction['type'], string>> = { sale: 'sale', cash: 'cash withdrawal' };

/** A choice must not be empty, since the browser takes that for no choice. */
const NEW = 'new';
const APPROVED = { filters: { kycState: 'approved' }, limit: 20 };

/** Issues to this cardholder, else to an approved one of the partner that the form offers. */
export async function openCardForm(cardholder?: Cardholder): Promise<void> {
  const approved = cardholder === undefined ? await readRows(cardholders, APPROVED) : [];
  const holders = approved.filter(({ status }) => status === 'active');
  openForm({
    title: 'Issue a card',
    intro: `${cardholder === undefined ? '' : `For ${nameOf(cardholder)}. `}Limits that you leave empty are those of the program.`,
    submit: 'Issue card',
    fields: values => [
      ...(cardholder === undefined ? [holderField(holders)] : []),
      programField(
        (cardholder ?? holders.find(({ id }) => id === (values.cardholderId ?? holders[0]?.id)))?.kyc
          .cardProgramId,
      ),
      {
        name: 'nameOnCard',
        label: 'Name on card',
        isOptional: true,
        hint: 'Default: the name of the cardholder.',
      },
      { name: 'limit', label: 'Total limit', kind: 'number', isOptional: true },
      { name: 'daily', label: 'Daily limit for sales', kind: 'number', isOptional: true },
    ],
    async run({ daily, ...input }) {
      const card = await issueCard({
        ...input,
        cardholderId: cardholder?.id ?? (await chosenCardholder(input)),
        spendControl: daily === undefined ? undefined : { sales: { daily } },
      });
      openCreated('cards', card.id);
    },
  });
}

/** Issues a card through the API, or through the control plane where the API lacks the operation or counts in hundredths. */
function issueCard(body: Input): Promise<Card> {
  if (isDocumentedOnly.value) return control('POST', '/cards/issue', body);
  if (assumed('amount-unit') === 'minor')
    return control('POST', '/cards/issue', { ...body, activate: false });
  return callApi('POST', '/partner/cards', body);
}

function holderField(holders: readonly Cardholder[]): Field {
  const choices = holders.map(each => [each.id, `${nameOf(each)} (${each.id})`] as const);
  return {
    name: 'cardholderId',
    label: 'Cardholder',
    kind: 'choice',
    choices: [...choices, [NEW, 'A new one, approved at once']],
    hint: 'Cards are issued to active cardholders whose KYC is approved.',
  };
}

async function chosenCardholder({ cardholderId, cardProgramId }: Input): Promise<unknown> {
  if (cardholderId !== NEW) return cardholderId;
  const partnerId = partner.value?.id;
  return (await control<Cardholder>('POST', '/cardholders', { partnerId, cardProgramId })).id;
}

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
    async run({ merchant, ...input }) {
      const { id } = await control<Transaction>('POST', '/transactions', {
        ...input,
        cardId: card.id,
        merchant: merchant === undefined ? undefined : { name: merchant },
      });
      openCreated('transactions', id);
    },
  });
}

/** Starts a 3DS challenge. The form has the passcode that the cardholder received, so that it can be submitted or made wrong. */
export async function openChallengeForm({ id }: Card): Promise<void> {
  const { challengeId } = await control<Challenge>('POST', `/cards/${id}/3ds`, {});
  const { otp = '' } = await read<Challenge & { readonly otp?: string }>(`/3ds/${challengeId}`);
  openForm({
    title: 'Verify the passcode',
    intro: `Challenge ${challengeId}. The webhook card.3ds_otp has this passcode, which is valid for 60 seconds. You have three tries.`,
    submit: 'Verify',
    fields: () => [{ name: 'otp', label: 'Passcode', initial: otp }],
    async run(input) {
      const result = await control<ChallengeResult>('POST', `/3ds/${challengeId}/verify`, input);
      if (result.status === 'pending') throw new Error(`Wrong passcode. Tries left: ${result.attemptsLeft}.`);
      toast(result.status === 'approved' ? 'good' : 'bad', `Challenge ${result.status}`);
    },
  });
}
