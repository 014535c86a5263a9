import { assumed, badRequest, type Cause, cause } from '../../core/operation/errors.ts';
import { cancel, defineTask, schedule } from '../../core/world/task-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { RejectionReason } from '../kyc/rejection-reasons.ts';
import type { ProgramRow } from '../programs/records.ts';
import { recordUsage } from '../usage/records.ts';
import { type CardholderRow, cardholders, isInFlight, viewCardholder } from './records.ts';

/** The decision of the simulated provider, with the outcome of the token or session; `manual` waits for the control plane. */
export const kycDecision = defineTask({
  kind: 'kyc.decide',
  table: cardholders,
  waits: waitsForDecision,
  run(state, cardholderId) {
    const row = state.table(cardholders).existing(cardholderId);
    decide(state, row, row.outcome === 'reject' ? 'rejected' : 'approved');
  },
});

const KYC_CARDHOLDER_INACTIVE = cause(400, assumed('kyc-initiation'), 'cardholder-inactive');
const KYC_ALREADY_APPROVED = cause(400, assumed('kyc-initiation'), 'kyc-approved');
const KYC_REJECTED = cause(400, assumed('kyc-after-rejection'));
const KYC_IN_FLIGHT = cause(400, assumed('kyc-initiation'), 'kyc-in-flight');

/** The causes for which KYC is not submitted. */
export const SUBMISSION_CAUSES: readonly Cause[] = [
  KYC_CARDHOLDER_INACTIVE,
  KYC_ALREADY_APPROVED,
  KYC_REJECTED,
  KYC_IN_FLIGHT,
];

/** Returns why the KYC of a cardholder cannot be submitted, or null when it can. */
function submissionProblem(
  state: WorldState,
  row: CardholderRow,
): readonly [cause: Cause, text: string] | null {
  const { status, kycStatus } = row;
  if (status !== 'active') return [KYC_CARDHOLDER_INACTIVE, `is ${status}; KYC needs an active cardholder`];
  if (kycStatus === 'approved')
    return [KYC_ALREADY_APPROVED, 'has already passed KYC; it can be issued cards'];
  if (kycStatus === 'rejected' && state.assumptions['kyc-after-rejection'] === 'refused') {
    return [KYC_REJECTED, 'was rejected; the sandbox assumes that it cannot be submitted again'];
  }
  return isInFlight(row) ? [KYC_IN_FLIGHT, 'has a KYC submission in flight; wait for its decision'] : null;
}

export function canSubmit(state: WorldState, row: CardholderRow): boolean {
  return submissionProblem(state, row) === null;
}

/**
 * Submits a cardholder's KYC to the simulated provider (interface section 4.2), which decides after the KYC
 * delay. Throws a 400 unless the cardholder is active, not approved, and has no submission in flight.
 */
export function submitKyc(state: WorldState, row: CardholderRow, program: ProgramRow): void {
  const [cause, text] = submissionProblem(state, row) ?? [];
  if (cause !== undefined) throw badRequest(cause, `cardholder ${row.id} ${text}`);
  const submitted = state.table(cardholders).update(row.id, {
    kycStatus: 'pending',
    submission: { cardProgramId: program.id, submittedAt: state.clock.timestamp(), decidedAt: null },
  });
  recordUsage(state, program, 'kyc_verification', row.id);
  scheduleDecision(state, submitted);
}

/** Says what leads a cardholder without approved KYC to it, or why nothing does. */
export function wayToApproval(state: WorldState, row: CardholderRow): string {
  const { id, status, kycStatus } = row;
  if (isInFlight(row))
    return `its KYC is in flight: wait for the decision, or make it with POST /_sandbox/cardholders/${id}/kyc/approve`;
  if (status !== 'active') return `it is ${status}, and KYC needs an active cardholder`;
  if (kycStatus === 'rejected' && state.assumptions['kyc-after-rejection'] === 'refused')
    return 'it was rejected, and the assumption kyc-after-rejection=refused keeps it from being submitted again';
  return `submit its KYC with POST /v1/partner/cardholders/${id}/kyc`;
}

function waitsForDecision(row: CardholderRow): boolean {
  return isInFlight(row) && row.outcome !== 'manual';
}

/** Schedules the provider's decision after the KYC delay, unless it waits for the control plane. */
export function scheduleDecision(state: WorldState, row: CardholderRow): void {
  if (waitsForDecision(row)) {
    schedule(state, kycDecision, row.id, state.clock.now() + state.setup.kycDelayMs);
  }
}

/** Decides a submission in flight immediately, a rejection with its reasons. Throws a 400 when there is none. */
export function decideNow(
  state: WorldState,
  row: CardholderRow,
  kycStatus: 'approved' | 'rejected',
  reasons: readonly RejectionReason[] = [],
): CardholderRow {
  if (!isInFlight(row)) {
    const wayOut = row.kycStatus === 'approved' ? 'the last one was approved' : wayToApproval(state, row);
    throw badRequest(
      assumed('kyc-decision'),
      `cardholder ${row.id} has no KYC submission in flight; ${wayOut}`,
    );
  }
  cancel(state, kycDecision, row.id);
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
  const data = viewCardholder(decided);
  state.emit('cardholder.kyc.updated', decided, data);
  if (kycStatus === 'approved') state.emit('cardholder.approved', decided, data);
  return decided;
}
