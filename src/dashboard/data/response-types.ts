import type * as z from 'zod';
import type { JournalEntry } from '../../client/feed-types.ts';
import type { NewPartner } from '../../client/records.ts';
import type { CardDetails, KycSessionDetails } from '../../control/people/records.ts';
import type { CardProgram } from '../../resources/programs/schema.ts';

export type {
  JournalEntry,
  Rule,
  WebhookAttempt as Attempt,
  WebhookConfig,
  WebhookDelivery as Delivery,
} from '../../client/feed-types.ts';
export type {
  Assumption,
  Balance,
  CardholderDetails as Cardholder,
  ClockState as Clock,
  PartnerSettings as Settings,
  ShareToken,
  Transaction,
} from '../../client/records.ts';

/** A card with its cardholder and currency. */
export type Card = z.output<typeof CardDetails>;
/** A card program. */
export type Program = z.output<typeof CardProgram>;
/** A KYC session, and who used it. */
export type KycSession = z.output<typeof KycSessionDetails>;
/** A partner with its current key. */
export type Partner = Omit<NewPartner, 'programId'>;
/** Something that happened, in short. */
export type EventRef = JournalEntry['events'][number];

/** An event as the stream tells it. */
export interface LiveEvent extends EventRef {
  readonly partnerId: string;
  readonly createdAt: string;
}

/** A fault of the API or of webhooks: an id, and the members that it was set with. */
export type Fault = Readonly<Record<string, unknown>> & { readonly id: string };

/** Addresses and options of the sandbox. */
export interface Info {
  readonly version: string;
  readonly baseUrl: string;
  readonly seed: number;
  readonly options: Readonly<Record<string, unknown>>;
}
