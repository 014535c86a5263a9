import { effect, signal } from '@preact/signals';
import { throttle } from '../browser.ts';
import { route } from '../route.ts';
import { toast } from '../ui/toast.tsx';
import { refreshReadings } from './readings.ts';
import type { Clock, JournalEntry } from './response-types.ts';
import * as store from './store.ts';
import { type Message, readStream } from './stream.ts';

/** Messages are gathered for a moment, so that a burst is shown at once. */
const GATHER_MS = 60;
/** What the page shows is read at most this often, so that an open page costs the sandbox little. */
const READ_PAUSE_MS = 1_000;
/** Requests whose messages the stream left out are read again at most this often. */
const LOAD_PAUSE_MS = 10_000;
/** How many messages of a kind the page receives in a quarter of a second. Of more it receives the newest. */
const NEWEST = 10;

/** The requests that arrived since they were last shown. */
let entries: JournalEntry[] = [];

const scheduleShow = throttle(show, GATHER_MS);
const scheduleRefresh = throttle(refreshReadings, GATHER_MS, READ_PAUSE_MS);
const scheduleJournal = throttle(() => void store.journal.refresh(), LOAD_PAUSE_MS);

const PAGES_WITH_REQUESTS = ['activity', 'webhooks'];
/** Whether changes have been reported. After a break, a page that shows requests says why it has none. */
const isLive = signal(false);
/** Whether the journal is read, which begins once a page shows requests. */
let hasJournal = false;

/**
 * Keeps the page's copy of the sandbox up to date until the page is closed. Calls `onConnection` whenever the connection
 * begins or breaks.
 */
export function startLiveUpdates(onConnection: () => void): void {
  void readStream(`kinds=request,clock,reset,change,entry&newest=${NEWEST}`, {
    onMessage: handleMessage,
    onOpen() {
      isLive.value = true;
      // After a break, messages may have been missed.
      loadAll();
      onConnection();
    },
    onBreak: onConnection,
  });
  effect(() => {
    if (hasJournal || !isLive.value || !PAGES_WITH_REQUESTS.includes(route.value.view)) return;
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
  if (kind === 'reset') {
    entries = [];
    loadAll();
  } else if (kind === 'clock') store.clock.set(data as Clock);
  else if (kind === 'request' && hasJournal) entries.push(data as JournalEntry);
  else if (kind === 'skipped' && hasJournal) scheduleJournal();
  scheduleShow();
  scheduleRefresh();
}

function show(): void {
  if (entries.length > 0) store.journal.put(entries);
  entries = [];
}
