import { cardholders, kycSessions, ownDeliveries } from '../../data/store.ts';
import { decideSubmission } from '../../forms/cardholders.ts';
import { linkTo } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, Empty } from '../../ui/panel.tsx';

const MOST_OF_A_KIND = 5;

/** What goes on only when somebody does something: KYC to decide, sessions to finish, deliveries to retry. */
export function Attention() {
  const undecided = (cardholders.rows.value ?? []).filter(
    ({ kyc }) => kyc.state === 'in_flight' && kyc.outcome === 'manual',
  );
  const sessions = (kycSessions.rows.value ?? []).filter(({ status }) => status === 'pending');
  const failed = (ownDeliveries.value ?? []).filter(({ status }) => status === 'failed');
  if (undecided.length + sessions.length + failed.length === 0) {
    return (
      <Empty icon="check" title="Nothing waits">
        <p>KYC that waits for a decision and webhooks that failed for good show up here.</p>
      </Empty>
    );
  }
  return (
    <ul class="attention">
      {undecided.slice(0, MOST_OF_A_KIND).map(({ id, firstName, lastName }) => (
        <li key={id}>
          <a href={linkTo('cardholders', id)}>
            <b>
              {firstName} {lastName}
            </b>
            <span>KYC waits for a decision</span>
          </a>
          <span class="actions">
            <Button onClick={() => decideSubmission(id, 'approve')}>Approve</Button>
            <Button onClick={() => decideSubmission(id, 'reject')}>Reject</Button>
          </span>
        </li>
      ))}
      {failed.slice(0, MOST_OF_A_KIND).map(({ id, eventType, cause }) => (
        <li key={id}>
          <a href={linkTo('deliveries', id)}>
            <b>{eventType}</b>
            <span>{cause ?? 'was not delivered'}</span>
          </a>
          <Badge state="failed" />
        </li>
      ))}
      {sessions.slice(0, MOST_OF_A_KIND).map(({ id }) => (
        <li key={id}>
          <a href={linkTo('sessions', id)}>
            <b>KYC session</b>
            <span>waits for its person</span>
          </a>
          <Badge state="pending" />
        </li>
      ))}
    </ul>
  );
}
