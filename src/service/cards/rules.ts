import type * as z from 'zod';
import { assumed, badRequest, type Cause, cause } from '../../core/operation/errors.ts';
import { EXAMPLE_NUMBERS, passesLuhn, TEST_RANGES } from '../../core/redaction/card-numbers.ts';
import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type CardholderRow, cardholders } from '../cardholders/records.ts';
import { wayToApproval } from '../cardholders/submission.ts';
import {
  type ProgramRow,
  programs,
  SPEND_WINDOWS,
  type SpendLimits,
  type WindowAmounts,
} from '../programs/records.ts';
import { recordUsage, usageRecords } from '../usage/records.ts';
import { type CardRow, cards, type VaultRow, vault, viewCard } from './records.ts';
import type { CardLimitsBody, IssueCardBody, SpendControlBody } from './schema.ts';

/** The allowed transitions of a card, and the participle for messages. */
const TRANSITIONS = {
  activate: { from: ['created'], to: 'active', participle: 'activated' },
  freeze: { from: ['active'], to: 'frozen', participle: 'frozen' },
  unfreeze: { from: ['frozen'], to: 'active', participle: 'unfrozen' },
  cancel: { from: ['created', 'active', 'frozen'], to: 'cancelled', participle: 'cancelled' },
} as const satisfies Record<
  string,
  { from: readonly CardRow['status'][]; to: CardRow['status']; participle: string }
>;

export type CardTransition = keyof typeof TRANSITIONS;

type CardChoices = Pick<z.output<typeof IssueCardBody>, 'type' | 'nameOnCard' | 'limit' | 'spendControl'>;

const CARDHOLDER_INACTIVE = cause(400, assumed('card-issuance'), 'cardholder-inactive');
const KYC_NOT_APPROVED = cause(400, assumed('card-issuance'), 'kyc-not-approved');

/** The causes for which a card is not issued. */
export const ISSUE_CAUSES: readonly Cause[] = [CARDHOLDER_INACTIVE, KYC_NOT_APPROVED];

/** Issues a card to an active cardholder with approved KYC. Throws a 400 for any other. */
export function issueCard(
  state: WorldState,
  cardholder: CardholderRow,
  program: ProgramRow,
  body: CardChoices,
): CardRow {
  if (cardholder.status !== 'active') {
    const message = `cardholder ${cardholder.id} is ${cardholder.status}; a card needs an active cardholder`;
    throw badRequest(CARDHOLDER_INACTIVE, message);
  }
  if (cardholder.kycStatus !== 'approved') {
    const message = `cardholder ${cardholder.id} has KYC status ${cardholder.kycStatus}; a card needs an approved cardholder; ${wayToApproval(state, cardholder)}`;
    throw badRequest(KYC_NOT_APPROVED, message);
  }
  const status = state.assumptions['card-initial-status'];
  const row = addCard(state, cardholder, program, { ...body, status });
  recordUsage(state, program, 'card_issuance', row.id);
  state.emit('card.issued', row, viewCard(state, row));
  return row;
}

/** The details of a new card; what is left out comes from its program, its cardholder and the clock. */
type NewCard = Partial<Pick<CardRow, 'id' | 'status' | 'createdAt'>> &
  CardChoices & {
    /** The last valid month, `YYYY-MM`. */
    readonly expiry?: string;
  };

/** Locks the identity of the cardholder (interface section 4.1). Does not check it or emit events. */
export function addCard(
  state: WorldState,
  cardholder: CardholderRow,
  program: ProgramRow,
  details: NewCard,
): CardRow {
  const { partnerId } = program;
  const { id = state.random.id('card'), expiry } = details;
  const { number } = createVaultEntry(state, program.brand, { id, partnerId, expiry });
  const row = state.table(cards).insert({
    id,
    partnerId,
    cardholderId: cardholder.id,
    programId: program.id,
    type: details.type ?? program.type,
    brand: program.brand,
    status: details.status ?? 'created',
    nameOnCard: details.nameOnCard ?? defaultNameOnCard(cardholder),
    last4: number.slice(-4),
    limits: limitsFor(program, details),
    createdAt: details.createdAt ?? state.clock.timestamp(),
  });
  if (!cardholder.hasCard) state.table(cardholders).update(cardholder.id, { hasCard: true });
  return row;
}

function defaultNameOnCard({ firstName, lastName }: Pick<CardholderRow, 'firstName' | 'lastName'>): string {
  // A template would keep its parts in memory, a joined text is one.
  return [firstName, lastName].join(' ');
}

const NUMBER_LENGTH = 16;
const YEARS_VALID = 4;

/** Generates the number, CVV and expiry of a card, and stores them in the vault. Numbers are unique. */
function createVaultEntry(
  state: WorldState,
  brand: ProgramRow['brand'],
  members: { readonly id: string; readonly partnerId: string; readonly expiry?: string | undefined },
): VaultRow {
  const table = state.table(vault);
  let number = generateNumber(state, brand);
  while (EXAMPLE_NUMBERS.includes(number) || table.find('number', number) !== undefined)
    number = generateNumber(state, brand);
  return table.insert({
    id: members.id,
    partnerId: members.partnerId,
    number,
    cvv: state.random.stream('cvv').digits(3),
    expiry: members.expiry ?? defaultExpiry(state),
  });
}

/** Returns a number of a test range with a valid Luhn check digit. */
function generateNumber(state: WorldState, brand: ProgramRow['brand']): string {
  const range = TEST_RANGES[brand];
  const account = range + state.random.stream('card-number').digits(NUMBER_LENGTH - 1 - range.length);
  const check = [...'0123456789'].find(digit => passesLuhn(account + digit));
  return account + check;
}

function defaultExpiry(state: WorldState): string {
  const [year, month] = isoTime(state.clock.now()).split('-');
  return `${String(Number(year) + YEARS_VALID).padStart(4, '0')}-${month}`;
}

/** Changes the status of a card. Throws a 400 for a transition that its status does not allow. */
export function changeCardStatus(state: WorldState, row: CardRow, transition: CardTransition): CardRow {
  const { from, to, participle } = TRANSITIONS[transition];
  const allowed: readonly CardRow['status'][] = from;
  if (!allowed.includes(row.status)) {
    const final = row.status === 'cancelled' ? ', and a cancelled card is final' : '';
    const message = `card ${row.id} is ${row.status}; only a card that is ${from.join(' or ')} can be ${participle}${final}`;
    throw badRequest(assumed('card-moves'), message);
  }
  const changed = state.table(cards).update(row.id, { status: to });
  state.emit('card.status.changed', changed, viewCard(state, changed));
  return changed;
}

/** Changes limits of a card; those that are left out stay. Throws a 400 for a cancelled card. */
export function changeCardLimits(
  state: WorldState,
  row: CardRow,
  change: z.output<typeof CardLimitsBody>,
): CardRow {
  if (row.status === 'cancelled') {
    throw badRequest(
      assumed('shortcuts'),
      `card ${row.id} is cancelled; its limits can no longer be changed`,
    );
  }
  return state.table(cards).update(row.id, { limits: limitsFor({ defaults: row.limits }, change) });
}

/** Returns the limits of a card: its own, and the program's defaults for the rest. */
export function limitsFor(
  { defaults }: Pick<ProgramRow, 'defaults'>,
  own: {
    readonly limit?: number | undefined;
    readonly spendControl?: z.output<typeof SpendControlBody> | undefined;
  },
): SpendLimits {
  if (own.limit === undefined && own.spendControl === undefined) return defaults;
  return {
    limit: own.limit ?? defaults.limit,
    sales: withDefaults(own.spendControl?.sales, defaults.sales),
    cash: withDefaults(own.spendControl?.cash, defaults.cash),
  };
}

function withDefaults(
  own: { readonly [K in keyof WindowAmounts]?: number | undefined } = {},
  defaults: WindowAmounts,
): WindowAmounts {
  const amounts = { ...defaults };
  for (const window of SPEND_WINDOWS) amounts[window] = own[window] ?? defaults[window];
  return amounts;
}

/** Invariants of cards, their vault entries and their usage records. */
export const cardRules: readonly RowRule[] = [
  reference(cards, 'cardholderId', ({ cardholderId }) => cardholderId, cardholders),
  reference(cards, 'programId', ({ programId }) => programId, programs),
  rowRule(cards, ({ cardholderId }, state) =>
    (state.table(cardholders).get(cardholderId)?.kycStatus ?? 'approved') === 'approved'
      ? null
      : `cardholderId: cardholder ${cardholderId} must have kycStatus approved, because it has a card`,
  ),
  rowRule(cards, ({ id, partnerId, last4 }, state) => {
    const printed = state.table(vault).get(id);
    if (printed === undefined || printed.partnerId !== partnerId) return 'id: has no vault entry';
    return printed.number.endsWith(last4)
      ? null
      : 'last4: must be the last four digits of its number in the vault';
  }),
  reference(vault, 'id', ({ id }) => id, cards),
  rowRule(cardholders, ({ id, hasCard }, state) =>
    hasCard === state.table(cards).group('cardholder', id).length > 0
      ? null
      : `hasCard: must be ${!hasCard}, to match the cards`,
  ),
  reference(
    usageRecords,
    'referenceId',
    ({ type, referenceId }) => (type === 'card_issuance' ? referenceId : null),
    cards,
  ),
  reference(
    usageRecords,
    'referenceId',
    ({ type, referenceId }) => (type === 'kyc_verification' ? referenceId : null),
    cardholders,
  ),
];
