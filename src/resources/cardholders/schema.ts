import * as z from 'zod';
import { addressFields } from '../kyc/identity.ts';

/** How a cardholder was identified; `idp2` is the assumed twin of `idp1`. */
export const KYC_SOURCES = ['api', 'idp1', 'idp2', 'web'] as const;
/** KYC states of a cardholder (interface section 3.2). */
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const;
/** States of a cardholder (interface section 3.1). */
export const CARDHOLDER_STATUSES = ['active', 'suspended', 'closed'] as const;

/** A cardholder: exactly the ten fields of interface section 2.1. */
export const Cardholder = z.strictObject({
  id: z.string(),
  externalUserId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.string().nullable().describe('E.164; null if not provided.'),
  kycSource: z.enum(KYC_SOURCES),
  kycStatus: z.enum(KYC_STATUSES),
  status: z.enum(CARDHOLDER_STATUSES),
  createdAt: z.string().describe('ISO 8601 timestamp.'),
});

/** An e-mail address. */
export const Email = z.email();
/** A phone number in E.164 format. */
export const PhoneNumber = z.e164();

const commonFields = {
  externalUserId: z.string().min(1),
  email: Email,
  phoneNumber: PhoneNumber,
};
const ShareTokenText = z.string().min(1);

/** Body of create or re-import (interface section 4.1), one variant for each way to be identified. */
export const CreateCardholderBody = z.discriminatedUnion('kycSource', [
  z.object({
    ...commonFields,
    kycSource: z.literal('web'),
    kycSessionId: z.string().min(1),
  }),
  z.object({
    ...commonFields,
    kycSource: z.literal('idp1'),
    idp1ShareToken: ShareTokenText,
    ...addressFields,
  }),
  z.object({
    ...commonFields,
    kycSource: z.literal('idp2'),
    idp2ShareToken: ShareTokenText,
    ...addressFields,
  }),
]);

/** Body of create or re-import. */
export type CreateCardholderBody = z.output<typeof CreateCardholderBody>;

/** KYC initiation result (interface section 2.7). */
export const KycInitiation = z.strictObject({
  status: z.literal('pending'),
  cardholderId: z.string(),
  cardProgramId: z.string(),
});

/** A cardholder as the control plane shows it: with the address, the KYC state and why re-import is refused. */
export const CardholderDetails = Cardholder.extend({
  partnerId: z.string(),
  address: z.strictObject(addressFields),
  kyc: z.strictObject({
    state: z.enum(['not_submitted', 'in_flight', 'approved', 'rejected']),
    outcome: z.string().describe('What the simulated provider decides.'),
    cardProgramId: z.string().nullable(),
    submittedAt: z.string().nullable(),
    decidedAt: z.string().nullable(),
  }),
  lockReason: z.enum(['provider_submitted', 'card_issued']).nullable(),
});
