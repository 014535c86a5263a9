import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../kernel/access/partners.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { wholeNumber } from '../../kernel/store/paging.ts';
import type { Table } from '../../kernel/store/table.ts';
import type { Row } from '../../kernel/store/table-definition.ts';
import type { World } from '../../kernel/world/world.ts';
import { cardholders, viewCardholderDetails } from '../../resources/cardholders/records.ts';
import { CardholderDetails } from '../../resources/cardholders/schema.ts';
import { cards, viewCardDetails } from '../../resources/cards/records.ts';
import { CardDetails } from '../../resources/cards/schema.ts';
import { kycSessions, shareTokens, viewSession, viewShareToken } from '../../resources/kyc/records.ts';
import { KycSession, ShareToken } from '../../resources/kyc/schema.ts';
import { programs, viewProgram } from '../../resources/programs/records.ts';
import { CardProgram } from '../../resources/programs/schema.ts';
import { transactions, viewTransaction } from '../../resources/transactions/records.ts';
import { Transaction } from '../../resources/transactions/schema.ts';

const MAX_ROWS = 10_000;

const listQuery = z.object({
  partnerId: partnerChoice,
  limit: wholeNumber(1, MAX_ROWS, `must be a whole number from 1 to ${MAX_ROWS}`).default(200),
  q: z.string().optional().describe('Returns only records that contain this text, case-insensitive.'),
});

/** A KYC session as the control plane shows it: with its partner and the cardholder created from it. */
export const KycSessionDetails = KycSession.extend({
  partnerId: z.string(),
  usedBy: z.string().nullable().describe('Id of the cardholder created from it; null if there is none.'),
});

/** Creates an operation that lists one partner's newest records of a kind, optionally those that contain a text. */
function listOperation<R extends Row, S extends z.ZodType>(
  path: string,
  plural: string,
  shape: S,
  tableOf: (world: World) => Pick<Table<R>, 'ofPartner'>,
  viewOf: (world: World, row: R) => z.input<S>,
) {
  return operation({
    id: `records.${path.slice(1)}`,
    plane: 'control',
    method: 'GET',
    path,
    summary: `List a partner's ${plural}, newest first`,
    fidelity: assumed('control-records'),
    query: listQuery,
    responses: { 200: z.array(shape) },
    run({ world, query }) {
      const table = tableOf(world);
      const rows = table.ofPartner(partnerOrFirst(world, query.partnerId).id);
      const searched = query.q?.toLowerCase();
      const found: z.input<S>[] = [];
      for (const row of rows.newestFirst()) {
        const view = viewOf(world, row);
        if (searched === undefined || containsText(view, searched)) found.push(view);
        if (found.length === query.limit) break;
      }
      return reply(200, found);
    },
  });
}

/** Whether a value, or any value nested in it, contains the lower-case text. */
function containsText(value: unknown, text: string): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some(nested => containsText(nested, text));
  }
  return typeof value === 'string' && value.toLowerCase().includes(text);
}

/** Operations that list records without an entry in the journal and without using up the rate limit. */
export const recordOperations = [
  listOperation(
    '/cardholders',
    'cardholders with address, KYC state and lock reason',
    CardholderDetails,
    world => world.table(cardholders),
    (_world, row) => viewCardholderDetails(row),
  ),
  listOperation('/cards', 'cards', CardDetails, world => world.table(cards), viewCardDetails),
  listOperation(
    '/transactions',
    'transactions',
    Transaction,
    world => world.table(transactions),
    (_world, row) => viewTransaction(row),
  ),
  listOperation(
    '/programs',
    'card programs',
    CardProgram,
    world => world.table(programs),
    (_world, row) => viewProgram(row),
  ),
  listOperation(
    '/kyc-sessions',
    'KYC sessions',
    KycSessionDetails,
    world => world.table(kycSessions),
    (world, row) => ({ ...viewSession(world, row), partnerId: row.partnerId, usedBy: row.usedBy }),
  ),
  listOperation(
    '/share-tokens',
    'share tokens, used ones included',
    ShareToken,
    world => world.table(shareTokens),
    (_world, row) => viewShareToken(row),
  ),
];
