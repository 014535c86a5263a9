import { cardholders, kycSessions, useRows } from '../../data/records/lists.ts';
import { partnerDeliveries } from '../../data/store.ts';
import { decideSubmission } from '../../forms/cardholders.ts';
import { linkTo } from '../../route.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button, Empty } from '../../ui/panel.tsx';

const MAX_PER_KIND = 5;
const UNDECIDED = { kycState: 'in_flight', outcome: 'manual' };
const PENDING = { status: 'pending' };

/** What does not continue by itself: KYC to decide, sessions to complete, deliveries to retry. */
export function Attention() {
  const undecided = useRows(cardholders, UNDECIDED, MAX_PER_KIND) ?? [];
  const sessions = useRows(kycSessions, PENDING, MAX_PER_KIND) ?? [];
  const failed = (partnerDeliveries.value ?? []).filter(({ status }) => status === 'failed');
  if (undecided.length + sessions.length + failed.length === 0) {
    return (
      <Empty icon="check" title="Nothing to do">
        <p>KYC that needs a decision, open KYC sessions and failed webhooks appear here.</p>
      </Empty>
    );
  }
  return (
    <ul class="attention">
      {undecided.map(({ id, firstName, lastName }) => (
        <li key={id}>
          <a href={linkTo('cardholders', id)}>
            <b>
              {firstName} {lastName}
            </b>
            <span>KYC needs a decision</span>
          </a>
          <span class="actions">
            <Button onClick={() => decideSubmission(id, 'approve')}>Approve</Button>
            <Button onClick={() => decideSubmission(id, 'reject')}>Reject</Button>
          </span>
        </li>
      ))}
      {failed.slice(0, MAX_PER_KIND).map(({ id, eventType, cause }) => (
        <li key={id}>
          <a href={linkTo('deliveries', id)}>
            <b>{eventType}</b>
            <span>{cause ?? 'not delivered'}</span>
          </a>
          <StateBadge state="failed" />
        </li>
      ))}
      {sessions.map(({ id }) => (
        <li key={id}>
          <a href={linkTo('sessions', id)}>
            <b>KYC session</b>
            <span>not completed yet</span>
          </a>
          <StateBadge state="pending" />
        </li>
      ))}
    </ul>
  );
}
