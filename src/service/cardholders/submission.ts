import { assumed, badRequest } from '../../core/operation/errors.ts';
import type { Task } from '../../core/time/task.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { RejectionReason } from '../kyc/rejection-reasons.ts';
import type { ProgramRow } from '../programs/records.ts';
import { recordUsage } from '../usage/records.ts';
import { type CardholderRow, cardholders, isInFlight, viewCardholder } from './records.ts';

/** The task kind of the simulated provider's decision; `ref` is the cardholder. */
export const KYC_DECISION = 'kyc.decide';

/**
 * Submits a cardholder's KYC to the simulated provider (interface section 4.2), which decides after the KYC
 * delay. Throws a 400 unless the cardholder is active, not approved, and has no submission in flight.
 */
export function submitKyc(state: WorldState, row: CardholderRow, program: ProgramRow): void {
  if (row.status !== 'active') {
    throw badRequest(
      assumed('kyc-initiation'),
      `cardholder ${row.id} is ${row.status}; KYC needs an active cardholder`,
    );
  }
  if (row.kycStatus === 'approved') {
    throw badRequest(
      assumed('kyc-initiation'),
      `cardholder ${row.id} has already passed KYC; it can be issued cards`,
    );
  }
  if (row.kycStatus === 'rejected' && state.assumptions['kyc-after-rejection'] === 'refused') {
    throw badRequest(
      assumed('kyc-after-rejection'),
      `cardholder ${row.id} was rejected; the sandbox assumes that it cannot be submitted again`,
    );
  }
  if (isInFlight(row)) {
    throw badRequest(
      assumed('kyc-initiation'),
      `cardholder ${row.id} has a KYC submission in flight; wait for its decision`,
    );
  }
  const submitted = state.table(cardholders).update(row.id, {
    kycStatus: 'pending',
    submission: { cardProgramId: program.id, submittedAt: state.clock.timestamp(), decidedAt: null },
  });
  recordUsage(state, program, 'kyc_verification', row.id);
  scheduleDecision(state, submitted);
}

/** Whether the provider decides on its own; the outcome `manual` waits for the control plane. */
export function waitsForDecision(row: CardholderRow): boolean {
  return isInFlight(row) && row.outcome !== 'manual';
}

/** Schedules the provider's decision after the KYC delay, unless it waits for the control plane. */
export function scheduleDecision(state: WorldState, row: CardholderRow): void {
  if (waitsForDecision(row)) {
    state.clock.schedule(state.clock.now() + state.options.kycDelayMs, decisionTask(row.id));
  }
}

/** Runs the scheduled decision, with the outcome of the token or session. */
export function runScheduledDecision(state: WorldState, cardholderId: string): void {
  const row = state.table(cardholders).existing(cardholderId);
  if (isInFlight(row)) decide(state, row, row.outcome === 'reject' ? 'rejected' : 'approved');
}

/** Decides a submission in flight immediately, a rejection with its reasons. Throws a 400 when there is none. */
export function decideNow(
  state: WorldState,
  row: CardholderRow,
  kycStatus: 'approved' | 'rejected',
  reasons: readonly RejectionReason[] = [],
): CardholderRow {
  if (!isInFlight(row)) {
    const message = `cardholder ${row.id} has no KYC submission in flight; submit one with POST /v1/partner/cardholders/${row.id}/kyc`;
    throw badRequest(assumed('kyc-decision'), message);
  }
  state.clock.cancel(decisionTask(row.id));
  return decide(state, row, kycStatus, reasons);
}

function decide(
  state: WorldState,
  row: CardholderRow,
  kycStatus: 'approved' | 'rejected',
  reasons: readonly RejectionReason[] = [],
): CardholderRow {
  const submission = row.submission && {
    ...row.submission,
    decidedAt: state.clock.timestamp(),
    ...(reasons.length > 0 && { reasons }),
  };
  const decided = state.table(cardholders).update(row.id, { kycStatus, submission });
  const event = { partnerId: row.partnerId, resourceId: row.id, data: viewCardholder(decided) };
  state.events.emit({ type: 'cardholder.kyc.updated', ...event });
  if (kycStatus === 'approved') state.events.emit({ type: 'cardholder.approved', ...event });
  return decided;
}

function decisionTask(cardholderId: string): Task {
  return { kind: KYC_DECISION, ref: cardholderId };
}
