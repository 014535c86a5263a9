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
import { cards, viewCard } from '../../resources/cards/records.ts';
import { Card } from '../../resources/cards/schema.ts';
import { kycSessions, shareTokens, viewSession, viewShareToken } from '../../resources/kyc/records.ts';
import { KycSession, ShareToken } from '../../resources/kyc/schema.ts';
import { programs, viewProgram } from '../../resources/programs/records.ts';
import { CardProgram } from '../../resources/programs/schema.ts';
import { transactions, viewTransaction } from '../../resources/transactions/records.ts';
import { Transaction } from '../../resources/transactions/schema.ts';

const MOST_ROWS = 10_000;

const listQuery = z.object({
  partnerId: partnerChoice,
  limit: wholeNumber(1, MOST_ROWS, 'must be a whole number from 1 to 10000').default(200),
  q: z.string().optional().describe('Text that a row must hold, without regard to case.'),
});

/** A card as the control plane shows it: with its owner, its money and what it belongs to. */
export const CardDetails = Card.extend({
  partnerId: z.string(),
  cardholderId: z.string(),
  currency: z.string().describe('ISO 4217 code of its program.'),
});

/** A KYC session as the control plane shows it: with its owner, and who used it. */
export const KycSessionDetails = KycSession.extend({
  partnerId: z.string(),
  usedBy: z.string().nullable().describe('The cardholder that was made from it.'),
});

/** A read of one partner's newest records of a kind: a plain list, of which `q` keeps those that hold a text. */
function listOperation<R extends Row, S extends z.ZodType>(
  path: string,
  plural: string,
  shape: S,
  tableOf: (world: World) => Pick<Table<R>, 'ofPartner' | 'existing'>,
  view: (world: World, row: R) => z.input<S>,
) {
  return operation({
    id: `records.${path.slice(1)}`,
    plane: 'control',
    method: 'GET',
    path,
    summary: `A partner's ${plural}, newest first`,
    fidelity: assumed('control-records'),
    query: listQuery,
    responses: { 200: z.array(shape) },
    run({ world, query }) {
      const table = tableOf(world);
      const ids = table.ofPartner(partnerOrFirst(world, query.partnerId).id);
      const wanted = query.q?.toLowerCase();
      const found: z.input<S>[] = [];
      for (let index = ids.length - 1; index >= 0 && found.length < query.limit; index -= 1) {
        const shown = view(world, table.existing(ids[index] ?? ''));
        if (wanted === undefined || holdsText(shown, wanted)) found.push(shown);
      }
      return reply(200, found);
    },
  });
}

/** Whether a value, or any member of it at any depth, has the text in it. */
function holdsText(value: unknown, wanted: string): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some(member => holdsText(member, wanted));
  }
  return typeof value === 'string' && value.toLowerCase().includes(wanted);
}

/** Control operations that list records without a trace in journal or rate limit, for people who look on. */
export const recordOperations = [
  listOperation(
    '/cardholders',
    'cardholders with address, KYC state and lock reason',
    CardholderDetails,
    world => world.table(cardholders),
    (_world, row) => viewCardholderDetails(row),
  ),
  listOperation(
    '/cards',
    'cards',
    CardDetails,
    world => world.table(cards),
    (world, row) => ({
      ...viewCard(world, row),
      partnerId: row.partnerId,
      cardholderId: row.cardholderId,
      currency: world.table(programs).existing(row.programId).currency,
    }),
  ),
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
