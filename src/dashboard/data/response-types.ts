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
export type KycSession = ControlResult<'records.kyc-sessions'>[number];
/** A transaction with the name of its cardholder and the end of its card number. */
export type ListedTransaction = ControlResult<'transactions.details'>;
export type Checkpoint = ControlResult<'checkpoints.list'>[number];
export type Difference = ControlResult<'state.differences'>[number];
export type Partner = Omit<NewPartner, 'programId'>;
export type Info = ControlResult<'info'>;

export type ClockWithTimers = ControlResult<'clock.get'>;
export type Timer = NonNullable<ClockWithTimers['timers']>[number];
