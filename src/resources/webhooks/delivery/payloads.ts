import type * as z from 'zod';
import type { Table } from '../../../kernel/store/table.ts';
import type { Row, TableDefinition } from '../../../kernel/store/table-definition.ts';
import type { World } from '../../../kernel/world/world.ts';
import { balances, viewBalance } from '../../balance/records.ts';
import { Balance } from '../../balance/schema.ts';
import { type CardholderRow, cardholders, viewCardholder } from '../../cardholders/records.ts';
import { Cardholder } from '../../cardholders/schema.ts';
import { cards, viewCard } from '../../cards/records.ts';
import { Card } from '../../cards/schema.ts';
import { type KycSessionRow, kycSessions, viewSession } from '../../kyc/records.ts';
import { KycSession } from '../../kyc/schema.ts';
import { challenges, viewOtpNotice } from '../../three-d-secure/records.ts';
import { OtpNotice } from '../../three-d-secure/schema.ts';
import { transactions, viewTransaction } from '../../transactions/records.ts';
import { Transaction } from '../../transactions/schema.ts';
import type { EventType } from '../event-types.ts';
import { samples } from './samples.ts';

/** The record that an event reports, and the event's `data`. */
export interface EventSubject {
  readonly resourceId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The payload of one event type. */
export interface Payload {
  /** The schema of `data`: the record as its read operation returns it, unless the type reports more. */
  readonly schema: z.ZodObject;
  /**
   * Returns the record with this id; without an id, the partner's newest that matches the event type, else its
   * newest, else a sample. Throws a 404 for an id of another partner.
   */
  subject(world: World, partnerId: string, id: string | undefined): EventSubject;
}

interface RecordKind<R extends Row, U extends string, G extends string> {
  readonly table: TableDefinition<R, U, G>;
  readonly schema: z.ZodObject;
  readonly view: (world: World, row: R) => Readonly<Record<string, unknown>>;
  readonly sample: (now: string) => Readonly<Record<string, unknown>>;
}

/**
 * Returns what makes the payloads of one kind of record. `matches` says which records an event of the type would
 * report.
 */
function payloadOf<R extends Row, U extends string, G extends string>({
  table,
  schema,
  view,
  sample,
}: RecordKind<R, U, G>) {
  return (matches: (row: R) => boolean = () => true): Payload => ({
    schema,
    subject(world, partnerId, id) {
      const rows = world.table(table);
      const row =
        id === undefined ? newest(rows, rows.ofPartner(partnerId), matches) : rows.owned(partnerId, id);
      if (row !== undefined) return { resourceId: row.id, data: view(world, row) };
      return { resourceId: 'sample', data: sample(world.clock.timestamp()) };
    },
  });
}

function newest<R extends Row, U extends string, G extends string>(
  rows: Table<R, U, G>,
  ids: readonly string[],
  matches: (row: R) => boolean,
): R | undefined {
  const id = ids.findLast(candidate => matches(rows.existing(candidate))) ?? ids.at(-1);
  return id === undefined ? undefined : rows.existing(id);
}

const cardholderPayload = payloadOf({
  table: cardholders,
  schema: Cardholder,
  view: (_, row) => viewCardholder(row),
  sample: samples.cardholder,
});
const cardPayload = payloadOf({ table: cards, schema: Card, view: viewCard, sample: samples.card });
const balancePayload = payloadOf({
  table: balances,
  schema: Balance,
  view: viewBalance,
  sample: samples.balance,
});
const sessionPayload = payloadOf({
  table: kycSessions,
  schema: KycSession,
  view: viewSession,
  sample: samples.session,
});
const transactionPayload = payloadOf({
  table: transactions,
  schema: Transaction,
  view: (_, row) => viewTransaction(row),
  sample: samples.transaction,
});
const challengePayload = payloadOf({
  table: challenges,
  schema: OtpNotice,
  view: (_, row) => viewOtpNotice(row),
  sample: samples.otpNotice,
});

const isApproved = ({ kycStatus }: CardholderRow) => kycStatus === 'approved';
const isDecided = ({ kycStatus }: CardholderRow) => kycStatus !== 'pending';
const sessionIs = (status: KycSessionRow['status']) => (row: KycSessionRow) => row.status === status;

/** The payload of each event type (interface section 6.1). */
export const payloads: Readonly<Record<EventType, Payload>> = {
  'card.transaction': transactionPayload(),
  'card.issued': cardPayload(),
  'card.status.changed': cardPayload(({ status }) => status !== 'created'),
  'card.3ds_otp': challengePayload(),
  'cardholder.kyc.updated': cardholderPayload(isDecided),
  'cardholder.approved': cardholderPayload(isApproved),
  'cardholder.created': cardholderPayload(),
  'balance.low': balancePayload(),
  'balance.alert': balancePayload(),
  'balance.top_up': balancePayload(),
  'kyc_session.completed': sessionPayload(sessionIs('approved')),
  'kyc_session.failed': sessionPayload(sessionIs('rejected')),
};
