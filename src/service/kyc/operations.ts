import { assumed, documented, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { kycSessions, viewSession } from './records.ts';
import { openKycSession } from './rules.ts';
import { KycSession, KycSessionBody } from './schema.ts';

const createKycSession = operation({
  id: 'kycSessions.create',
  plane: 'partner',
  method: 'POST',
  path: '/partner/kyc-sessions',
  summary: 'Open a KYC session on the hosted page',
  fidelity: documented('4.12'),
  body: KycSessionBody,
  responses: { 201: KycSession },
  run({ state, partner, linkOrigin, body }) {
    const row = openKycSession(state, {
      partnerId: partner.id,
      externalUserId: body.externalUserId ?? null,
      redirectUrl: body.redirectUrl ?? null,
    });
    return reply(201, viewSession(state, row, linkOrigin()));
  },
});

const getKycSession = operation({
  id: 'kycSessions.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/kyc-sessions/{id}',
  summary: 'Get a KYC session',
  fidelity: assumed('kyc-sessions'),
  responses: { 200: KycSession },
  causes: [unknownRecord(kycSessions.kind)],
  run({ state, partner, linkOrigin, params }) {
    const row = state.table(kycSessions).getOwn(partner.id, params.id);
    return reply(200, viewSession(state, row, linkOrigin()));
  },
});

export const kycOperations = [createKycSession, getKycSession];
