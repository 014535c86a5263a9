import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import { cards, transactions, useRows } from '../../data/records.ts';
import type { Cardholder } from '../../data/response-types.ts';
import {
  decideSubmission,
  openCardholderForm,
  openRejectionForm,
  openSubmissionForm,
} from '../../forms/cardholders.ts';
import { openCardForm } from '../../forms/cards.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime, nameOf, readable, readableList } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Button, Facts, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { Timeline, timelineOf } from './timeline.tsx';

const LOCK_TEXTS: Readonly<Record<NonNullable<Cardholder['lockReason']>, string>> = {
  provider_submitted: 'Re-import is locked: the KYC has been submitted to the card provider.',
  card_issued: 'Re-import is locked: a card has been issued.',
};

const MAX_CARDS = 50;
const MAX_TRANSACTIONS = 50;

export function CardholderDetail({ row }: { readonly row: Cardholder }) {
  const foundCards = useRows(cards, { cardholderId: row.id }, MAX_CARDS);
  const foundSpent = useRows(transactions, { cardholderId: row.id }, MAX_TRANSACTIONS);
  // Both at once, so that none moves the other.
  const isLoaded = foundCards !== null && foundSpent !== null;
  const ownCards = foundCards ?? [];
  const spent = foundSpent ?? [];
  return (
    <>
      <RecordHead title={nameOf(row)} id={row.id}>
        <StateBadge state={row.kyc.state} label={`KYC ${readable(row.kyc.state)}`} />
        <StateBadge state={row.status} />
      </RecordHead>
      {row.lockReason !== null && (
        <p class="callout">
          <Icon name="lock" />
          <span>
            {LOCK_TEXTS[row.lockReason]} <code>{row.lockReason}</code>
          </span>
        </p>
      )}
      <CardholderActions row={row} />
      <Facts
        of={[
          ['External id', <code key="id">{row.externalUserId}</code>],
          ['E-mail', row.email],
          ['Phone', row.phoneNumber],
          ['Address', addressOf(row)],
          ['KYC source', row.kycSource],
          ['KYC outcome', row.kyc.state === 'approved' ? null : row.kyc.outcome],
          ['Submitted', row.kyc.submittedAt && dateTime(row.kyc.submittedAt)],
          ['Decided', row.kyc.decidedAt && dateTime(row.kyc.decidedAt)],
          ['Rejected because', readableList(row.kyc.reasons)],
          ['Created', dateTime(row.createdAt)],
        ]}
      />
      {isLoaded && ownCards.length > 0 && (
        <Section title="Cards">
          <ul class="links">
            {ownCards.map(card => (
              <li key={card.id}>
                <RecordLink id={card.id}>
                  <span class="capital">{card.brand}</span> •••• {card.last4}
                </RecordLink>
                <StateBadge state={card.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {isLoaded && (
        <Section title="Timeline">
          <Timeline entries={timelineOf(row, ownCards, spent)} />
        </Section>
      )}
    </>
  );
}

function addressOf({ address }: Cardholder): string {
  const city = [address.postalCode, address.residenceCity].filter(Boolean).join(' ');
  return [address.residenceAddressDetail, city, address.residenceStateProvince, address.residenceCountryCode]
    .filter(Boolean)
    .join(', ');
}

function CardholderActions({ row }: { readonly row: Cardholder }) {
  const { state } = row.kyc;
  return (
    <div class="actions">
      {(state === 'not_submitted' || state === 'rejected') && (
        <Button tone="primary" icon="send" onClick={() => openSubmissionForm(row)}>
          {state === 'rejected' ? 'Submit again' : 'Submit KYC'}
        </Button>
      )}
      {state === 'in_flight' && (
        <>
          <Button tone="primary" icon="check" onClick={() => decideSubmission(row.id, 'approve')}>
            Approve KYC
          </Button>
          <Button icon="close" onClick={() => decideSubmission(row.id, 'reject')}>
            Reject KYC
          </Button>
          <Button onClick={() => openRejectionForm(`/cardholders/${row.id}/kyc/reject`)}>
            Reject with a reason
          </Button>
        </>
      )}
      {row.status === 'active' && state === 'approved' && (
        <Button tone="primary" icon="card" onClick={() => void openCardForm(row)}>
          Issue card
        </Button>
      )}
      {(row.kycSource === 'idp1' || row.kycSource === 'idp2') && (
        <Button
          icon="again"
          title="Send the same external id with a new share token"
          onClick={() => void openCardholderForm(row)}
        >
          Re-import
        </Button>
      )}
      {row.status !== 'closed' && <StatusActions row={row} />}
    </div>
  );
}

function StatusActions({ row: { id, status } }: { readonly row: Cardholder }) {
  const isActive = status === 'active';
  const setStatus = (next: Cardholder['status']) =>
    control('POST', `/cardholders/${id}/status`, { status: next });
  return (
    <>
      <Button
        onClick={() =>
          void withToast(isActive ? 'Cardholder suspended' : 'Cardholder reactivated', () =>
            setStatus(isActive ? 'suspended' : 'active'),
          )
        }
      >
        {isActive ? 'Suspend' : 'Reactivate'}
      </Button>
      <Button
        onClick={() =>
          openForm({
            title: 'Close the cardholder',
            intro: 'Closing is final. A closed cardholder cannot be re-imported, submitted or issued a card.',
            submit: 'Close cardholder',
            isDangerous: true,
            run: () => setStatus('closed'),
          })
        }
      >
        Close
      </Button>
    </>
  );
}
