import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { cardholders, viewCardholderDetails } from '../../service/cardholders/records.ts';
import { createOrReimport } from '../../service/cardholders/rules.ts';
import { CardholderDetails } from '../../service/cardholders/schema.ts';
import { decideNow, submitKyc } from '../../service/cardholders/submission.ts';
import { PartialIdentity } from '../../service/kyc/identity.ts';
import { mintShareToken } from '../../service/kyc/share-tokens.ts';
import { programOrFirst } from '../../service/programs/rules.ts';

/** Phone numbers of cardholders are not unique. */
const PHONE_NUMBER = '+4915123456789';

/** Adds a cardholder with approved KYC, as share token, import, submission and decision would. */
export const addApprovedCardholder = operation({
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
    // The decision below comes at once, so the outcome `manual` only keeps the provider from making another.
    const source = { source: 'idp1', outcome: 'manual' } as const;
    const { token } = mintShareToken(state, { partnerId, identity: body.identity, ...source });
    const externalUserId = state.random.id('user');
    const { row } = createOrReimport(state, partnerId, {
      externalUserId,
      email: `${externalUserId}@example.com`,
      phoneNumber: PHONE_NUMBER,
      kycSource: 'idp1',
      idp1ShareToken: token,
    });
    submitKyc(state, row, program);
    const submitted = state.table(cardholders).existing(row.id);
    return reply(201, viewCardholderDetails(decideNow(state, submitted, 'approved')));
  },
});
