import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import { cards, useRows } from '../../data/records.ts';
import type { Cardholder } from '../../data/response-types.ts';
import {
  approveSubmission,
  openCardholderForm,
  openRejectionForm,
  openSubmissionForm,
} from '../../forms/cardholders.ts';
import { openCardForm } from '../../forms/cards.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { openForm } from '../../ui/form.tsx';
import { cardEnd, dateTime, nameOf, readable, readableList } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Facts, Mentions, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { LatestTransactions } from '../cards/latest-transactions.tsx';

const LOCK_TEXTS: Readonly<Record<NonNullable<Cardholder['lockReason']>, string>> = {
  provider_submitted: 'Re-import is locked: the KYC has been submitted to the card provider.',
  card_issued: 'Re-import is locked: a card has been issued.',
};

const MAX_CARDS = 50;

export function CardholderDetail({ row }: { readonly row: Cardholder }) {
  const ownCards = useRows(cards, { cardholderId: row.id }, MAX_CARDS);
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
          ['Mentioned in', <Mentions key="mentions" of={row.id} />],
        ]}
      />
      {ownCards !== null && ownCards.length > 0 && (
        <Section title="Cards">
          <ul class="links">
            {ownCards.map(card => (
              <li key={card.id}>
                <RecordLink id={card.id} text={cardEnd(card.last4)} />
                <StateBadge state={card.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {/* Behind the cards, so that these do not move it. */}
      {ownCards !== null && <LatestTransactions of={{ cardholderId: row.id }} />}
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
      {row.status === 'active' && (state === 'not_submitted' || state === 'rejected') && (
        <Button kind="primary" icon="send" onClick={() => openSubmissionForm(row)}>
          {state === 'rejected' ? 'Submit again' : 'Submit KYC'}
        </Button>
      )}
      {state === 'in_flight' && (
        <>
          <Button kind="primary" icon="check" onClick={() => approveSubmission(row.id)}>
            Approve KYC
          </Button>
          <Button icon="close" onClick={() => openRejectionForm(`/cardholders/${row.id}/kyc/reject`)}>
            Reject KYC
          </Button>
        </>
      )}
      {row.status === 'active' && state === 'approved' && (
        <Button kind="primary" icon="card" onClick={() => openCardForm(row)}>
          Issue card
        </Button>
      )}
      {row.status === 'active' && (row.kycSource === 'idp1' || row.kycSource === 'idp2') && (
        <Button
          icon="again"
          title="Send the same external id with a new share token"
          onClick={() => openCardholderForm(row)}
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
          withToast(isActive ? 'Cardholder suspended' : 'Cardholder reactivated', () =>
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
