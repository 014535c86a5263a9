import { batch } from '@preact/signals';
import { after, elapsed } from '../browser/timers.ts';
import { route } from '../route.ts';
import type { Collection } from './collection.ts';
import { historyEntries } from './history.ts';
import { kycSessions } from './records/lists.ts';
import { loadReadings, updateReadings } from './records/reading.ts';
import type { Change, Clock, Delivery, JournalEntry, LiveEvent } from './response-types.ts';
import * as store from './store.ts';
import { type Message, readStream } from './stream.ts';

/** Messages are gathered for a moment, so that a burst is shown at once. */
const GATHER_MS = 60;
/** Changed records are read at most this often, so that an open page costs the sandbox little. */
const READ_PAUSE_MS = 1_000;
/** Lists whose messages the stream left out are read again at most this often. */
const LOAD_PAUSE_MS = 10_000;
const MAX_EVENTS = 500;
const MAX_ENTRIES = 1_000;

type Loadable = Pick<Collection<unknown>, 'load'>;

/** What is small enough to be read as a whole, by the kind of record. */
const VALUES: Readonly<Record<string, readonly Loadable[]>> = {
  balance: [store.balance],
  'card program': [store.programs],
  partner: [store.partners, store.settings, store.balance],
  'webhook configuration': [store.webhookConfig],
  'webhook fault': [store.webhookFaults],
};

/** The kinds of which the page has the records of all partners. */
const OF_ALL_PARTNERS: ReadonlySet<string> = new Set(['partner', 'webhook fault']);

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
/** The number of the last message. */
let lastNumber: number | null = null;
let isLoadScheduled = false;

/** Keeps the page's copy of the sandbox up to date until the page is closed. */
export function startLiveUpdates(): void {
  void readStream(() => {
    lastNumber = null;
    void store.loadAll();
  }, handleMessage);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void store.loadAll();
  });
}

function handleMessage({ kind, data, number }: Message): void {
  if (number !== null) {
    if (lastNumber !== null && number > lastNumber + 1) scheduleLoad();
    lastNumber = number;
  }
  // The control plane documents the data of each kind of message.
  if (kind === 'reset') void reloadAfterReset();
  else if (kind === 'clock') moveClock(data as Clock);
  else if (kind === 'delivery') changedDeliveries.set((data as Delivery).id, data as Delivery);
  else if (kind === 'event') raised.push(data as LiveEvent);
  else if (kind === 'request') entries.push(data as JournalEntry);
  else if (kind === 'change') addChange(data as Change);
  // Whatever happened may be an entry.
  if (route.value.view === 'history') stale.add(historyEntries);
  if (isShowScheduled) return;
  isShowScheduled = true;
  after(GATHER_MS, show);
}

async function reloadAfterReset(): Promise<void> {
  store.events.value = [];
  changed = new Map();
  await store.loadAll();
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
  void loadReadings(kycSessions.kind);
}

/** Reads again what the messages that the stream left out were about. */
function scheduleLoad(): void {
  if (isLoadScheduled) return;
  isLoadScheduled = true;
  after(LOAD_PAUSE_MS, () => {
    isLoadScheduled = false;
    void store.journal.load();
    void store.deliveries.load();
  });
}

function show(): void {
  isShowScheduled = false;
  const newEntries = entries.reverse();
  const newEvents = raised.reverse();
  const newDeliveries = [...changedDeliveries.values()];
  [entries, raised, changedDeliveries] = [[], [], new Map()];
  batch(() => {
    if (newEntries.length > 0) store.journal.prepend(newEntries, MAX_ENTRIES);
    if (newDeliveries.length > 0) store.deliveries.put(newDeliveries);
    if (newEvents.length > 0) store.events.value = [...newEvents, ...store.events.value].slice(0, MAX_EVENTS);
  });
  // The number of pending timers may have changed.
  if (newEvents.length + newEntries.length + newDeliveries.length > 0) stale.add(store.clock);
  if (isReadScheduled || changed.size + stale.size === 0) return;
  isReadScheduled = true;
  after(Math.max(lastReadAt + READ_PAUSE_MS - elapsed(), 0), readChanges);
}

function readChanges(): void {
  isReadScheduled = false;
  lastReadAt = elapsed();
  const [kinds, values] = [changed, stale];
  [changed, stale] = [new Map(), new Set()];
  for (const each of values) void each.load();
  for (const [kind, changes] of kinds) updateReadings(kind, changes);
}
