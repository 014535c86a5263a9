import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { tables } from '../../src/sandbox/tables.ts';
import { isRecordedType } from '../../src/service/webhooks/event-types.ts';
import type { Json } from '../support/sandbox.ts';
import { createWorld } from '../support/worlds.ts';

const COUNT = 200;
const PARTNERS = ['partner_a', 'partner_b'];
const day = (number: number) => Date.UTC(2026, 0, 1) + number * 86_400_000;
const amounts = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
/** Members that views and groups read. */
const SHOWN = {
  externalUserId: 'x',
  email: 'x',
  limits: { limit: 0, sales: amounts, cash: amounts },
  amount: 0,
  settledAmount: null,
  declineDetail: null,
  attempts: [],
  body: '{}',
  lastResponseBody: null,
  resourceId: 'r',
  submission: null,
  cardholderId: 'ch_1',
};
const BOUNDS = { from: [day(40), day(90.5)], to: [day(39), day(120)] };
const EVENT_TYPES = ['cardholder.created', 'card.issued', 'card.transaction', 'balance.low'];

type Filters = Readonly<Record<string, readonly (string | number)[]>>;

/** For each list: its table, and the values of its filters. */
const LISTS: Readonly<Record<string, readonly [table: keyof typeof tables, filters: Filters]>> = {
  'cardholders.list': [
    'cardholders',
    { status: ['active', 'suspended', 'closed'], kycStatus: ['pending', 'approved', 'rejected'] },
  ],
  'cards.list': [
    'cards',
    { status: ['created', 'active', 'frozen', 'cancelled'], cardholderId: ['ch_1', 'ch_2', 'ch_3'] },
  ],
  'transactions.list': [
    'transactions',
    { status: ['authorized', 'settled', 'declined'], cardId: ['card_1', 'card_2'], ...BOUNDS },
  ],
  'usage.list': [
    'usageRecords',
    { type: ['card_issuance', 'kyc_verification'], billingPeriod: ['2026-02', '2026-05'], ...BOUNDS },
  ],
  'webhooks.listEvents': [
    'deliveries',
    { status: ['pending', 'delivered', 'failed'], eventType: EVENT_TYPES, ...BOUNDS },
  ],
  'deliveries.list': [
    'deliveries',
    {
      status: ['pending', 'delivered', 'failed'],
      eventType: EVENT_TYPES,
      resourceId: ['r1', 'r2'],
      partnerId: PARTNERS,
    },
  ],
};

/** A number below `of` that looks random and is the same each time. */
const mixed = (seed: number, of: number) => ((Math.imul(seed + 1, 0x9e3779b1) >>> 9) ^ (seed * 31)) % of;

/** A row with a value for each filter. Times mostly grow with the index, and sometimes go back. */
function rowOf(index: number, salt: number, filters: Filters): Json {
  const values = Object.entries(filters).map(([name, each], place) => [
    name,
    each[mixed(index * 7 + salt + place, each.length)],
  ]);
  const time = index % 9 === 0 ? mixed(index, COUNT) : index;
  const partnerId = PARTNERS[mixed(index + 3, 2)];
  return { ...SHOWN, partnerId, ...Object.fromEntries(values), createdAt: new Date(day(time)).toISOString() };
}

function isMatch(row: Json, query: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(query).every(([name, value]) => {
    if (name === 'from') return Date.parse(row.createdAt) >= Number(value);
    if (name === 'to') return Date.parse(row.createdAt) <= Number(value);
    return (name === 'billingPeriod' ? row.createdAt.slice(0, 7) : row[name]) === value;
  });
}

/** Every choice of values for some of the filters. */
function queriesOf(filters: Filters): Record<string, string | number>[] {
  const queries: Record<string, string | number>[] = [{}];
  for (const [name, values] of Object.entries(filters)) {
    queries.push(...queries.flatMap(query => values.map(value => ({ ...query, [name]: value }))));
  }
  return queries;
}

test.each(Object.entries(LISTS))(
  '%s returns what a search through all rows finds, newest first',
  async (id, [name, filters]) => {
    const state = createWorld();
    const table: Json = state.anyTable(tables[name]);
    const rows = new Map<string, Json>();
    for (let index = 0; index < COUNT; index++) {
      rows.set(
        `row_${index}`,
        table.insert({
          ...rowOf(index, 0, filters),
          id: `row_${index}`,
          externalUserId: `${index}`,
          email: `${index}`,
        }),
      );
    }
    // Rows move to other groups, and keep their place.
    for (let index = 0; index < COUNT; index += 3) {
      const { partnerId: _, createdAt: __, ...members } = rowOf(index, 11, filters);
      rows.set(
        `row_${index}`,
        table.update(`row_${index}`, { ...members, externalUserId: `${index}`, email: `${index}` }),
      );
    }
    for (let index = 0; index < COUNT; index += 8) rows.delete(table.delete(`row_${index}`).id);
    for (const id of PARTNERS) state.anyTable(tables.partners).insert({ id, partnerId: id });
    const { run }: Json = operations.find(each => each.id === id);
    const isPaged = id !== 'deliveries.list';
    const partner = { id: 'partner_a' };
    const { signal } = new AbortController();
    for (const query of queriesOf(filters)) {
      const matching = [...rows.values()].reverse().filter(row => isMatch(row, query));
      // The API lists the deliveries of some event types.
      const expected = matching.filter(
        row =>
          !isPaged ||
          (row.partnerId === partner.id && (row.eventType === undefined || isRecordedType(row.eventType))),
      );
      const ids = expected.map(row => row.id);
      const page = isPaged ? { page: 2, limit: 7 } : { offset: 0 };
      const { body } = await run({ state, signal, partner, query: { ...page, ...query } });
      const found = (isPaged ? body.data : body).map((each: Json) => each.id);
      expect({ query, found }).toEqual({ query, found: isPaged ? ids.slice(7, 14) : ids });
      if (isPaged) expect({ query, total: body.total }).toEqual({ query, total: ids.length });
    }
  },
);
