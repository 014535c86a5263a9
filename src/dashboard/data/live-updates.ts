import { batch, computed, effect, untracked } from '@preact/signals';
import { after, monotonicNow } from '../browser.ts';
import { route } from '../route.ts';
import type { CachedValue } from './cached-value.ts';
import { loadReadings, updateReadings } from './readings.ts';
import { kycSessions } from './records.ts';
import type { Change, Clock, Delivery, JournalEntry, LiveEvent } from './response-types.ts';
import * as store from './store.ts';
import { connection, type Message, readStream } from './stream.ts';

/** Messages are gathered for a moment, so that a burst is shown at once. */
const GATHER_MS = 60;
/** Changed records are read at most this often, so that an open page costs the sandbox little. */
const READ_PAUSE_MS = 1_000;
/** Lists whose messages the stream left out are read again at most this often. */
const LOAD_PAUSE_MS = 10_000;
/**
 * How long an older stream stays open beside a new one: longer than the sandbox gathers messages before it writes them,
 * a quarter of a second, on a busy machine too. Messages that are not written by then are lost.
 */
const OVERLAP_MS = 1_000;
const MAX_EVENTS = 500;
const MAX_ENTRIES = 1_000;

type Loadable = Pick<CachedValue<unknown>, 'load'>;

/** The kinds of which the stream left out messages. */
interface Skipped {
  readonly kinds: readonly string[];
}

/** What is small enough to be read as a whole, by the kind of record. */
const VALUES: Readonly<Record<string, readonly Loadable[]>> = {
  balance: [store.balance],
  'card program': [store.programs],
  fault: [store.faults],
  partner: [store.partners, store.settings, store.balance],
  'webhook configuration': [store.webhookConfig],
  'webhook fault': [store.webhookFaults],
};

/** What changes with the differences from the start. */
const DIFFERING: ReadonlySet<Loadable> = new Set([
  store.controlCalls,
  store.faults,
  store.webhookFaults,
  store.partners,
  store.webhookConfig,
]);

/** The kinds of which the page has the records of all partners. */
const OF_ALL_PARTNERS: ReadonlySet<string> = new Set(['partner', 'fault', 'webhook fault']);

/** What arrived since it was last shown. */
let entries: JournalEntry[] = [];
let raised: LiveEvent[] = [];
let changedDeliveries = new Map<string, Delivery>();
let isShowScheduled = false;
/** What changed since it was last read. */
let changed = new Map<string, Map<string, Change['action']>>();
let stale = new Set<Loadable>();
let isReadScheduled = false;
let lastReadAt = Number.NEGATIVE_INFINITY;
/** Lists of which the stream left out messages. */
const skipped = new Set<Loadable>();

/** The pages that show no requests, as long as no record is open whose timeline does. */
const WITHOUT_REQUESTS: ReadonlySet<string> = new Set([
  'cardholders',
  'cards',
  'transactions',
  'tokens',
  'sessions',
  'faults',
  'settings',
  'assumptions',
]);

const KINDS = 'event,delivery,clock,reset,change';

/** What the page hears of, and how many messages of a kind in a quarter of a second. The overview shows only a few. */
const subscription = computed(() => {
  const { view, id, inspected } = route.value;
  if (inspected !== null) return { hasRequests: true, newest: 25 };
  if (view === 'overview') return { hasRequests: true, newest: 5 };
  return { hasRequests: !WITHOUT_REQUESTS.has(view) || (view === 'cardholders' && id !== null), newest: 25 };
});
/** As a text, so that the stream stays open between pages that hear of the same. */
const streamQuery = computed(() => {
  const { hasRequests, newest } = subscription.value;
  return `kinds=${KINDS}${hasRequests ? ',request' : ''}&newest=${newest}`;
});
/** The streams that are open or are being opened, the oldest first: one, but for a moment two. */
const streams = new Set<AbortController>();
let hasLoaded = false;

/** Keeps the page's copy of the sandbox up to date until the page is closed. */
export function startLiveUpdates(): void {
  effect(() => openStreamFor(streamQuery.value));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') loadAll();
  });
}

/**
 * Opens the stream for a page, and then ends the one before it: nothing is missed in between. Formatting a request costs
 * the sandbox nearly as much as answering it, so the page hears of requests only where it shows them.
 */
function openStreamFor(query: string): void {
  const mine = new AbortController();
  let isOpen = false;
  streams.add(mine);
  void readStream(query, {
    until: mine.signal,
    onMessage: handleMessage,
    onOpen() {
      after(OVERLAP_MS, () => endOlderThan(mine));
      // After a break, messages may have been missed.
      if (!hasLoaded || isOpen) loadAll();
      else if (untracked(() => subscription.value.hasRequests)) void store.journal.load();
      isOpen = true;
      hasLoaded = true;
    },
    onState(state) {
      if (!mine.signal.aborted) connection.value = state;
    },
  });
}

function endOlderThan(mine: AbortController): void {
  if (!streams.has(mine)) return;
  for (const older of streams) {
    if (older === mine) break;
    older.abort();
    streams.delete(older);
  }
}

function loadAll(): void {
  void store.loadAll();
  if (untracked(() => subscription.value.hasRequests)) void store.journal.load();
}

function handleMessage({ kind, data }: Message): void {
  // The control plane documents the data of each kind of message.
  if (kind === 'reset') reloadAfterReset();
  else if (kind === 'clock') moveClock(data as Clock);
  else if (kind === 'delivery') changedDeliveries.set((data as Delivery).id, data as Delivery);
  else if (kind === 'event') raised.push(data as LiveEvent);
  else if (kind === 'request') entries.push(data as JournalEntry);
  else if (kind === 'change') addChange(data as Change);
  else if (kind === 'skipped') scheduleLoad((data as Skipped).kinds);
  // Whatever happened may be an entry.
  if (route.value.view === 'history') stale.add(store.historyEntries);
  if (isShowScheduled) return;
  isShowScheduled = true;
  after(GATHER_MS, show);
}

function reloadAfterReset(): void {
  store.events.value = [];
  changed = new Map();
  dropGathered();
  loadAll();
}

function dropGathered(): void {
  [entries, raised, changedDeliveries] = [[], [], new Map()];
}

function addChange({ kind, id, action, partnerId }: Change): void {
  if (!OF_ALL_PARTNERS.has(kind) && partnerId !== store.partner.value?.id) return;
  for (const each of VALUES[kind] ?? []) stale.add(each);
  const changes = changed.get(kind) ?? new Map<string, Change['action']>();
  const isNew = action === 'updated' && changes.get(id) === 'created';
  changed.set(kind, changes.set(id, isNew ? 'created' : action));
}

/** Shows a new time. Sessions expire with it, which no change reports. */
function moveClock(clock: Clock): void {
  store.clock.set(clock);
  // Timers may have been added since the sandbox wrote the message.
  stale.add(store.clock);
  stale.add(store.controlCalls);
  void loadReadings(kycSessions.kind);
}

/** Reads the lists again of which the stream left out messages. The overview has no room for more requests. */
function scheduleLoad(kinds: readonly string[]): void {
  const isScheduled = skipped.size > 0;
  if (kinds.includes('delivery')) skipped.add(store.deliveries);
  if (kinds.includes('request') && route.value.view !== 'overview') skipped.add(store.journal);
  if (isScheduled || skipped.size === 0) return;
  after(LOAD_PAUSE_MS, () => {
    for (const list of skipped) void list.load();
    skipped.clear();
  });
}

function show(): void {
  isShowScheduled = false;
  // While one stream takes over from another, both report.
  const known = new Set(store.events.value.map(({ id }) => id));
  const newEntries = unique(entries).reverse();
  const newEvents = unique(raised)
    .reverse()
    .filter(({ id }) => !known.has(id));
  const newDeliveries = [...changedDeliveries.values()];
  dropGathered();
  batch(() => {
    if (newEntries.length > 0) store.journal.prepend(newEntries, MAX_ENTRIES);
    if (newDeliveries.length > 0) store.deliveries.put(newDeliveries);
    if (newEvents.length > 0) store.events.value = [...newEvents, ...store.events.value].slice(0, MAX_EVENTS);
  });
  // The number of pending timers may have changed.
  if (newEvents.length + changed.size + newDeliveries.length > 0) stale.add(store.clock);
  if (route.value.view === 'overview' && [...stale].some(each => DIFFERING.has(each)))
    stale.add(store.differences);
  if (isReadScheduled || changed.size + stale.size === 0) return;
  isReadScheduled = true;
  after(Math.max(lastReadAt + READ_PAUSE_MS - monotonicNow(), 0), readChanges);
}

function unique<T extends { readonly id: string }>(messages: readonly T[]): T[] {
  return [...new Map(messages.map(each => [each.id, each])).values()];
}

function readChanges(): void {
  isReadScheduled = false;
  lastReadAt = monotonicNow();
  const [kinds, values] = [changed, stale];
  [changed, stale] = [new Map(), new Set()];
  for (const each of values) void each.load();
  for (const [kind, changes] of kinds) updateReadings(kind, changes);
}
