import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type CardholderRow, cardholders, viewCardholderDetails } from '../../service/cardholders/records.ts';
import { changeStatus, createOrReimport } from '../../service/cardholders/rules.ts';
import { CARDHOLDER_STATUSES, CardholderDetails } from '../../service/cardholders/schema.ts';
import { decideNow, submitKyc } from '../../service/cardholders/submission.ts';
import { exampleEmail, PartialIdentity, personFor } from '../../service/kyc/identity.ts';
import { kycSessions, viewSession, viewShareToken } from '../../service/kyc/records.ts';
import { RejectionReasonsBody, viewReasons } from '../../service/kyc/rejection-reasons.ts';
import { decideKycSession, mintShareToken } from '../../service/kyc/rules.ts';
import { KycSession, RejectedKycSession, ShareToken, ShareTokenBody } from '../../service/kyc/schema.ts';
import type { ProgramRow } from '../../service/programs/records.ts';
import { programOrFirst } from '../../service/programs/rules.ts';

const mintToken = operation({
  id: 'shareTokens.mint',
  plane: 'control',
  method: 'POST',
  path: '/share-tokens',
  summary: 'Issue a share token, as the donor partner would',
  fidelity: assumed('share-tokens'),
  body: ShareTokenBody,
  responses: { 201: ShareToken },
  run({ state, body }) {
    const { partnerId, expiresIn, ...details } = body;
    const expiresAt = expiresIn === undefined ? undefined : isoTime(state.clock.now() + expiresIn);
    const row = mintShareToken(state, {
      ...details,
      partnerId: partnerOrFirst(state, partnerId).id,
      expiresAt,
    });
    return reply(201, viewShareToken(row));
  },
});

const approveSession = operation({
  id: 'kycSessions.approve',
  plane: 'control',
  method: 'POST',
  path: '/kyc-sessions/{id}/approve',
  summary: 'Decide a pending KYC session: approved',
  fidelity: assumed('kyc-sessions'),
  body: z.object({ identity: PartialIdentity.optional() }),
  responses: { 200: KycSession },
  run({ state, linkOrigin, params, body }) {
    const row = state.table(kycSessions).existing(params.id);
    const identity = { ...personFor(row.id, state.setup.people), ...body.identity };
    const decided = decideKycSession(state, row, 'approved', { identity });
    return reply(200, viewSession(state, decided, linkOrigin()));
  },
});

const rejectSession = operation({
  id: 'kycSessions.reject',
  plane: 'control',
  method: 'POST',
  path: '/kyc-sessions/{id}/reject',
  summary: 'Decide a pending KYC session: rejected',
  fidelity: assumed('kyc-rejection-reasons'),
  body: z.object({
    identity: PartialIdentity.optional().describe('Without effect: a rejected session has no identity.'),
    reasons: RejectionReasonsBody,
  }),
  responses: { 200: RejectedKycSession },
  run({ state, linkOrigin, params, body: { reasons = [] } }) {
    const row = state.table(kycSessions).existing(params.id);
    const decided = decideKycSession(state, row, 'rejected', { reasons });
    return reply(200, { ...viewSession(state, decided, linkOrigin()), ...viewReasons(decided.reasons) });
  },
});

const approveSubmission = operation({
  id: 'cardholders.kyc.approve',
  plane: 'control',
  method: 'POST',
  path: '/cardholders/{id}/kyc/approve',
  summary: 'Decide a KYC submission in flight now: approved',
  fidelity: assumed('kyc-decision'),
  responses: { 200: CardholderDetails },
  run({ state, params }) {
    const row = state.table(cardholders).existing(params.id);
    return reply(200, viewCardholderDetails(decideNow(state, row, 'approved')));
  },
});

const rejectSubmission = operation({
  id: 'cardholders.kyc.reject',
  plane: 'control',
  method: 'POST',
  path: '/cardholders/{id}/kyc/reject',
  summary: 'Decide a KYC submission in flight now: rejected',
  fidelity: assumed('kyc-rejection-reasons'),
  body: z.object({ reasons: RejectionReasonsBody }),
  responses: { 200: CardholderDetails },
  run({ state, params, body }) {
    const row = state.table(cardholders).existing(params.id);
    return reply(200, viewCardholderDetails(decideNow(state, row, 'rejected', body.reasons)));
  },
});

const setStatus = operation({
  id: 'cardholders.status',
  plane: 'control',
  method: 'POST',
  path: '/cardholders/{id}/status',
  summary: 'Suspend, reactivate or close a cardholder',
  fidelity: assumed('cardholder-moves'),
  body: z.object({ status: z.enum(CARDHOLDER_STATUSES) }),
  responses: { 200: CardholderDetails },
  run({ state, params, body }) {
    const row = state.table(cardholders).existing(params.id);
    return reply(200, viewCardholderDetails(changeStatus(state, row, body.status)));
  },
});

/** Phone numbers of cardholders are not unique. */
const PHONE_NUMBER = '+4915123456789';

/** Adds a cardholder with approved KYC, as share token, import, submission and decision would. */
export function addApprovedCardholder(
  state: WorldState,
  partnerId: string,
  program: ProgramRow,
  identity: z.output<typeof PartialIdentity> | undefined,
): CardholderRow {
  // The decision below comes at once, so the outcome `manual` only keeps the provider from making another.
  const source = { source: 'idp1', outcome: 'manual' } as const;
  const { token } = mintShareToken(state, { partnerId, identity, ...source });
  const externalUserId = state.random.id('user');
  const { row } = createOrReimport(state, partnerId, {
    externalUserId,
    email: exampleEmail(externalUserId),
    phoneNumber: PHONE_NUMBER,
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  submitKyc(state, row, program);
  return decideNow(state, state.table(cardholders).existing(row.id), 'approved');
}

const addApproved = operation({
  id: 'cardholders.addApproved',
  plane: 'control',
  method: 'POST',
  path: '/cardholders',
  summary: 'Add a cardholder with approved KYC',
  fidelity: assumed('shortcuts'),
  body: z.object({
    partnerId: partnerChoice,
    cardProgramId: z.string().min(1).optional().describe("Default: the partner's first card program."),
    identity: PartialIdentity.optional(),
  }),
  responses: { 201: CardholderDetails },
  errors: [{ status: 404, when: 'The partner or the card program is unknown.' }],
  run({ state, body }) {
    const { id: partnerId } = partnerOrFirst(state, body.partnerId);
    const program = programOrFirst(state, partnerId, body.cardProgramId);
    return reply(201, viewCardholderDetails(addApprovedCardholder(state, partnerId, program, body.identity)));
  },
});

export const identityOperations = [
  mintToken,
  approveSession,
  rejectSession,
  addApproved,
  approveSubmission,
  rejectSubmission,
  setStatus,
];
