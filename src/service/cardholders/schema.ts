import * as z from 'zod';
import { assumedField, assumedValues, followsSetting } from '../../core/operation/errors.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { addressFields, MAX_EMAIL_LENGTH } from '../kyc/identity.ts';
import { RejectionReasons } from '../kyc/rejection-reasons.ts';

/** How a cardholder was identified. `idp2` is assumed to work like `idp1`. */
export const KYC_SOURCES = ['api', 'idp1', 'idp2', 'web'] as const;
/** KYC states of a cardholder (interface section 3.2). */
export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const;
/** States of a cardholder (interface section 3.1). */
export const CARDHOLDER_STATUSES = ['active', 'suspended', 'closed'] as const;

/** A cardholder: exactly the ten fields of interface section 2.1. */
export const Cardholder = z
  .strictObject({
    id: z.string(),
    externalUserId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string().nullable().describe('E.164; null if not provided.'),
    kycSource: z
      .enum(KYC_SOURCES)
      .describe('`idp2` is assumed, see the assumption idp2-variant.')
      .meta(assumedValues({ idp2: 'idp2-variant' })),
    kycStatus: z.enum(KYC_STATUSES),
    status: z.enum(CARDHOLDER_STATUSES),
    createdAt: TimestampText,
  })
  .meta({ id: 'Cardholder' });

/** Atoms of RFC 5321 with dots between them, and a domain of at least two labels, those with `xn--` included. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** Whether a text is an e-mail address by the assumption `email-format`. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

export const Email = z
  .string()
  .refine(isEmail, 'must be a valid email address')
  .meta({ format: 'email', description: 'Which addresses are valid is the assumption `email-format`.' });
/** A phone number in E.164 format. */
export const PhoneNumber = z
  .string()
  .refine(
    text => /^\+[1-9]\d{0,14}$/.test(text),
    'must be a phone number in E.164 format, such as +4915123456789',
  )
  .meta({ description: 'E.164. Which numbers are valid is the assumption `phone-format`.' });

const commonFields = {
  externalUserId: z.string().min(1),
  email: Email,
  phoneNumber: PhoneNumber,
};
const ShareTokenText = z
  .string()
  .min(1)
  .meta({
    description:
      'Single-use. Besides issued tokens, any string `<source>_test_<approve|reject|manual>_<anything>` is valid once.',
    ...followsSetting('magic-tokens'),
  });

/** Body of create or re-import (interface section 4.1), one variant per KYC source. */
export const CreateCardholderBody = z
  .discriminatedUnion('kycSource', [
    z
      .object({
        ...commonFields,
        kycSource: z.literal('web'),
        kycSessionId: z.string().min(1).describe('Id of an approved KYC session.'),
      })
      .meta({ id: 'CreateCardholderFromWeb', description: 'KYC through a hosted web link.' }),
    z
      .object({
        ...commonFields,
        kycSource: z.literal('idp1'),
        idp1ShareToken: ShareTokenText,
        ...addressFields,
      })
      .meta({ id: 'CreateCardholderFromIdp1', description: 'KYC through a share token of a donor partner.' }),
    z
      .object({
        ...commonFields,
        kycSource: z.literal('idp2'),
        idp2ShareToken: ShareTokenText,
        ...addressFields,
      })
      .meta({
        id: 'CreateCardholderFromIdp2',
        description: 'KYC through a share token of the other provider.',
        ...assumedField('idp2-variant'),
      }),
  ])
  .meta({ id: 'CreateCardholder' });

/** The two conflicts of interface section 7.2, distinguished by `error.code`. */
export const CardholderConflict = z
  .strictObject({
    success: z.literal(false),
    error: z.discriminatedUnion('code', [
      z
        .strictObject({
          code: z.literal('EMAIL_ALREADY_REGISTERED'),
          message: z.string(),
          existingCardholderId: z.string().describe('The cardholder that has this e-mail address.'),
        })
        .meta({ id: 'EmailAlreadyRegistered' }),
      z
        .strictObject({
          code: z.literal('CARDHOLDER_KYC_LOCKED'),
          message: z.string(),
          cardholderId: z.string(),
          reason: z.enum(['provider_submitted', 'card_issued']),
        })
        .meta({ id: 'CardholderKycLocked' }),
    ]),
  })
  .meta({ id: 'CardholderConflict' });

/** Body that initiates KYC (interface section 4.2). */
export const InitiateKycBody = z
  .object({ cardProgramId: z.string().min(1).describe('The program of the cards that are to be issued.') })
  .meta({ id: 'InitiateKyc' });

export type CreateCardholderBody = z.output<typeof CreateCardholderBody>;

/** KYC initiation result (interface section 2.7). */
export const KycInitiation = z
  .strictObject({
    status: z.literal('pending'),
    cardholderId: z.string(),
    cardProgramId: z.string(),
  })
  .meta({ id: 'KycInitiation' });

/** A cardholder as the control plane shows it: with the address, the KYC state and why re-import is refused. */
export const CardholderDetails = Cardholder.extend({
  partnerId: z.string(),
  address: z.strictObject(addressFields),
  kyc: z.strictObject({
    state: z.enum(['not_submitted', 'in_flight', 'approved', 'rejected']),
    outcome: z.string().describe('What the simulated provider decides.'),
    cardProgramId: z.string().nullable(),
    submittedAt: TimestampText.nullable(),
    decidedAt: TimestampText.nullable(),
    reasons: RejectionReasons.exactOptional().describe(
      'Why the submission was rejected, if reasons were given.',
    ),
  }),
  lockReason: z.enum(['provider_submitted', 'card_issued']).nullable(),
}).meta({ id: 'CardholderDetails' });
