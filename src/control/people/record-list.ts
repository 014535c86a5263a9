import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import { listOf, type RowList } from '../../core/store/persistent/row-list.ts';
import type { Table } from '../../core/store/table.ts';
import type { Row } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { containsText, searchRows } from './search.ts';

const MAX_ROWS = 10_000;
const MAX_OFFSET = 1e15;

const ListQuery = z.object({
  partnerId: partnerChoice,
  limit: wholeNumber(1, MAX_ROWS, `must be a whole number from 1 to ${MAX_ROWS}`).default(200),
  offset: wholeNumber(0, MAX_OFFSET, 'must be a whole number from 0 up')
    .default(0)
    .describe('How many of the newest records to skip.'),
  q: z
    .string()
    .optional()
    .describe(
      'Returns only records that contain this text, case-insensitive; first those that have it as their whole id, e-mail address, external id or token.',
    ),
});

type RecordTable<R extends Row> = Pick<Table<R>, 'ofPartner' | 'existing' | 'get' | 'sequenceOf'>;

/** A query parameter that selects the records with a value. */
export interface Filter<R extends Row> {
  readonly values: z.ZodType<string>;
  readonly matches: (state: WorldState, row: R, value: string) => boolean;
  /** Returns the rows of a partner that match, if an index has them. Without an index the rows are read. */
  readonly indexed?: (state: WorldState, partnerId: string, value: string) => RowList<R>;
  /** Whether `indexed` returns only rows that match with this value. Default: always. */
  readonly isExact?: (value: string) => boolean;
}

/** What the control plane needs to know to list the records of a kind. */
export interface RecordList<R extends Row, V> {
  readonly path: string;
  readonly singular: string;
  readonly plural: string;
  readonly shape: z.ZodType<unknown, V>;
  readonly table: (state: WorldState) => RecordTable<R>;
  readonly view: (state: WorldState, row: R) => V;
  readonly filters: Readonly<Record<string, Filter<R>>>;
  /** Returns an object or array with the strings of the view, without the cost of the view. */
  readonly texts: (state: WorldState, row: R) => object;
  /** A member of `texts` that the view does not have. */
  readonly hidden?: string;
  /** Returns the rows, besides the one with this id, that an index finds by a whole text. */
  readonly find?: (state: WorldState, partnerId: string, text: string) => readonly (R | undefined)[];
  /** Returns the row of a path, of any partner. Default: the row with this id. */
  readonly get?: (state: WorldState, id: string) => R | undefined;
}

/** Declares a list, so that the type of its rows is known in each member. */
export function recordList<R extends Row, V>(list: RecordList<R, V>): RecordList<R, V> {
  return list;
}

/** Returns the rows of a group that all belong to one partner: an empty list for another partner's. */
export function ownRows<R extends Row>(rows: RowList<R>, partnerId: string): RowList<R> {
  return rows.at(0)?.partnerId === partnerId ? rows : listOf();
}

/** Returns the newest rows of a list, newest first. */
export function newestOf<R>(rows: RowList<R>): readonly R[] {
  return firstOf(rows.newestFirst(), MAX_ROWS);
}

function firstOf<R>(rows: Iterable<R>, limit: number): R[] {
  const first: R[] = [];
  for (const row of rows) {
    if (first.length === limit) break;
    first.push(row);
  }
  return first;
}

/** Creates the operation that lists one partner's newest records of a kind, optionally those that match. */
export function listOperation<R extends Row, V>(list: RecordList<R, V>) {
  const { path, plural, view, texts, filters, hidden = '' } = list;
  const parameters = Object.entries(filters).map(([name, { values }]) => [name, values.optional()]);

  function find(state: WorldState, partnerId: string, text: string): R[] {
    const candidates = [list.table(state).get(text), ...(list.find?.(state, partnerId, text) ?? [])];
    return candidates.filter(row => row !== undefined).filter(row => row.partnerId === partnerId);
  }

  return operation({
    id: `records.${path.slice(1)}`,
    plane: 'control',
    method: 'GET',
    path,
    summary: `List a partner's ${plural}, newest first`,
    fidelity: assumed('control-records'),
    query: ListQuery.extend<Record<never, never>>(Object.fromEntries(parameters)),
    responses: { 200: z.array(list.shape) },
    responseHeaders: ['X-Total-Count'],
    errors: [{ status: 409, when: 'The world was reset or replaced during a search.' }],
    async run({ state, signal, query }) {
      const { limit, offset, q } = query;
      const table = list.table(state);
      const { id: partnerId } = partnerOrFirst(state, query.partnerId);
      const values: Readonly<Record<string, unknown>> = query;
      const wanted = Object.entries(filters).flatMap(([name, filter]) => {
        const value = values[name];
        return typeof value === 'string' ? [{ ...filter, value }] : [];
      });
      const indexed = wanted.find(each => each.indexed !== undefined);
      const rows = () => indexed?.indexed?.(state, partnerId, indexed.value) ?? table.ofPartner(partnerId);
      const isExact = indexed?.isExact?.(indexed.value) ?? true;
      if (q === undefined && isExact && wanted.every(each => each === indexed)) {
        const { length: total } = rows();
        return pageReply(state, firstOf(rows().newestFirst(offset), limit), total);
      }
      const text = q?.toLowerCase();
      const isWanted = (row: R) => wanted.every(({ matches, value }) => matches(state, row, value));
      const matches = (row: R) =>
        isWanted(row) && (text === undefined || containsText(texts(state, row), text, hidden));
      const exact = q === undefined ? [] : find(state, partnerId, q).filter(isWanted);
      const max = offset + limit;
      const found = await searchRows({ state, table, rows, exact, matches, max, signal });
      return pageReply(state, found.slice(offset));
    },
  });

  function pageReply(state: WorldState, rows: readonly R[], total?: number) {
    const body = rows.map(row => view(state, row));
    return { ...reply(200, body), headers: total === undefined ? {} : { 'X-Total-Count': String(total) } };
  }
}

/** Creates the operation that returns one record of any partner as the list shows it. */
export function detailsOperation<R extends Row, V>(
  id: string,
  { path, singular, shape, table, view, get }: RecordList<R, V>,
) {
  return operation({
    id,
    plane: 'control',
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Get a ${singular} as the list shows it`,
    fidelity: assumed('control-records'),
    responses: { 200: shape },
    run({ state, params }) {
      // The path is not a literal, so that its parameter is not known to the compiler.
      const { id: recordId } = params as { readonly id: string };
      return reply(200, view(state, get?.(state, recordId) ?? table(state).existing(recordId)));
    },
  });
}
