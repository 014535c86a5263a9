import { batch } from '@preact/signals';
import { after } from '../browser/timers.ts';
import type { Collection } from './collection.ts';
import type { Clock, Delivery, JournalEntry, LiveEvent } from './response-types.ts';
import * as store from './store.ts';
import { listen, type Message } from './stream.ts';

const GATHERING_MS = 60;
const MOST_EVENTS = 500;
const MOST_ENTRIES = 1_000;

/** Which rows to read anew, and what to add; gathered for a moment, so that a burst of news costs one read. */
const stale = new Map<Pick<Collection<unknown>, 'refresh'>, Set<string>>();
let entries: JournalEntry[] = [];
let happened: LiveEvent[] = [];
/** Deliveries as they were told last. */
let told = new Map<string, Delivery>();
let isBalanceStale = false;
let isGathering = false;

/** Record kinds of the journal's changes, each with the rows that it is about. */
const BY_KIND: Readonly<Record<string, Pick<Collection<unknown>, 'refresh'>>> = {
  cardholder: store.cardholders,
  card: store.cards,
  'card program': store.programs,
  'KYC session': store.kycSessions,
  transaction: store.transactions,
};
/** Event types by their beginnings, the longest first, each with the rows that it is about. */
const BY_EVENT: readonly (readonly [string, Pick<Collection<unknown>, 'refresh'>])[] = [
  ['card.transaction', store.transactions],
  ['cardholder.', store.cardholders],
  ['card.', store.cards],
  ['kyc_session.', store.kycSessions],
];

/** Keeps the page's copy of the sandbox up to date, for as long as the page is open. */
export function follow(): void {
  void listen(() => void store.loadAll(), take);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void store.loadAll();
  });
}

function take({ kind, data }: Message): void {
  // The control plane documents what each kind of news brings.
  if (kind === 'reset') void startAnew();
  else if (kind === 'clock') store.clock.value.value = data as Clock;
  else if (kind === 'delivery') told.set((data as Delivery).id, data as Delivery);
  else if (kind === 'event') takeEvent(data as LiveEvent);
  else if (kind === 'request') takeEntry(data as JournalEntry);
  if (isGathering) return;
  isGathering = true;
  after(GATHERING_MS, flush);
}

async function startAnew(): Promise<void> {
  store.events.value = [];
  await store.loadAll();
}

function takeEntry(entry: JournalEntry): void {
  entries.push(entry);
  for (const { kind, id } of entry.changes) mark(BY_KIND[kind], id);
  if (entry.changes.some(({ kind }) => kind === 'share token')) void store.shareTokens.load();
  if (entry.changes.some(({ kind }) => kind === 'webhook configuration')) void store.webhookConfig.load();
}

function takeEvent(event: LiveEvent): void {
  happened.push(event);
  mark(BY_EVENT.find(([beginning]) => event.eventType.startsWith(beginning))?.[1], event.resourceId);
  if (event.eventType === 'card.transaction') markCardOf(event);
  if (/^(balance\.|card\.transaction)/.test(event.eventType)) isBalanceStale = true;
}

/** A transaction moves what its card has spent. */
function markCardOf(event: LiveEvent & { readonly data?: unknown }): void {
  const { data } = event;
  if (typeof data === 'object' && data !== null && 'cardId' in data) mark(store.cards, String(data.cardId));
}

function mark(rows: Pick<Collection<unknown>, 'refresh'> | undefined, id: string): void {
  if (rows === undefined) return;
  const ids = stale.get(rows) ?? new Set();
  stale.set(rows, ids.add(id));
}

function flush(): void {
  isGathering = false;
  const [added, news, reads, sent] = [entries.reverse(), happened.reverse(), [...stale], told];
  [entries, happened, told] = [[], [], new Map()];
  stale.clear();
  batch(() => {
    if (added.length > 0) store.journal.prepend(added, MOST_ENTRIES);
    if (sent.size > 0) store.deliveries.take([...sent.values()]);
    if (news.length > 0) store.events.value = [...news, ...store.events.value].slice(0, MOST_EVENTS);
  });
  for (const [rows, ids] of reads) void rows.refresh(ids);
  if (isBalanceStale) void store.balance.load();
  if (news.length + added.length + sent.size > 0) void store.clock.load();
  isBalanceStale = false;
}
