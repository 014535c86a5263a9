import type * as z from 'zod';
import type { CardDetails, KycSessionDetails } from '../control/records.ts';
import type { Balance as BalanceSchema } from '../resources/balance/schema.ts';
import type { CardholderDetails } from '../resources/cardholders/schema.ts';
import type * as kyc from '../resources/kyc/schema.ts';
import type * as programs from '../resources/programs/schema.ts';
import type { Transaction as TransactionSchema } from '../resources/transactions/schema.ts';
import type * as webhooks from '../resources/webhooks/schema.ts';

/** A cardholder with address, KYC state and lock reason. */
export type Cardholder = z.output<typeof CardholderDetails>;
/** A card with its cardholder and currency. */
export type Card = z.output<typeof CardDetails>;
/** A card program. */
export type Program = z.output<typeof programs.CardProgram>;
/** A KYC session, and who used it. */
export type KycSession = z.output<typeof KycSessionDetails>;
/** A share token, used or not. */
export type ShareToken = z.output<typeof kyc.ShareToken>;
/** A webhook configuration. */
export type WebhookConfig = z.output<typeof webhooks.WebhookConfig>;

/** A partner with its current key. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  readonly createdAt: string;
}

/** What a partner sets. */
export interface Settings {
  readonly ipAllowList: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly rateLimitPerMinute: number;
  readonly lowThreshold: number;
  readonly alertThreshold: number;
}

/** The sandbox clock as it stood when it was read. */
export interface Clock {
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/** The decision behind a refusal. */
export interface Rule {
  readonly fidelity: 'documented' | 'assumed';
  readonly id: string | null;
  readonly section: string;
  readonly decision: string | null;
}

/** One request of the journal. */
export interface JournalEntry {
  readonly id: string;
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly operation: string | null;
  readonly pattern: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly request: {
    readonly contentType: string | null;
    readonly remoteAddress: string;
    readonly body: string;
  };
  readonly response: { readonly body: string };
  readonly refusal: string | null;
  readonly rule: Rule | null;
  readonly hints: readonly string[];
  readonly changes: readonly { readonly kind: string; readonly id: string; readonly action: string }[];
  readonly events: readonly EventRef[];
}

/** Something that happened, in short. */
export interface EventRef {
  readonly id: string;
  readonly eventType: string;
  readonly resourceId: string;
}

/** An event as the stream tells it. */
export interface LiveEvent extends EventRef {
  readonly partnerId: string;
  readonly createdAt: string;
}

/** A webhook delivery with all that was tried. */
export type Delivery = z.output<typeof webhooks.Delivery>;
/** One try to deliver a webhook. */
export type Attempt = Delivery['attempts'][number];
/** A transaction of the simulated card network. */
export type Transaction = z.output<typeof TransactionSchema>;
/** A partner's balance. */
export type Balance = z.output<typeof BalanceSchema>;

/** A fault of the API or of webhooks: an id, and the members that it was set with. */
export type Fault = Readonly<Record<string, unknown>> & { readonly id: string };

/** A decision of the sandbox where the interface is silent. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
}

/** Addresses and options of the sandbox. */
export interface Info {
  readonly version: string;
  readonly baseUrl: string;
  readonly seed: number;
  readonly options: Readonly<Record<string, unknown>>;
}
