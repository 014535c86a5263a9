import * as z from 'zod';
import { partnerChoice } from '../../core/access/partners.ts';
import { assumedField } from '../../core/operation/errors.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { HttpUrl } from '../../core/values/url.ts';
import { Identity, PartialIdentity } from './identity.ts';
import { RejectionReasons } from './rejection-reasons.ts';

export const TOKEN_SOURCES = ['idp1', 'idp2'] as const;
/** What the simulated provider decides; `manual` waits for the control plane. */
export const KYC_OUTCOMES = ['approve', 'reject', 'manual'] as const;
export const SESSION_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;

/** A KYC session. The interface does not describe one, so the whole shape is an assumption. */
export const KycSession = z
  .strictObject({
    id: z.string(),
    url: z.url().describe('The hosted page for the person.'),
    status: z.enum(SESSION_STATUSES),
    externalUserId: z.string().nullable(),
    createdAt: TimestampText,
    expiresAt: TimestampText,
  })
  .meta({ id: 'KycSession', ...assumedField('kyc-sessions') });

/** A KYC session as the control plane shows it after a rejection: with its reasons. */
export const RejectedKycSession = KycSession.extend({ reasons: RejectionReasons.exactOptional() });

/** Body that creates a KYC session. */
export const KycSessionBody = z
  .object({
    externalUserId: z.string().min(1).optional().describe('Your own id of the person.'),
    redirectUrl: HttpUrl.optional().describe('Where the hosted page redirects after the decision.'),
  })
  .meta({ id: 'CreateKycSession', ...assumedField('kyc-sessions') });

/** Body that mints a share token. */
export const ShareTokenBody = z
  .object({
    partnerId: partnerChoice,
    source: z.enum(TOKEN_SOURCES).default('idp1'),
    outcome: z.enum(KYC_OUTCOMES).default('approve'),
    identity: PartialIdentity.optional(),
    expiresIn: Duration.optional().describe('Sandbox time, such as `24h`. Default: it does not expire.'),
  })
  .meta({ id: 'MintShareToken' });

/** A share token as the control plane shows it. */
export const ShareToken = z
  .strictObject({
    token: z.string(),
    partnerId: z.string(),
    source: z.enum(TOKEN_SOURCES),
    outcome: z.enum(KYC_OUTCOMES),
    identity: Identity,
    createdAt: TimestampText,
    expiresAt: TimestampText.nullable().describe('Null for a token that does not expire.'),
    usedBy: z.string().nullable().describe('The cardholder it was used for.'),
  })
  .meta({ id: 'ShareToken' });
