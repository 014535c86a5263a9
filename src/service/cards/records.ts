import * as z from 'zod';
import { isCardNumber, LONG_RUNS } from '../../core/redaction/card-numbers.ts';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import { Month } from '../../core/values/timestamp.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { programs, SpendLimits, type WindowAmounts } from '../programs/records.ts';
import { CARD_BRANDS, CARD_TYPES } from '../programs/schema.ts';
import { CARD_STATUSES, type Card, type CardDetails } from './schema.ts';
import { spentBy } from './spending.ts';

const CardRow = rowSchema(() => ({
  cardholderId: StoredId,
  programId: StoredId,
  type: z.enum(CARD_TYPES),
  brand: z.enum(CARD_BRANDS),
  status: z.enum(CARD_STATUSES),
  nameOnCard: z.string().min(1),
  last4: z.string().regex(/^\d{4}$/, 'must be four digits'),
  limits: SpendLimits,
  createdAt: StoredTime,
}));

/** A card, without its number. */
export type CardRow = RowOf<typeof CardRow>;

export const cards = defineTable({
  kind: 'card',
  row: CardRow,
  groups: { cardholder: row => row.cardholderId, status: row => `${row.partnerId} ${row.status}` },
});

const VaultRow = rowSchema(() => ({
  number: z
    .string()
    .regex(/^\d{16}$/, 'must be a card number of 16 digits')
    .refine(isCardNumber, 'must be a card number of a known scheme with a valid check digit'),
  cvv: z.string().regex(/^\d{3}$/, 'must be three digits'),
  /** The last valid month of the card. */
  expiry: Month,
}));

/** The number, CVV and expiry of a card; its id is the card's id. */
export type VaultRow = RowOf<typeof VaultRow>;

/** The vault: the only table with card numbers. */
export const vault = defineTable({
  kind: 'vault entry',
  row: VaultRow,
  unique: { number: row => row.number },
});

const NUMBER_LENGTH = 16;

/** The place of the index of card numbers in the vault, after the index of ids. */
const BY_NUMBER = 1;

/** Returns the parts of a text that are card numbers in one of some states, as they are written there. */
export function cardNumbersIn(states: readonly WorldSnapshot[], text: string): string[] {
  const runs = [...text.matchAll(LONG_RUNS)];
  if (runs.length === 0) return [];
  const vaults = states.map(({ tables }) => tables.get(vault)?.open());
  const found: string[] = [];
  for (const [run] of runs) {
    const places = [...run].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
    for (let first = 0; first + NUMBER_LENGTH <= places.length; first++) {
      const last = places[first + NUMBER_LENGTH - 1] ?? 0;
      const written = run.slice(places[first], last + 1);
      const number = written.replace(/\D/g, '');
      if (vaults.some(each => each?.find(BY_NUMBER, number) !== undefined)) found.push(written);
    }
  }
  return found;
}

function viewWindows({ perTransaction, daily, monthly, allTime }: WindowAmounts) {
  return {
    perTransaction: toAmount(perTransaction),
    daily: toAmount(daily),
    monthly: toAmount(monthly),
    allTime: toAmount(allTime),
  };
}

/** Returns the card as the API shows it (interface sections 2.2 and 2.3), with the current spending per window. */
export function viewCard(state: WorldState, row: CardRow): z.input<typeof Card> {
  const spent = spentBy(state, row.id, state.clock.timestamp());
  return {
    id: row.id,
    type: row.type,
    brand: row.brand,
    status: row.status,
    nameOnCard: row.nameOnCard,
    limit: toAmount(row.limits.limit),
    last4: row.last4,
    programId: row.programId,
    createdAt: row.createdAt,
    spendControl: {
      sales: viewWindows(row.limits.sales),
      cash: viewWindows(row.limits.cash),
      spent: { sales: viewWindows(spent.sales), cash: viewWindows(spent.cash) },
    },
  };
}

export function viewCardDetails(state: WorldState, row: CardRow): z.input<typeof CardDetails> {
  return {
    ...viewCard(state, row),
    partnerId: row.partnerId,
    cardholderId: row.cardholderId,
    currency: state.table(programs).existing(row.programId).currency,
  };
}
