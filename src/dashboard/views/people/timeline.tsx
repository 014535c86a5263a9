import type { Card, Cardholder, JournalEntry, Transaction } from '../../data/response-types.ts';
import { deliveries, journal } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { dateTime, money, readable } from '../../ui/format.ts';

export interface TimelineEntry {
  readonly key: string;
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'info' | 'quiet';
  readonly title: string;
  readonly note?: string;
  readonly href?: string;
}

const MAX_ENTRIES = 60;

/**
 * Returns what happened to a cardholder, newest first: from the record, its cards and transactions, and the requests
 * and deliveries that the page has.
 */
export function timelineOf(
  row: Cardholder,
  ownCards: readonly Card[],
  spent: readonly Transaction[],
): readonly TimelineEntry[] {
  const ids = new Set([row.id, ...ownCards.map(({ id }) => id)]);
  const entries = [
    ...fromRecord(row),
    ...ownCards.map(card => ({
      key: card.id,
      at: card.createdAt,
      tone: 'info' as const,
      title: `Card •••• ${card.last4} issued`,
      href: linkTo('cards', card.id),
    })),
    ...fromTransactions(spent),
    ...fromJournal(ids),
    ...fromDeliveries(ids),
  ];
  return entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_ENTRIES);
}

function fromRecord({ id, createdAt, kyc, kycStatus }: Cardholder): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { key: `${id} created`, at: createdAt, tone: 'quiet', title: 'Cardholder created' },
  ];
  if (kyc.submittedAt !== null) {
    const title = 'KYC submitted to the card provider';
    entries.push({ key: `${id} submitted`, at: kyc.submittedAt, tone: 'info', title });
  }
  if (kyc.decidedAt !== null) {
    const tone = kycStatus === 'approved' ? 'good' : 'bad';
    entries.push({ key: `${id} decided`, at: kyc.decidedAt, tone, title: `KYC ${kycStatus}` });
  }
  return entries;
}

function fromTransactions(spent: readonly Transaction[]): TimelineEntry[] {
  return spent.map(
    ({ id, status, amount, currency, merchant, updatedAt, declineReason, reversalReason }) => ({
      key: id,
      at: updatedAt,
      tone: status === 'declined' ? 'bad' : status === 'settled' ? 'good' : 'info',
      title: `${money(amount, currency)} at ${merchant.name} ${status}`,
      ...(declineReason === null ? {} : { note: readable(declineReason) }),
      ...(reversalReason === 'expired' ? { note: 'the authorization expired' } : {}),
      href: linkTo('transactions', id),
    }),
  );
}

function fromJournal(ids: ReadonlySet<string>): TimelineEntry[] {
  return (journal.data.value ?? [])
    .filter(entry => entry.method !== 'GET' && isAbout(entry, ids))
    .map(({ id, at, method, path, status, refusal }) => ({
      key: id,
      at,
      tone: status < 400 ? 'quiet' : 'warn',
      title: `${method} ${path.replace(/^\/v1/, '')} returned ${status}`,
      ...(refusal === null ? {} : { note: refusal }),
      href: linkTo('activity', id),
    }));
}

/** Returns whether a request changed or named one of the records, or was refused because of it. */
function isAbout({ path, changes, refusal, response }: JournalEntry, ids: ReadonlySet<string>): boolean {
  if (changes.some(({ id }) => ids.has(id)) || path.split('/').some(part => ids.has(part))) return true;
  return refusal !== null && [...ids].some(id => response.body.includes(id));
}

function fromDeliveries(ids: ReadonlySet<string>): TimelineEntry[] {
  return (deliveries.data.value ?? [])
    .filter(({ resourceId }) => ids.has(resourceId))
    .map(({ id, createdAt, eventType, status, cause }) => ({
      key: id,
      at: createdAt,
      tone: status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn',
      title: `Webhook ${eventType} ${status}`,
      ...(cause === null ? {} : { note: cause }),
      href: linkTo('webhooks', id),
    }));
}

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol class="timeline">
      {entries.map(({ key, at, tone, title, note, href }) => (
        <li key={key} class={tone}>
          <time dateTime={at}>{dateTime(at)}</time>
          <p>{href === undefined ? title : <a href={href}>{title}</a>}</p>
          {note !== undefined && <p class="note">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
