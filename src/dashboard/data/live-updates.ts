import { batch } from '@preact/signals';
import { after } from '../browser/timers.ts';
import type { Collection } from './collection.ts';
import type { Clock, Delivery, JournalEntry, LiveEvent } from './response-types.ts';
import * as store from './store.ts';
import { type Message, readStream } from './stream.ts';

const GATHER_MS = 60;
const MAX_EVENTS = 500;
const MAX_ENTRIES = 1_000;

type Refreshable = Pick<Collection<unknown>, 'refresh'>;

/** What arrived since the last flush. Messages are gathered for a moment, so that a burst costs one read. */
let entries: JournalEntry[] = [];
let raised: LiveEvent[] = [];
let changedDeliveries = new Map<string, Delivery>();
const staleIds = new Map<Refreshable, Set<string>>();
let isBalanceStale = false;
let isFlushScheduled = false;

/** Collections by the kind of record that a journal entry reports as changed. */
const BY_KIND: Readonly<Record<string, Refreshable>> = {
  cardholder: store.cardholders,
  card: store.cards,
  'card program': store.programs,
  'KYC session': store.kycSessions,
  transaction: store.transactions,
};
/** Collections by the prefix of the event type. The first match counts. */
const BY_EVENT_TYPE: readonly (readonly [prefix: string, Refreshable])[] = [
  ['card.transaction', store.transactions],
  ['cardholder.', store.cardholders],
  ['card.', store.cards],
  ['kyc_session.', store.kycSessions],
];

/** Keeps the page's copy of the sandbox up to date until the page is closed. */
export function startLiveUpdates(): void {
  void readStream(() => void store.loadAll(), handleMessage);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void store.loadAll();
  });
}

function handleMessage({ kind, data }: Message): void {
  // The control plane documents the data of each kind of message.
  if (kind === 'reset') void reloadAfterReset();
  else if (kind === 'clock') store.clock.set(data as Clock);
  else if (kind === 'delivery') changedDeliveries.set((data as Delivery).id, data as Delivery);
  else if (kind === 'event') addEvent(data as LiveEvent);
  else if (kind === 'request') addEntry(data as JournalEntry);
  if (isFlushScheduled) return;
  isFlushScheduled = true;
  after(GATHER_MS, flush);
}

async function reloadAfterReset(): Promise<void> {
  store.events.value = [];
  await store.loadAll();
}

function addEntry(entry: JournalEntry): void {
  entries.push(entry);
  for (const { kind, id } of entry.changes) markStale(BY_KIND[kind], id);
  if (entry.changes.some(({ kind }) => kind === 'share token')) void store.shareTokens.load();
  if (entry.changes.some(({ kind }) => kind === 'webhook configuration')) void store.webhookConfig.load();
}

function addEvent(event: LiveEvent): void {
  raised.push(event);
  const [, rows] = BY_EVENT_TYPE.find(([prefix]) => event.eventType.startsWith(prefix)) ?? [];
  markStale(rows, event.resourceId);
  if (event.eventType === 'card.transaction') markCardStale(event.data);
  if (/^(balance\.|card\.transaction)/.test(event.eventType)) isBalanceStale = true;
}

/** A transaction changes the amounts spent on its card. */
function markCardStale(data: unknown): void {
  if (typeof data === 'object' && data !== null && 'cardId' in data) {
    markStale(store.cards, String(data.cardId));
  }
}

function markStale(rows: Refreshable | undefined, id: string): void {
  if (rows === undefined) return;
  const ids = staleIds.get(rows) ?? new Set();
  staleIds.set(rows, ids.add(id));
}

function flush(): void {
  isFlushScheduled = false;
  const newEntries = entries.reverse();
  const newEvents = raised.reverse();
  const newDeliveries = [...changedDeliveries.values()];
  const refreshes = [...staleIds];
  [entries, raised, changedDeliveries] = [[], [], new Map()];
  staleIds.clear();
  batch(() => {
    if (newEntries.length > 0) store.journal.prepend(newEntries, MAX_ENTRIES);
    if (newDeliveries.length > 0) store.deliveries.put(newDeliveries);
    if (newEvents.length > 0) store.events.value = [...newEvents, ...store.events.value].slice(0, MAX_EVENTS);
  });
  for (const [rows, ids] of refreshes) void rows.refresh(ids);
  if (isBalanceStale) void store.balance.load();
  if (newEvents.length + newEntries.length + newDeliveries.length > 0) void store.clock.load();
  isBalanceStale = false;
}
