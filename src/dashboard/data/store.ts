import { batch, computed, signal } from '@preact/signals';
import { loadPreference, savePreference } from '../browser/preferences.ts';
import { cachedValue } from './cached-value.ts';
import { type CollectionSource, collection, type Read } from './collection.ts';
import { control, controlList } from './http.ts';
import type {
  Assumption,
  Balance,
  Card,
  Cardholder,
  Clock,
  Delivery,
  Fault,
  Forwarding,
  Info,
  JournalEntry,
  KycSession,
  LiveEvent,
  Partner,
  Program,
  Settings,
  ShareToken,
  Transaction,
  WebhookConfig,
  WebhookFault,
} from './response-types.ts';

const MAX_ROWS = 10_000;
const MAX_MATCHES = 200;

const read: Read = (path, signal) => control('GET', path, undefined, signal);
const value = <T>(path: () => string) => cachedValue<T>(read, path);
const idOf = ({ id }: { readonly id: string }) => id;

/** Id of the partner that the user selected, or null for the first one. */
const selectedId = signal(loadPreference('partner'));
/** All partners. */
export const partners = value<readonly Partner[]>(() => '/partners');
/** The selected partner, or null until the partners are loaded. */
export const partner = computed(() => {
  const all = partners.data.value ?? [];
  return all.find(({ id }) => id === selectedId.value) ?? all[0] ?? null;
});

/** Returns the query parameter that names the selected partner. */
export function partnerQuery(): string {
  return `partnerId=${encodeURIComponent(partner.value?.id ?? '')}`;
}

/** A list of the selected partner's records. */
const records = <T>(path: string, source: Pick<CollectionSource<T>, 'idOf' | 'hasChangeIds'>) =>
  collection<T>({
    read,
    readList: controlList,
    newest: (limit = MAX_ROWS) => `${path}?${partnerQuery()}&limit=${limit}`,
    one: id => `${path}/${encodeURIComponent(id)}`,
    matching: text => `${path}?${partnerQuery()}&limit=${MAX_MATCHES}&q=${encodeURIComponent(text)}`,
    ...source,
  });
/** A list of records of all partners, each of which has its own path. */
const sharedRecords = <T extends { readonly id: string }>(path: string) =>
  collection<T>({
    read,
    readList: controlList,
    newest: () => path,
    one: id => `${path}/${encodeURIComponent(id)}`,
    matching: () => path,
    idOf,
  });

/** Cardholders of the selected partner. */
export const cardholders = records<Cardholder>('/cardholders', { idOf });
/** Cards of the selected partner. */
export const cards = records<Card>('/cards', { idOf });
/** Transactions of the selected partner. */
export const transactions = records<Transaction>('/transactions', { idOf });
/** Card programs of the selected partner. */
export const programs = records<Program>('/programs', { idOf });
/** KYC sessions of the selected partner. */
export const kycSessions = records<KycSession>('/kyc-sessions', { idOf });
/** Share tokens of the selected partner. */
export const shareTokens = records<ShareToken>('/share-tokens', {
  idOf: ({ token }) => token,
  hasChangeIds: false,
});
/** Webhook deliveries of all partners. */
export const deliveries = sharedRecords<Delivery>('/deliveries');
/** Journal entries of all partners. */
export const journal = sharedRecords<JournalEntry>('/requests');
/** API faults. */
export const faults = sharedRecords<Fault>('/faults');
/** Webhook faults. */
export const webhookFaults = sharedRecords<WebhookFault>('/webhook-faults');
/** Balance of the selected partner. */
export const balance = value<Balance>(() => `/balance?${partnerQuery()}`);
/** Settings of the selected partner. */
export const settings = value<Settings>(() => `/partners/${partner.value?.id}/settings`);
/** Webhook configuration of the selected partner. */
export const webhookConfig = value<WebhookConfig>(() => `/webhooks/config?${partnerQuery()}`);
/** Where the world forwards webhooks. */
export const forwarding = value<Forwarding>(() => '/forwarding');
/** The sandbox clock. */
export const clock = value<Clock>(() => '/clock');
/** Version and options of the sandbox. */
export const info = value<Info>(() => '/info');
/** The register of assumptions. */
export const assumptions = value<readonly Assumption[]>(() => '/assumptions');
/** Events that were raised while the page was open, newest first. */
export const events = signal<readonly LiveEvent[]>([]);

const OF_PARTNER = [
  ...[cardholders, cards, transactions, programs, kycSessions, shareTokens],
  ...[balance, settings, webhookConfig],
];
const OF_SANDBOX = [deliveries, journal, faults, webhookFaults, forwarding, clock, info, assumptions];

/** Loads everything: at the start, after a reset, and when messages may have been missed. */
export async function loadAll(): Promise<void> {
  await partners.load();
  await Promise.all([...OF_SANDBOX.map(each => each.load()), loadPartner()]);
}

/** Loads everything that belongs to the selected partner. */
async function loadPartner(): Promise<void> {
  if (partner.value === null) return;
  await Promise.all(OF_PARTNER.map(each => each.load()));
}

/** Selects a partner and loads its data. */
export function selectPartner(id: string): void {
  savePreference('partner', id);
  batch(() => {
    selectedId.value = id;
    for (const each of OF_PARTNER) each.clear();
  });
  void loadPartner();
}

/** Journal entries of the selected partner, and of requests that belong to no partner. */
export const partnerJournal = computed(
  () =>
    journal.rows.value?.filter(({ partnerId }) => partnerId === null || partnerId === partner.value?.id) ??
    null,
);
/** Webhook deliveries of the selected partner. */
export const partnerDeliveries = computed(
  () => deliveries.rows.value?.filter(({ partnerId }) => partnerId === partner.value?.id) ?? null,
);
