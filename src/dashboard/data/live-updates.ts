import { batch, computed, effect, signal } from '@preact/signals';
import { after, monotonicNow } from '../browser.ts';
import { route, showsControlCalls } from '../route.ts';
import { toast } from '../ui/toast.tsx';
import type { CachedValue } from './cached-value.ts';
import { refreshReadings } from './readings.ts';
import { kycSessions } from './records.ts';
import type { Change, Clock, Delivery, JournalEntry } from './response-types.ts';
import * as store from './store.ts';
import { type Message, readStream } from './stream.ts';

/** Messages are gathered for a moment, so that a burst is shown at once. */
const GATHER_MS = 60;
/** Changed records are read at most this often, so that an open page costs the sandbox little. */
const READ_PAUSE_MS = 1_000;
/** Lists whose messages the stream left out are read again at most this often. */
const LOAD_PAUSE_MS = 10_000;
const MAX_ENTRIES = 1_000;
/** How many messages of a kind the page receives in a quarter of a second. Of more it receives the newest. */
const NEWEST = 10;

type Loadable = Pick<CachedValue<unknown>, 'load' | 'refresh'>;

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

/** The kinds of which the page has the records of all partners. */
const OF_ALL_PARTNERS: ReadonlySet<string> = new Set(['partner', 'fault', 'webhook fault']);

/** What arrived since it was last shown. */
let entries: JournalEntry[] = [];
let changedDeliveries = new Map<string, Delivery>();
let isShowScheduled = false;
/** What changed since it was last read. */
let changedKinds = new Set<string>();
let stale = new Set<Loadable>();
let isReadScheduled = false;
let lastReadAt = Number.NEGATIVE_INFINITY;
/** Lists of which the stream left out messages. */
const skipped = new Set<Loadable>();

/** Whether the page shows requests. */
const showsRequests = computed(() => {
  const { view, id } = route.value;
  return view === 'activity' || view === 'webhooks' || (view === 'cardholders' && id !== null);
});
/** Whether changes are reported, and whether the journal is read, which happens once a page shows requests. */
const isLive = signal(false);
let hasJournal = false;

/** Keeps the page's copy of the sandbox up to date until the page is closed. */
export function startLiveUpdates(): void {
  void readStream(`kinds=request,delivery,clock,reset,change&newest=${NEWEST}`, {
    onMessage: handleMessage,
    onOpen() {
      isLive.value = true;
      // After a break, messages may have been missed.
      loadAll();
    },
  });
  effect(() => {
    if (hasJournal || !isLive.value || !showsRequests.value) return;
    hasJournal = true;
    void store.journal.load();
  });
  let instance: string | null = null;
  effect(() => {
    const now = store.info.data.value?.process?.instance ?? null;
    if (instance !== null && now !== null && now !== instance)
      toast('good', 'The sandbox was started again. This page shows its new state.');
    instance = now ?? instance;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') loadAll();
  });
}

function loadAll(): void {
  void store.loadAll();
  if (hasJournal) void store.journal.load();
}

function handleMessage({ kind, data }: Message): void {
  // The control plane documents the data of each kind of message.
  if (kind === 'reset') reloadAfterReset();
  else if (kind === 'clock') moveClock(data as Clock);
  else if (kind === 'delivery') changedDeliveries.set((data as Delivery).id, data as Delivery);
  else if (kind === 'request' && hasJournal) entries.push(data as JournalEntry);
  else if (kind === 'change') addChange(data as Change);
  else if (kind === 'skipped') scheduleLoad((data as Skipped).kinds);
  // Whatever happened may be an entry of the history.
  if (showsControlCalls.value) stale.add(store.historyEntries);
  if (isShowScheduled) return;
  isShowScheduled = true;
  after(GATHER_MS, show);
}

function reloadAfterReset(): void {
  changedKinds = new Set();
  dropGathered();
  loadAll();
}

function dropGathered(): void {
  [entries, changedDeliveries] = [[], new Map()];
}

function addChange({ kind, partnerId }: Change): void {
  if (!OF_ALL_PARTNERS.has(kind) && partnerId !== store.partner.value?.id) return;
  for (const each of VALUES[kind] ?? []) stale.add(each);
  changedKinds.add(kind);
}

/** Shows a new time. Sessions expire with it, which no change reports. */
function moveClock(clock: Clock): void {
  store.clock.set(clock);
  // Timers may have been added since the sandbox wrote the message.
  stale.add(store.clock);
  stale.add(store.controlCalls);
  changedKinds.add(kycSessions.kind);
}

/** Reads the lists again of which the stream left out messages. */
function scheduleLoad(kinds: readonly string[]): void {
  const isScheduled = skipped.size > 0;
  if (kinds.includes('delivery')) skipped.add(store.deliveries);
  if (hasJournal && kinds.includes('request')) skipped.add(store.journal);
  if (isScheduled || skipped.size === 0) return;
  after(LOAD_PAUSE_MS, () => {
    for (const list of skipped) void list.refresh();
    skipped.clear();
  });
}

function show(): void {
  isShowScheduled = false;
  const newEntries = entries.toReversed();
  const newDeliveries = [...changedDeliveries.values()];
  dropGathered();
  batch(() => {
    if (newEntries.length > 0) store.journal.prepend(newEntries, MAX_ENTRIES);
    if (newDeliveries.length > 0) store.deliveries.put(newDeliveries);
  });
  // The number of pending timers may have changed.
  if (changedKinds.size + newDeliveries.length > 0) stale.add(store.clock);
  if (route.value.view === 'home' && stale.size > 0) stale.add(store.differences);
  if (isReadScheduled || changedKinds.size + stale.size === 0) return;
  isReadScheduled = true;
  after(Math.max(lastReadAt + READ_PAUSE_MS - monotonicNow(), 0), readChanges);
}

function readChanges(): void {
  isReadScheduled = false;
  lastReadAt = monotonicNow();
  const [kinds, values] = [changedKinds, stale];
  [changedKinds, stale] = [new Set(), new Set()];
  for (const each of values) void each.refresh();
  for (const kind of kinds) refreshReadings(kind);
}
