import type * as z from 'zod';
import type { JournalEntry, NewPartner } from '../../client/generated/records.ts';
import type { KycSessionDetails } from '../../control/people/records.ts';
import type { InfoView } from '../../control/world/sandbox.ts';
import type { CardDetails } from '../../service/cards/schema.ts';
import type { CardProgram } from '../../service/programs/schema.ts';

export type {
  Assumption,
  Balance,
  CardholderDetails as Cardholder,
  Challenge,
  ChallengeResult,
  ClockState as Clock,
  Fault,
  FaultInput,
  Forwarding,
  HistoryEntry,
  IncrementResult,
  JournalEntry,
  KycRejectionReason,
  MerchantOrPreset,
  NotDelivered,
  PartnerSettings as Settings,
  Rule,
  ShareToken,
  Transaction,
  WebhookAttempt as Attempt,
  WebhookConfig,
  WebhookDelivery as Delivery,
  WebhookFault,
} from '../../client/generated/records.ts';

/** A card with its cardholder and currency. */
export type Card = z.output<typeof CardDetails>;
/** A card program. */
export type Program = z.output<typeof CardProgram>;
/** A KYC session and the cardholder that was created from it. */
export type KycSession = z.output<typeof KycSessionDetails>;
/** A partner with its current API key. */
export type Partner = Omit<NewPartner, 'programId'>;
/** The id, type and record of an event. */
export type EventRef = JournalEntry['events'][number];
/** Version and options of the sandbox. */
export type Info = z.output<typeof InfoView>;

/** A change of a record as the event stream sends it. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly partnerId: string;
}

/** An event as the event stream sends it, secrets masked. */
export interface LiveEvent extends EventRef {
  readonly partnerId: string;
  readonly createdAt: string;
  readonly data: unknown;
}
