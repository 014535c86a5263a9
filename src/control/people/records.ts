import * as z from 'zod';
import { ownKey } from '../../core/store/table-definition.ts';
import { cardEnd, money, readable } from '../../core/values/display.ts';
import { toAmount } from '../../core/values/money.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import {
  cardholders,
  emailKey,
  kycState,
  lockReason,
  viewCardholderDetails,
} from '../../service/cardholders/records.ts';
import { CardholderDetails } from '../../service/cardholders/schema.ts';
import { type CardRow, cards, viewCardDetails } from '../../service/cards/records.ts';
import { CardDetails } from '../../service/cards/schema.ts';
import { spentBy } from '../../service/cards/spending.ts';
import { Identity } from '../../service/kyc/identity.ts';
import {
  type KycSessionRow,
  kycSessions,
  type ShareTokenRow,
  sessionStatus,
  shareTokens,
  viewSession,
  viewShareToken,
} from '../../service/kyc/records.ts';
import { RejectionReasons, viewReasons } from '../../service/kyc/rejection-reasons.ts';
import { KycSession, ShareToken } from '../../service/kyc/schema.ts';
import { programs, viewProgram } from '../../service/programs/records.ts';
import { CardProgram } from '../../service/programs/schema.ts';
import { type TransactionRow, transactions, viewTransaction } from '../../service/transactions/records.ts';
import { Transaction } from '../../service/transactions/schema.ts';
import { detailsOperation, listOperation, newestOf, ownRows, recordList } from './record-list.ts';

export const KycSessionDetails = KycSession.extend({
  partnerId: z.string(),
  identity: Identity.nullable().describe('The confirmed identity; null before the session is approved.'),
  usedBy: z.string().nullable().describe('Id of the cardholder created from it; null if there is none.'),
  reasons: RejectionReasons.exactOptional().describe('Why it was rejected, if reasons were given.'),
});

function nameOf({ firstName, lastName }: Pick<Identity, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

const TOKEN_STATES = ['unused', 'used', 'expired'] as const;

function tokenState(state: WorldState, { usedBy, expiresAt }: ShareTokenRow): (typeof TOKEN_STATES)[number] {
  if (usedBy !== null) return 'used';
  return expiresAt !== null && state.clock.now() >= timeOf(expiresAt) ? 'expired' : 'unused';
}

const cardholderList = recordList({
  path: '/cardholders',
  plural: 'cardholders with address, KYC state and lock reason',
  shape: CardholderDetails,
  table: state => state.table(cardholders),
  filters: {
    kycState: {
      values: CardholderDetails.shape.kyc.shape.state,
      matches: (_state, row, value) => kycState(row) === value,
      indexed: (state, partnerId, value) =>
        state.table(cardholders).group('kycState', `${partnerId} ${value}`),
    },
    outcome: { values: CardholderDetails.shape.kyc.shape.outcome },
  },
  view: (_state, row) => viewCardholderDetails(row),
  texts: (_state, row) => [row, kycState(row), readable(kycState(row)), lockReason(row), nameOf(row)],
  find: (state, partnerId, text) => [
    state.table(cardholders).find('email', emailKey(partnerId, text, state.assumptions['email-comparison'])),
    state.table(cardholders).find('externalUserId', ownKey(partnerId, text)),
  ],
});

function cardTexts(state: WorldState, row: CardRow): string[] {
  const { currency } = state.table(programs).existing(row.programId);
  const { sales, cash } = spentBy(state, row.id, state.clock.timestamp());
  const amounts = [sales.allTime + cash.allTime, row.limits.limit];
  return [
    currency,
    `${row.brand} ${row.type}`,
    cardEnd(row.last4),
    ...amounts.map(each => money(toAmount(each), currency)),
  ];
}

const cardList = recordList({
  path: '/cards',
  plural: 'cards',
  shape: CardDetails,
  table: state => state.table(cards),
  filters: {
    cardholderId: {
      values: z.string().describe('Id of a cardholder.'),
      indexed: (state, partnerId, value) => ownRows(state.table(cards).group('cardholder', value), partnerId),
    },
    status: {
      values: CardDetails.shape.status,
      indexed: (state, partnerId, value) => state.table(cards).group('status', `${partnerId} ${value}`),
    },
  },
  view: viewCardDetails,
  texts: (state, row) => [row, cardTexts(state, row)],
  find: (state, _partnerId, text) => newestOf(state.table(cards).group('cardholder', text)),
});

const TransactionDetails = Transaction.extend({
  cardholderName: z.string(),
  last4: z.string().describe('The last four digits of the card number.'),
}).meta({ id: 'TransactionDetails' });

function payerOf(state: WorldState, { cardId, cardholderId }: TransactionRow) {
  const cardholder = state.table(cardholders).existing(cardholderId);
  return { cardholderName: nameOf(cardholder), last4: state.table(cards).existing(cardId).last4 };
}

function transactionTexts(state: WorldState, { cardId, type, merchant, amount, currency }: TransactionRow) {
  return [
    cardEnd(state.table(cards).existing(cardId).last4),
    `${type} · ${merchant.city}, ${merchant.country}`,
    money(toAmount(amount), currency),
  ];
}

const transactionList = recordList({
  path: '/transactions',
  plural: 'transactions',
  shape: TransactionDetails,
  table: state => state.table(transactions),
  filters: {
    cardId: {
      values: z.string().describe('Id of a card.'),
      indexed: (state, partnerId, value) =>
        ownRows(state.table(transactions).group('card', value), partnerId),
    },
    cardholderId: {
      values: z.string().describe('Id of a cardholder.'),
      indexed: (state, partnerId, value) =>
        ownRows(state.table(transactions).group('cardholder', value), partnerId),
    },
    status: {
      values: Transaction.shape.status,
      indexed: (state, partnerId, value) =>
        state.table(transactions).group('status', `${partnerId} ${value}`),
    },
  },
  view: (state, row) => ({ ...viewTransaction(row), ...payerOf(state, row) }),
  texts: (state, row) => [row, payerOf(state, row), transactionTexts(state, row)],
  hidden: 'partnerId',
  find: (state, _partnerId, text) => newestOf(state.table(transactions).group('card', text)),
});

const programList = recordList({
  path: '/programs',
  plural: 'card programs',
  shape: CardProgram,
  table: state => state.table(programs),
  filters: {},
  view: (_state, row) => viewProgram(row),
  texts: (_state, row) => row,
  hidden: 'partnerId',
});

const viewSessionDetails = (state: WorldState, row: KycSessionRow, origin: string) => ({
  ...viewSession(state, row, origin),
  partnerId: row.partnerId,
  identity: row.identity,
  usedBy: row.usedBy,
  ...viewReasons(row.reasons),
});

const sessionList = recordList({
  path: '/kyc-sessions',
  plural: 'KYC sessions',
  shape: KycSessionDetails,
  table: state => state.table(kycSessions),
  filters: {
    status: {
      values: KycSession.shape.status,
      matches: (state, row, value) => sessionStatus(state, row) === value,
      // An expired session is a pending one whose time is over.
      indexed: (state, partnerId, value) =>
        state.table(kycSessions).group('status', `${partnerId} ${value === 'expired' ? 'pending' : value}`),
      isExact: value => value === 'approved' || value === 'rejected',
    },
  },
  view: viewSessionDetails,
  texts: (state, row) => [
    viewSessionDetails(state, row, ''),
    row.identity === null ? 'Not confirmed' : nameOf(row.identity),
  ],
});

const tokenList = recordList({
  path: '/share-tokens',
  plural: 'share tokens, used ones included',
  shape: ShareToken,
  table: state => state.table(shareTokens),
  filters: {
    source: { values: ShareToken.shape.source },
    state: {
      values: z.enum(TOKEN_STATES),
      matches: (state, row, value) => tokenState(state, row) === value,
    },
  },
  view: (_state, row) => viewShareToken(row),
  texts: (state, row) => [row, tokenState(state, row), nameOf(row.identity)],
  hidden: 'id',
  find: (state, partnerId, text) => [state.table(shareTokens).find('token', ownKey(partnerId, text))],
});

/** Operations that read records without an entry in the journal and without using up the rate limit. */
export const recordOperations = [
  listOperation(cardholderList),
  listOperation(cardList),
  listOperation(transactionList),
  listOperation(programList),
  listOperation(sessionList),
  listOperation(tokenList),
  detailsOperation(
    'cardholders.details',
    'cardholder with address, KYC state and lock reason',
    cardholderList,
  ),
  detailsOperation('cards.details', 'card', cardList),
  detailsOperation('transactions.details', 'transaction', transactionList),
];
