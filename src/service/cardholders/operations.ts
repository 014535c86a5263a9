import * as z from 'zod';
import { assumed, documented, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { SPACE_SLIP, textFilterHints } from '../../core/request/filter-hints.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { listOf, type RowList } from '../../core/store/persistent/row-list.ts';
import { ownKey } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { programs } from '../programs/records.ts';
import { type CardholderRow, cardholders, emailKey, viewCardholder } from './records.ts';
import { CREATION_CAUSES, createOrReimport } from './rules.ts';
import {
  CARDHOLDER_STATUSES,
  Cardholder,
  CardholderConflict,
  CreateCardholderBody,
  InitiateKycBody,
  isEmail,
  KYC_STATUSES,
  KycInitiation,
} from './schema.ts';
import { SUBMISSION_CAUSES, submitKyc } from './submission.ts';

const createCardholder = operation({
  id: 'cardholders.create',
  plane: 'partner',
  method: 'POST',
  path: '/partner/cardholders',
  summary: 'Create a cardholder, or re-import KYC onto an existing one',
  fidelity: documented('4.1'),
  body: CreateCardholderBody,
  responses: {
    200: Cardholder.describe('The existing cardholder, re-imported from a new share token.'),
    201: Cardholder.describe('The new cardholder.'),
  },
  errors: [
    { status: 404, when: 'The KYC session is unknown.' },
    {
      status: 409,
      when: 'Another cardholder has the e-mail address, or the KYC can no longer be re-imported.',
      body: CardholderConflict,
    },
  ],
  causes: CREATION_CAUSES,
  run({ state, partner, body }) {
    const { status, row } = createOrReimport(state, partner.id, body);
    return reply(status, viewCardholder(row));
  },
});

const initiateKyc = operation({
  id: 'cardholders.initiateKyc',
  plane: 'partner',
  method: 'POST',
  path: '/partner/cardholders/{id}/kyc',
  summary: "Submit a cardholder's KYC to the card provider",
  fidelity: documented('4.2'),
  body: InitiateKycBody,
  responses: { 200: KycInitiation },
  errors: [{ status: 404, when: 'The card program is unknown.' }],
  causes: [unknownRecord(cardholders.kind), unknownRecord(programs.kind), ...SUBMISSION_CAUSES],
  run({ state, partner, params, body }) {
    const row = state.table(cardholders).getOwn(partner.id, params.id);
    const program = state.table(programs).getOwn(partner.id, body.cardProgramId);
    submitKyc(state, row, program);
    return reply(200, { status: 'pending' as const, cardholderId: row.id, cardProgramId: program.id });
  },
});

const getCardholder = operation({
  id: 'cardholders.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/cardholders/{id}',
  summary: 'Get a cardholder',
  fidelity: documented('4.5'),
  responses: { 200: Cardholder },
  causes: [unknownRecord(cardholders.kind)],
  run: ({ state, partner, params }) =>
    reply(200, viewCardholder(state.table(cardholders).getOwn(partner.id, params.id))),
});

const listCardholders = operation({
  id: 'cardholders.list',
  plane: 'partner',
  method: 'GET',
  path: '/partner/cardholders',
  summary: 'List cardholders',
  fidelity: assumed('cardholder-list'),
  query: z.object({
    ...pagingQuery,
    status: z.enum(CARDHOLDER_STATUSES).optional(),
    kycStatus: z.enum(KYC_STATUSES).optional(),
    externalUserId: z.string().optional().describe('Your own id of the cardholder.'),
    email: z
      .string()
      .optional()
      .describe('Not case-sensitive, unless the setting `email-comparison` says otherwise.'),
  }),
  responses: { 200: pageOf(Cardholder) },
  hints: ({ query: { externalUserId, email } }, { state, partner }) => {
    const table = state.table(cardholders);
    const comparison = state.assumptions['email-comparison'];
    return [
      ...textFilterHints({
        name: 'externalUserId',
        value: externalUserId,
        isKnown: id => table.find('externalUserId', ownKey(partner.id, id)) !== undefined,
      }),
      ...textFilterHints({
        name: 'email',
        value: email,
        isKnown: address => table.find('email', emailKey(partner.id, address, comparison)) !== undefined,
        problem: address =>
          isEmail(address)
            ? null
            : `is not an e-mail address${address.includes(' ') ? `: it ${SPACE_SLIP}` : ''}`,
      }),
    ];
  },
  run({ state, partner, query }) {
    const { status, kycStatus, externalUserId, email } = query;
    if (externalUserId === undefined && email === undefined) {
      return reply(200, paginate(state, cardholdersWith(state, partner.id, query), query, viewCardholder));
    }
    const table = state.table(cardholders);
    const keyOf = (address: string) => emailKey(partner.id, address, state.assumptions['email-comparison']);
    // External ids and e-mail addresses are unique.
    const row =
      externalUserId === undefined
        ? table.find('email', keyOf(email ?? ''))
        : table.find('externalUserId', ownKey(partner.id, externalUserId));
    const matches = (each: CardholderRow) =>
      (email === undefined || keyOf(each.email) === keyOf(email)) &&
      (status === undefined || each.status === status) &&
      (kycStatus === undefined || each.kycStatus === kycStatus);
    const found = row === undefined ? listOf<CardholderRow>() : listOf(row);
    return reply(200, paginate(state, found, query, viewCardholder, matches));
  },
});

/** Returns a partner's cardholders with a status and a KYC status; an omitted one matches all. */
function cardholdersWith(
  state: WorldState,
  partnerId: string,
  { status, kycStatus }: { readonly status?: string | undefined; readonly kycStatus?: string | undefined },
): RowList<CardholderRow> {
  const table = state.table(cardholders);
  if (status !== undefined && kycStatus !== undefined) {
    return table.group('statuses', `${partnerId} ${status} ${kycStatus}`);
  }
  if (status !== undefined) return table.group('status', `${partnerId} ${status}`);
  return kycStatus === undefined
    ? table.ofPartner(partnerId)
    : table.group('kycStatus', `${partnerId} ${kycStatus}`);
}

/** Operations on cardholders: the documented ones in the interface's order, then the assumed. */
export const cardholderOperations = [createCardholder, initiateKyc, getCardholder, listCardholders];
