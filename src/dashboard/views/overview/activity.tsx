import { transactions, useRows } from '../../data/records.ts';
import type { Transaction } from '../../data/response-types.ts';
import { clock, deliveries, events, partner, partnerJournal } from '../../data/store.ts';
import { linkOver } from '../../route.ts';
import { Call, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { date, money, timeFormat } from '../../ui/format.ts';
import { Empty, Section } from '../../ui/panel.tsx';

const MAX_LINES = 14;

export function Activity() {
  const spent = useRows(transactions, undefined, MAX_LINES) ?? [];
  const lines = [...eventLines(), ...requestLines(), ...transactionLines(spent)]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, MAX_LINES);
  if (lines.length === 0) {
    return (
      <Section title="Activity">
        <Empty icon="request" title="No activity yet">
          <p>Requests, events and transactions appear here as they happen.</p>
        </Empty>
      </Section>
    );
  }
  const formatTime = timeFormat(lines, ({ at }) => at);
  const today = clock.data.value?.now.slice(0, 10);
  const timeOfLine = (at: string) => (date(at) === today ? formatTime(at) : date(at));
  return (
    <Section title="Activity">
      <ol class="activity">
        {lines.map(({ key, at, href, mark, text }) => (
          <li key={key}>
            <a href={href}>
              <time>{timeOfLine(at)}</time>
              <span class="activity-mark">{mark}</span>
              <span class="activity-text">{text}</span>
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function requestLines() {
  return (partnerJournal.value ?? []).slice(0, MAX_LINES).map(({ id, at, status, method, path }) => ({
    key: id,
    at,
    href: linkOver('requests', id),
    mark: <StatusCode status={status} />,
    text: <Call method={method} path={path.replace(/^\/v1\/partner/, '')} />,
  }));
}

function eventLines() {
  return events.value
    .filter(({ partnerId }) => partnerId === partner.value?.id)
    .slice(0, MAX_LINES)
    .map(({ id, createdAt, eventType }) => ({
      key: id,
      at: createdAt,
      href: linkOver('deliveries', id),
      mark: <EventMark id={id} />,
      text: eventType,
    }));
}

function transactionLines(spent: readonly Transaction[]) {
  return spent.map(({ id, updatedAt, status, amount, currency, merchant }) => ({
    key: id,
    at: updatedAt,
    href: linkOver('transactions', id),
    mark: <StateBadge state={status} />,
    text: `${money(amount, currency)} at ${merchant.name}`,
  }));
}

function EventMark({ id }: { readonly id: string }) {
  const delivery = deliveries.find(id);
  if (delivery === undefined) return <span class="code info">event</span>;
  return <StateBadge state={delivery.status} />;
}
