import type * as z from 'zod';
import type { RowList } from '../../../core/store/persistent/row-list.ts';
import type { Table } from '../../../core/store/table.ts';
import type { Row, TableDefinition } from '../../../core/store/table-definition.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import { balances, viewBalance } from '../../balance/records.ts';
import { Balance } from '../../balance/schema.ts';
import { cardholders, viewCardholder } from '../../cardholders/records.ts';
import { Cardholder, KYC_STATUSES } from '../../cardholders/schema.ts';
import { cards, viewCard } from '../../cards/records.ts';
import { CARD_STATUSES, Card } from '../../cards/schema.ts';
import { kycSessions, viewSession } from '../../kyc/records.ts';
import { KycSession } from '../../kyc/schema.ts';
import { challenges, viewOtpNotice } from '../../three-d-secure/records.ts';
import { OtpNotice } from '../../three-d-secure/schema.ts';
import { transactions, viewTransaction } from '../../transactions/records.ts';
import { Transaction } from '../../transactions/schema.ts';
import type { EventType } from '../event-types.ts';
import { newCard, newCardholder, newChallenge, newKycSession, newTransaction } from './new-subjects.ts';
import { samples } from './samples.ts';

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

/**
 * Returns what makes the payloads of one kind of record. An event of the type would report the records in a group of
 * the partner, with one of these values.
 */
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
      const row = id === undefined ? newest(rows, partnerId, lists) : rows.owned(partnerId, id);
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
  sample: samples.balance,
  // Each partner has a balance.
  make: () => null,
});
const sessionPayload = payloadOf({
  table: kycSessions,
  schema: KycSession,
  view: viewSession,
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
