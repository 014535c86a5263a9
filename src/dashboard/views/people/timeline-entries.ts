import { money, words } from '../../ui/format.ts';
import type { Cardholder, JournalEntry } from '../../data/response-types.ts';
import { cards, deliveries, events, journal, transactions } from '../../data/store.ts';
import { linkTo } from '../../route.ts';

/** Something that happened to a record, at a moment of sandbox time. */
export interface Moment {
  readonly key: string;
  readonly at: string;
  readonly tone: 'good' | 'bad' | 'warn' | 'info' | 'quiet';
  readonly title: string;
  readonly note?: string;
  readonly href?: string;
}

const MOST_MOMENTS = 60;

/**
 * What happened to a cardholder, newest first: told from the record itself, its cards and transactions, and
 * the requests, events and deliveries that the page knows of.
 */
export function timelineOf(row: Cardholder): readonly Moment[] {
  const ownCards = (cards.rows.value ?? []).filter(({ cardholderId }) => cardholderId === row.id);
  const ids = new Set([row.id, ...ownCards.map(({ id }) => id)]);
  const moments = [
    ...fromRecord(row),
    ...ownCards.map(card => ({
      key: card.id,
      at: card.createdAt,
      tone: 'info' as const,
      title: `Card •••• ${card.last4} issued`,
      href: linkTo('cards', card.id),
    })),
    ...fromTransactions(row.id),
    ...fromJournal(ids),
    ...fromDeliveries(ids),
  ];
  return moments.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST_MOMENTS);
}

function fromRecord({ id, createdAt, kyc, kycStatus }: Cardholder): Moment[] {
  const moments: Moment[] = [
    { key: `${id} created`, at: createdAt, tone: 'quiet', title: 'Cardholder created' },
  ];
  if (kyc.submittedAt !== null) {
    moments.push({
      key: `${id} submitted`,
      at: kyc.submittedAt,
      tone: 'info',
      title: 'KYC submitted to the provider',
    });
  }
  if (kyc.decidedAt !== null) {
    const tone = kycStatus === 'approved' ? 'good' : 'bad';
    moments.push({ key: `${id} decided`, at: kyc.decidedAt, tone, title: `KYC ${kycStatus}` });
  }
  return moments;
}

function fromTransactions(cardholderId: string): Moment[] {
  return (transactions.rows.value ?? [])
    .filter(each => each.cardholderId === cardholderId)
    .map(({ id, status, amount, currency, merchant, updatedAt, declineReason }) => ({
      key: id,
      at: updatedAt,
      tone: status === 'declined' ? 'bad' : status === 'settled' ? 'good' : 'info',
      title: `${money(amount, currency)} at ${merchant.name} ${status}`,
      ...(declineReason === null ? {} : { note: words(declineReason) }),
      href: linkTo('transactions', id),
    }));
}

function fromJournal(ids: ReadonlySet<string>): Moment[] {
  return (journal.rows.value ?? [])
    .filter(entry => entry.method !== 'GET' && isAbout(entry, ids))
    .map(({ id, at, method, path, status, refusal }) => ({
      key: id,
      at,
      tone: status < 400 ? 'quiet' : 'warn',
      title: `${method} ${path.replace(/^\/v1/, '')} answered ${status}`,
      ...(refusal === null ? {} : { note: refusal }),
      href: linkTo('requests', id),
    }));
}

/** Whether a request touched a record, or was refused because of it. */
function isAbout({ path, changes, refusal, response }: JournalEntry, ids: ReadonlySet<string>): boolean {
  if (changes.some(({ id }) => ids.has(id)) || path.split('/').some(part => ids.has(part))) return true;
  return refusal !== null && [...ids].some(id => response.body.includes(id));
}

function fromDeliveries(ids: ReadonlySet<string>): Moment[] {
  const sent = (deliveries.rows.value ?? []).filter(({ resourceId }) => ids.has(resourceId));
  const known = new Set(sent.map(({ id }) => id));
  const unsent = events.value.filter(({ id, resourceId }) => ids.has(resourceId) && !known.has(id));
  return [
    ...sent.map(
      ({ id, createdAt, eventType, status, cause }): Moment => ({
        key: id,
        at: createdAt,
        tone: status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn',
        title: `Webhook ${eventType} ${status}`,
        ...(cause === null ? {} : { note: cause }),
        href: linkTo('deliveries', id),
      }),
    ),
    ...unsent.map(
      ({ id, createdAt, eventType }): Moment => ({
        key: id,
        at: createdAt,
        tone: 'quiet',
        title: `Event ${eventType}`,
        note: 'not subscribed, so not delivered',
      }),
    ),
  ];
}
