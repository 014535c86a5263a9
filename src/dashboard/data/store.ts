import { batch, computed, signal } from '@preact/signals';
import { remember, remembered } from '../browser/timers.ts';
import { collection, held } from './collection.ts';
import type {
  Assumption,
  Balance,
  Card,
  Cardholder,
  Clock,
  Delivery,
  Fault,
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
} from './response-types.ts';

const MOST_ROWS = 10_000;

/** The partner that is looked at; the first one until another is chosen. */
const chosen = signal(remembered('partner'));
/** Every partner. */
export const partners = held<readonly Partner[]>(() => '/partners');
/** The partner that is looked at; null until partners are known. */
export const partner = computed(() => {
  const all = partners.value.value ?? [];
  return all.find(({ id }) => id === chosen.value) ?? all[0] ?? null;
});
const ofPartner = () => `partnerId=${encodeURIComponent(partner.value?.id ?? '')}`;

const records = <T extends { readonly id: string }>(path: string) =>
  collection<T>({
    all: () => `${path}?${ofPartner()}&limit=${MOST_ROWS}`,
    some: id => `${path}?${ofPartner()}&limit=5&q=${encodeURIComponent(id)}`,
    idOf: ({ id }) => id,
  });
const logs = <T extends { readonly id: string }>(path: string) =>
  collection<T>({
    all: () => path,
    some: id => `${path}/${encodeURIComponent(id)}`,
    idOf: ({ id }) => id,
  });

/** The partner's cardholders. */
export const cardholders = records<Cardholder>('/cardholders');
/** The partner's cards. */
export const cards = records<Card>('/cards');
/** The partner's transactions. */
export const transactions = records<Transaction>('/transactions');
/** The partner's card programs. */
export const programs = records<Program>('/programs');
/** The partner's KYC sessions. */
export const kycSessions = records<KycSession>('/kyc-sessions');
/** The partner's share tokens. */
export const shareTokens = collection<ShareToken>({
  all: () => `/share-tokens?${ofPartner()}&limit=${MOST_ROWS}`,
  some: id => `/share-tokens?${ofPartner()}&limit=5&q=${encodeURIComponent(id)}`,
  idOf: ({ token }) => token,
});
/** Webhook deliveries of all partners. */
export const deliveries = logs<Delivery>('/deliveries');
/** The journal, of all partners. */
export const journal = logs<JournalEntry>('/requests');
/** Faults of the API. */
export const faults = logs<Fault>('/faults');
/** Faults of outgoing webhooks. */
export const webhookFaults = logs<Fault>('/webhook-faults');
/** The partner's balance. */
export const balance = held<Balance>(() => `/balance?${ofPartner()}`);
/** The partner's settings. */
export const settings = held<Settings>(() => `/partners/${partner.value?.id}/settings`);
/** The partner's webhook configuration. */
export const webhookConfig = held<WebhookConfig>(() => `/webhooks/config?${ofPartner()}`);
/** The clock. */
export const clock = held<Clock>(() => '/clock');
/** Addresses and options of the sandbox. */
export const info = held<Info>(() => '/info');
/** The register of assumptions. */
export const assumptions = held<readonly Assumption[]>(() => '/assumptions');
/** What happened while the page was open, newest first. */
export const events = signal<readonly LiveEvent[]>([]);

const PARTNERS_OWN = [cardholders, cards, transactions, programs, kycSessions, shareTokens];
const ANY_PARTNERS = [deliveries, journal, faults, webhookFaults];

/** Reads everything anew: at the start, after a reset, and when news may have been missed. */
export async function loadAll(): Promise<void> {
  await partners.load();
  await Promise.all([
    ...ANY_PARTNERS.map(each => each.load()),
    ...[clock, info, assumptions].map(each => each.load()),
    loadPartner(),
  ]);
}

/** Reads anew what belongs to the partner that is looked at. */
async function loadPartner(): Promise<void> {
  if (partner.value === null) return;
  await Promise.all([
    ...PARTNERS_OWN.map(each => each.load()),
    ...[balance, settings, webhookConfig].map(each => each.load()),
  ]);
}

/** Looks at another partner. */
export function choosePartner(id: string): void {
  remember('partner', id);
  batch(() => {
    chosen.value = id;
    for (const each of PARTNERS_OWN) each.clear();
    for (const each of [balance, settings, webhookConfig]) each.value.value = null;
  });
  void loadPartner();
}

/** The journal of the partner that is looked at, and of requests that belong to nobody. */
export const ownJournal = computed(
  () =>
    journal.rows.value?.filter(({ partnerId }) => partnerId === null || partnerId === partner.value?.id) ??
    null,
);
/** The webhook deliveries of the partner that is looked at. */
export const ownDeliveries = computed(
  () => deliveries.rows.value?.filter(({ partnerId }) => partnerId === partner.value?.id) ?? null,
);
