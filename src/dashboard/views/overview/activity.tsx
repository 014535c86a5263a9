import { money, shortMoment } from '../../ui/format.ts';
import { clock, deliveries, events, ownJournal, partner, transactions } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { Badge, Method, StatusCode } from '../../ui/badge.tsx';
import { Empty } from '../../ui/panel.tsx';

const MOST_LINES = 14;

/** What happened last: requests as they were answered, events as they were raised, and transactions. */
export function Activity() {
  const now = clock.value.value?.now;
  const requests = (ownJournal.value ?? []).slice(0, MOST_LINES).map(entry => ({
    key: entry.id,
    at: entry.at,
    href: linkTo('requests', entry.id),
    mark: <StatusCode status={entry.status} />,
    text: (
      <>
        <Method name={entry.method} /> <code>{entry.path.replace(/^\/v1\/partner/, '')}</code>
      </>
    ),
  }));
  const raised = events.value
    .filter(({ partnerId }) => partnerId === partner.value?.id)
    .slice(0, MOST_LINES)
    .map(({ id, createdAt, eventType }) => ({
      key: id,
      at: createdAt,
      href: linkTo('deliveries', id),
      mark: <EventMark id={id} />,
      text: eventType,
    }));
  const spent = (transactions.rows.value ?? [])
    .slice(0, MOST_LINES)
    .map(({ id, updatedAt, status, merchant, ...row }) => ({
      key: id,
      at: updatedAt,
      href: linkTo('transactions', id),
      mark: <Badge state={status} />,
      text: `${money(row.amount, row.currency)} at ${merchant.name}`,
    }));
  const lines = [...raised, ...requests, ...spent]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, MOST_LINES);
  if (lines.length === 0) {
    return (
      <Empty icon="request" title="Quiet so far">
        <p>Requests, events and webhooks show up here as they happen.</p>
      </Empty>
    );
  }
  return (
    <ol class="activity">
      {lines.map(({ key, at, href, mark, text }) => (
        <li key={key}>
          <a href={href}>
            <time>{shortMoment(at, now)}</time>
            {mark}
            <span class="activity-text">{text}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function EventMark({ id }: { readonly id: string }) {
  const delivery = deliveries.find(id);
  return delivery === undefined ? <span class="code info">event</span> : <Badge state={delivery.status} />;
}
