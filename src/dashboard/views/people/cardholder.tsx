import { cards, transactions, useRows } from '../../data/records/lists.ts';
import type { Cardholder } from '../../data/response-types.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { dateTime, readable, readableList } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Facts, Section } from '../../ui/panel.tsx';
import { RecordHistory } from '../traffic/record-history.tsx';
import { CardholderActions } from './cardholder-actions.tsx';
import { Timeline } from './timeline.tsx';
import { timelineOf } from './timeline-entries.ts';

const LOCK_TEXTS: Readonly<Record<NonNullable<Cardholder['lockReason']>, string>> = {
  provider_submitted: 'Re-import is locked: the KYC has been submitted to the card provider.',
  card_issued: 'Re-import is locked: a card has been issued.',
};

const MAX_CARDS = 50;
const MAX_TRANSACTIONS = 50;

/** A cardholder with the state of its KYC, its actions, its cards and its timeline. */
export function CardholderDetail({ row }: { readonly row: Cardholder }) {
  const foundCards = useRows(cards, { cardholderId: row.id }, MAX_CARDS);
  const foundSpent = useRows(transactions, { cardholderId: row.id }, MAX_TRANSACTIONS);
  // Both at once, so that none moves the other.
  const isLoaded = foundCards !== null && foundSpent !== null;
  const ownCards = foundCards ?? [];
  const spent = foundSpent ?? [];
  return (
    <>
      <header class="detail-head">
        <h2>
          {row.firstName} {row.lastName}
        </h2>
        <StateBadge state={row.kyc.state} label={`KYC ${readable(row.kyc.state)}`} />
        <StateBadge state={row.status} />
      </header>
      <Id value={row.id} />
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
          ['Provider will', row.kyc.state === 'approved' ? null : row.kyc.outcome],
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
                <a class="capital" href={linkTo('cards', card.id)}>
                  {card.brand} •••• {card.last4}
                </a>
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
      <RecordHistory id={row.id} />
    </>
  );
}

function addressOf({ address }: Cardholder): string {
  const city = [address.postalCode, address.residenceCity].filter(Boolean).join(' ');
  return [address.residenceAddressDetail, city, address.residenceStateProvince, address.residenceCountryCode]
    .filter(Boolean)
    .join(', ');
}
