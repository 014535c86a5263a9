import type * as z from 'zod';
import type { RowList } from '../../core/store/persistent/row-list.ts';
import type { Table } from '../../core/store/table.ts';
import type { Row, TableDefinition } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { balances, viewBalance } from '../balance/records.ts';
import { Balance } from '../balance/schema.ts';
import { cardholders, viewCardholder } from '../cardholders/records.ts';
import { Cardholder, KYC_STATUSES } from '../cardholders/schema.ts';
import { cards, viewCard } from '../cards/records.ts';
import { CARD_STATUSES, Card } from '../cards/schema.ts';
import { kycSessions, viewSession } from '../kyc/records.ts';
import { KycSession } from '../kyc/schema.ts';
import { challenges, viewOtpNotice } from '../three-d-secure/records.ts';
import { OtpNotice } from '../three-d-secure/schema.ts';
import { transactions, viewTransaction } from '../transactions/records.ts';
import { Transaction } from '../transactions/schema.ts';
import type { EventType } from './event-types.ts';
import { newCard, newCardholder, newChallenge, newKycSession, newTransaction } from './new-subjects.ts';

/** The record that an event reports, and the event's `data`. */
export interface EventSubject {
  readonly resourceId: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** For a sample: makes a record, and returns the subject for it, or null if there cannot be one. */
  readonly make?: () => EventSubject | null;
}

/** The payload of one event type. */
export interface Payload {
  /** The schema of `data`: the record as its read operation returns it, unless the type reports more. */
  readonly schema: z.ZodObject;
  /**
   * Returns the record with this id; without an id, the partner's newest that matches the event type, else its
   * newest, else a sample, which can be made real. Throws a 404 for an id of another partner.
   */
  subject(state: WorldState, partnerId: string, id: string | undefined): EventSubject;
}

interface RecordKind<R extends Row, U extends string, G extends string> {
  readonly table: TableDefinition<R, U, G>;
  readonly schema: z.ZodObject;
  readonly view: (state: WorldState, row: R) => Readonly<Record<string, unknown>>;
  readonly sample: (now: string) => Readonly<Record<string, unknown>>;
  /** Makes such a record for a partner without one, with this value; null if there cannot be one. */
  readonly make: (state: WorldState, partnerId: string, value?: string) => R | null;
}

/** An event of the type would report the records in a group of the partner, with one of these values. */
function payloadOf<R extends Row, U extends string, G extends string>({
  table,
  schema,
  view,
  sample,
  make,
}: RecordKind<R, U, G>) {
  return (group?: G, values: readonly string[] = []): Payload => ({
    schema,
    subject(state, partnerId, id) {
      const rows = state.table(table);
      const lists =
        group === undefined ? [] : values.map(value => rows.group(group, `${partnerId} ${value}`));
      const row = id === undefined ? newest(rows, partnerId, lists) : rows.getOwn(partnerId, id);
      const about = (each: R): EventSubject => ({ resourceId: each.id, data: view(state, each) });
      if (row !== undefined) return about(row);
      return {
        resourceId: 'sample',
        data: sample(state.clock.timestamp()),
        make() {
          const made = make(state, partnerId, values[0]);
          return made && about(made);
        },
      };
    },
  });
}

function newest<R extends Row, U extends string, G extends string>(
  rows: Table<R, U, G>,
  partnerId: string,
  lists: readonly RowList<R>[],
): R | undefined {
  const place = ({ id }: R) => rows.sequenceOf(id) ?? 0;
  const candidates = lists.flatMap(list => list.at(-1) ?? []);
  return candidates.sort((a, b) => place(b) - place(a))[0] ?? rows.ofPartner(partnerId).at(-1);
}

const NOTHING = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
const LIMITS = { perTransaction: 500, daily: 1_000, monthly: 5_000, allTime: 20_000 };
const MERCHANT = { name: 'Sample Store', mcc: '5411', city: 'Berlin', country: 'DE' };

/** Sample `data` for events of a partner that has no matching record yet; `now` is an ISO 8601 timestamp. */
const samples = {
  cardholder: (now: string): z.input<typeof Cardholder> => ({
    id: 'ch_sample',
    externalUserId: 'user_sample',
    firstName: 'Sam',
    lastName: 'Sample',
    email: 'sam.sample@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    kycStatus: 'approved',
    status: 'active',
    createdAt: now,
  }),
  card: (now: string): z.input<typeof Card> => ({
    id: 'card_sample',
    type: 'virtual',
    brand: 'visa',
    status: 'active',
    nameOnCard: 'Sam Sample',
    limit: 20_000,
    last4: '4242',
    programId: 'prog_sample',
    createdAt: now,
    spendControl: { sales: LIMITS, cash: LIMITS, spent: { sales: NOTHING, cash: NOTHING } },
  }),
  transaction: (now: string): z.input<typeof Transaction> => ({
    id: 'txn_sample',
    cardId: 'card_sample',
    cardholderId: 'ch_sample',
    type: 'sale',
    status: 'authorized',
    amount: 42.5,
    settledAmount: null,
    currency: 'USD',
    merchant: MERCHANT,
    declineReason: null,
    declineDetail: null,
    reversalReason: null,
    createdAt: now,
    updatedAt: now,
  }),
  otpNotice: (now: string): z.input<typeof OtpNotice> => ({
    challengeId: 'tds_sample',
    cardId: 'card_sample',
    cardholderId: 'ch_sample',
    otp: '123456',
    amount: 42.5,
    merchant: MERCHANT,
    expiresAt: now,
  }),
  session: (now: string): z.input<typeof KycSession> => ({
    id: 'kycs_sample',
    url: 'https://kyc.example.com/kycs_sample',
    status: 'approved',
    externalUserId: null,
    createdAt: now,
    expiresAt: now,
  }),
} as const;

const cardholderPayload = payloadOf({
  table: cardholders,
  schema: Cardholder,
  view: (_, row) => viewCardholder(row),
  sample: samples.cardholder,
  make: newCardholder,
});
const cardPayload = payloadOf({
  table: cards,
  schema: Card,
  view: viewCard,
  sample: samples.card,
  make: newCard,
});
const balancePayload = payloadOf({
  table: balances,
  schema: Balance,
  view: viewBalance,
  // Each partner has a balance.
  sample: () => ({}),
  make: () => null,
});
const sessionPayload = payloadOf({
  table: kycSessions,
  schema: KycSession,
  view: (state, row) => viewSession(state, row, state.setup.origin()),
  sample: samples.session,
  make: newKycSession,
});
const transactionPayload = payloadOf({
  table: transactions,
  schema: Transaction,
  view: (_, row) => viewTransaction(row),
  sample: samples.transaction,
  make: newTransaction,
});
const challengePayload = payloadOf({
  table: challenges,
  schema: OtpNotice,
  view: (_, row) => viewOtpNotice(row),
  sample: samples.otpNotice,
  make: newChallenge,
});

/** The payload of each event type (interface section 6.1). */
export const payloads: Readonly<Record<EventType, Payload>> = {
  'card.transaction': transactionPayload(),
  'card.issued': cardPayload(),
  'card.status.changed': cardPayload(
    'status',
    CARD_STATUSES.filter(status => status !== 'created'),
  ),
  'card.3ds_otp': challengePayload(),
  'cardholder.kyc.updated': cardholderPayload(
    'kycStatus',
    KYC_STATUSES.filter(status => status !== 'pending'),
  ),
  'cardholder.approved': cardholderPayload('kycStatus', ['approved']),
  'cardholder.created': cardholderPayload(),
  'balance.low': balancePayload(),
  'balance.alert': balancePayload(),
  'balance.top_up': balancePayload(),
  'kyc_session.completed': sessionPayload('status', ['approved']),
  'kyc_session.failed': sessionPayload('status', ['rejected']),
};
