import { VALID_INPUTS } from '../../../sandbox/valid-inputs.ts';
import { callApi, withToast } from '../../data/actions.ts';
import { advance } from '../../data/clock.ts';
import { cardholders, cards, shareTokens, useRows } from '../../data/records.ts';
import type { Card, Cardholder, Partner, ShareToken } from '../../data/response-types.ts';
import { hasMagicTokens, info, isDocumentedOnly, partner, programs } from '../../data/store.ts';
import {
  approveSubmission,
  openCardholderForm,
  openSubmissionForm,
  tokenProof,
  tokenState,
} from '../../forms/cardholders.ts';
import { openAuthorizationForm, openCardForm } from '../../forms/cards.ts';
import { openShareTokenForm } from '../../forms/identities.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toControlCurl, toCurl } from '../../ui/curl.ts';
import { spacedDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Section } from '../../ui/panel.tsx';

interface Step {
  readonly title: string;
  readonly note: string;
  readonly isDone: boolean;
  /** What the button does; null while an earlier step is missing. */
  readonly run: (() => unknown) | null;
  readonly action: string;
  /** Does the same; has a placeholder for what does not exist yet. */
  readonly curl: string;
}

const NEWEST = 1;
const [NEW_CARDHOLDER] = VALID_INPUTS['cardholders.create'];
const [SALE] = VALID_INPUTS['transactions.authorize'];

export function FirstSteps() {
  const tokens = useRows(shareTokens, undefined, NEWEST);
  const people = useRows(cardholders, undefined, NEWEST);
  const issued = useRows(cards, undefined, NEWEST);
  const isLoaded = tokens !== null && people !== null && issued !== null;
  if (!isLoaded || partner.value === null || info.data.value === null) return null;
  const steps = stepsOf(partner.value, tokens[0], people[0], issued[0]);
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Section
      title="First steps"
      note="From an identity to a payment. Your app does the same over the API; try each step here or copy its curl command."
    >
      <ol class="first-steps">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </Section>
  );
}

interface StepItemProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

function StepItem({ step: { title, note, isDone, run, action, curl }, number, isNext }: StepItemProps) {
  return (
    <li class={isDone ? 'done' : isNext ? 'next' : ''}>
      <span class="step-number">{isDone ? <Icon name="check" /> : number}</span>
      <div class="step-text">
        <h3>
          {title}
          {isDone && <span class="off-screen"> (done)</span>}
        </h3>
        <p class="note">{note}</p>
        {isNext && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
          <pre tabIndex={0}>{curl}</pre>
        )}
      </div>
      <div class="actions">
        <Button kind={isNext ? 'primary' : ''} disabled={run === null} onClick={() => run?.()}>
          {action}
        </Button>
        <Copy text={curl} label="Copy as curl" title={`Copy as curl: ${title}`} />
      </div>
    </li>
  );
}

function stepsOf(
  { id: partnerId, apiKey }: Partner,
  token: ShareToken | undefined,
  person: Cardholder | undefined,
  card: Card | undefined,
): readonly Step[] {
  const kyc = person?.kyc.state;
  const isApproved = kyc === 'approved';
  const cardProgramId = programs.data.value?.at(-1)?.id ?? 'CARD_PROGRAM_ID';
  const cardholderId = person?.id ?? 'CARDHOLDER_ID';
  const cardId = card?.id ?? 'CARD_ID';
  const isUsable = token !== undefined && tokenState(token) === 'unused' && token.source === 'idp1';
  const proof = isUsable ? tokenProof(token) : undefined;
  const example = hasMagicTokens.value ? {} : { idp1ShareToken: 'SHARE_TOKEN' };
  const kycDelay = String(info.data.value?.options.kycDelay ?? '2s');
  const api = (path: string, body?: object) =>
    toCurl({ method: 'POST', path: `/v1/partner${path}`, body: body ? JSON.stringify(body) : '' }, apiKey);
  return [
    {
      title: 'Issue a share token',
      note: 'A verified identity of somebody, as another partner shares it. Here the sandbox makes one up.',
      isDone: token !== undefined || person !== undefined,
      run: openShareTokenForm,
      action: 'Issue share token',
      curl: toControlCurl('/share-tokens', { partnerId }),
    },
    {
      title: 'Create a cardholder',
      note: 'With that token. The name and the address come from it.',
      isDone: person !== undefined,
      run: () => openCardholderForm({}, proof),
      action: 'Create cardholder',
      curl: api('/cardholders', { ...NEW_CARDHOLDER.body, ...example, ...proof }),
    },
    {
      title: 'Submit the KYC',
      note:
        kyc === 'rejected'
          ? 'The provider rejected it. Submit it again and approve it here, or create another cardholder.'
          : 'The card provider gets the identity and decides later, on the sandbox clock.',
      isDone: kyc === 'in_flight' || isApproved,
      run: person === undefined ? null : () => openSubmissionForm(person),
      action: 'Submit KYC',
      curl: api(`/cardholders/${cardholderId}/kyc`, { cardProgramId }),
    },
    person !== undefined && kyc === 'in_flight' && person.kyc.outcome !== 'approve'
      ? {
          title: 'Let the provider decide',
          note: `The outcome of its identity is ${person.kyc.outcome}: approve it here, as the control plane can.`,
          isDone: false,
          run: () => approveSubmission(person.id),
          action: 'Approve KYC',
          curl: toControlCurl(`/cardholders/${person.id}/kyc/approve`, {}),
        }
      : {
          title: 'Let the provider decide',
          note: `It takes ${spacedDuration(kycDelay)} of sandbox time. Advance the clock instead of waiting.`,
          isDone: isApproved,
          run: kyc === 'in_flight' ? () => advance(kycDelay, spacedDuration(kycDelay)) : null,
          action: `Advance ${spacedDuration(kycDelay)}`,
          curl: toControlCurl('/clock/advance', { duration: kycDelay }),
        },
    {
      title: 'Issue a card',
      note: 'Within the limits of its card program.',
      isDone: card !== undefined,
      run: isApproved ? () => openCardForm(person) : null,
      action: 'Issue card',
      curl: isDocumentedOnly.value
        ? toControlCurl('/cards/issue', { cardholderId, cardProgramId })
        : api('/cards', { cardholderId, cardProgramId }),
    },
    // The control plane issues it activated.
    ...(isDocumentedOnly.value
      ? []
      : [
          {
            title: 'Activate the card',
            note: 'As its cardholder does when it arrives.',
            isDone: card !== undefined && card.status !== 'created',
            run: card?.status === 'created' ? () => activate(card) : null,
            action: 'Activate',
            curl: api(`/cards/${cardId}/activate`),
          },
        ]),
    {
      title: 'Pay with it',
      note: 'The simulated card network authorizes or declines, and webhooks report it.',
      isDone: false,
      run: card?.status === 'active' ? () => openAuthorizationForm(card) : null,
      action: 'Authorize',
      curl: toControlCurl('/transactions', { ...SALE.body, cardId }),
    },
  ];
}

function activate({ id }: Card): Promise<void> {
  return withToast('Card activated', () => callApi('POST', `/partner/cards/${id}/activate`));
}
