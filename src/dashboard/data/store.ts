import { computed, effect, untracked } from '@preact/signals';
import { loadPreference, savePreference } from '../browser.ts';
import { linkTo, partnerInAddress, route, setPartnerInAddress } from '../route.ts';
import { type CachedValue, cachedList, cachedValue } from './cached-value.ts';
import { read } from './http.ts';
import { keepUpToDate, loadReadings, readAgain } from './readings.ts';
import type {
  Balance,
  Clock,
  Difference,
  Fault,
  Forwarding,
  HistoryEntry,
  Info,
  JournalEntry,
  Partner,
  Program,
  Settings,
  WebhookConfig,
  WebhookFault,
} from './response-types.ts';

const MAX_PROGRAMS = 1_000;
const MAX_CALLS = 20;
/** How many requests the sandbox keeps. */
const MAX_REQUESTS = 1_000;

const value = <T>(path: () => string): CachedValue<T> => cachedValue(() => read<T>(path()));
const list = <T extends { readonly id: string }>(path: string, max?: number) =>
  cachedList(() => read<readonly T[]>(path), max);

/** The partner that the address names, else the one selected last, else the first. */
const selectedId = computed(() => partnerInAddress.value ?? loadPreference('partner'));
export const partners = value<readonly Partner[]>(() => '/partners');
/** The selected partner, or null until the partners are loaded. */
export const partner = computed(() => {
  const all = partners.data.value ?? [];
  return all.find(({ id }) => id === selectedId.value) ?? all[0] ?? null;
});

export function partnerQuery(): string {
  return `partnerId=${encodeURIComponent(partner.value?.id ?? '')}`;
}

export const programs = value<readonly Program[]>(() => `/programs?${partnerQuery()}&limit=${MAX_PROGRAMS}`);
export const journal = list<JournalEntry>('/requests', MAX_REQUESTS);
/** What changed the world from outside, newest first. */
export const historyEntries = list<HistoryEntry>('/history');
/** The newest calls that changed the world. Among them is the advance that an undo goes back to. */
export const controlCalls = value<readonly HistoryEntry[]>(() => `/history?plane=control&limit=${MAX_CALLS}`);
/** What differs from the start of the world. */
export const differences = value<readonly Difference[]>(() => '/state/differences');
export const faults = value<readonly Fault[]>(() => '/faults');
export const webhookFaults = value<readonly WebhookFault[]>(() => '/webhook-faults');
export const balance = value<Balance>(() => `/balance?${partnerQuery()}`);
export const settings = value<Settings>(() => `/partners/${partner.value?.id}/settings`);
export const webhookConfig = value<WebhookConfig>(() => `/webhooks/config?${partnerQuery()}`);
export const forwarding = value<Forwarding>(() => '/forwarding');
export const clock = value<Clock>(() => '/clock');
export const info = value<Info>(() => '/info');
/** Returns the value of a setting of the register of assumptions, or undefined where it has its default. */
export function assumed(name: string): unknown {
  // The option `assume` has this type.
  const assume = info.data.value?.options.assume as Readonly<Record<string, unknown>> | undefined;
  return assume?.[name];
}

/** Whether any text of the form of a magic token is a share token. */
export const hasMagicTokens = computed(() => assumed('magic-tokens') !== 'off');
/** Whether the API refuses operations that the interface does not document. */
export const isDocumentedOnly = computed(() => info.data.value?.options.documentedOnly === true);

// What every page needs. The others are read while a page shows them.
for (const each of [partners, programs, controlCalls, clock, info]) keepUpToDate(each);

const OF_PARTNER = [programs, balance, settings, webhookConfig];

/** Loads everything: at the start, after a reset, and when messages may have been missed. */
export async function loadAll(): Promise<void> {
  await partners.load();
  await loadReadings();
}

/** Selects a partner, on the same page. A record that is open belongs to the one before, so it is closed. */
export function selectPartner(id: string): void {
  savePreference('partner', id);
  setPartnerInAddress(id, linkTo(route.value.view));
}

let shownPartner: string | null = null;
effect(() => {
  const id = partner.value?.id ?? null;
  if (id === null || id === shownPartner) return;
  const isFirst = shownPartner === null;
  shownPartner = id;
  untracked(() => {
    // The address names what the page shows, so that a link copied from it opens the same elsewhere.
    if (partnerInAddress.value !== id) setPartnerInAddress(id);
    if (!isFirst) OF_PARTNER.forEach(readAgain);
  });
});
