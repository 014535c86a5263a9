import type { ControlResult } from '../../client/generated/control-api.ts';
import type { NewPartner } from '../../client/generated/records.ts';

export type {
  Balance,
  CardDetails as Card,
  CardholderDetails as Cardholder,
  CardProgram as Program,
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

/** A KYC session and the cardholder that was created from it. */
export type KycSession = ControlResult<'kycSessions.details'>;
/** A transaction with the name of its cardholder and the end of its card number. */
export type ListedTransaction = ControlResult<'transactions.details'>;
export type Difference = ControlResult<'state.differences'>[number];
export type Partner = Omit<NewPartner, 'programId'>;
export type Info = ControlResult<'info'>;

/** A pending timer, as `GET /clock/timers` lists it. */
export interface Timer {
  /** Sandbox time at which it is due, ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly recordId: string;
}

/** A change of a record as the event stream sends it. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly partnerId: string;
}
