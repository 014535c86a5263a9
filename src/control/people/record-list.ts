import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { ApiError, assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { optionalNumber } from '../../core/store/paging.ts';
import { listOf, type RowList } from '../../core/store/persistent/row-list.ts';
import type { Table } from '../../core/store/table.ts';
import type { Row } from '../../core/store/table-definition.ts';
import { runInTurns, type Steps } from '../../core/time/turns.ts';
import type { WorldState } from '../../core/world/world-state.ts';

const MAX_ROWS = 10_000;

export const offsetParameter = optionalNumber(0, 'How many of the newest records to skip.', 0);

const ListQuery = z.object({
  partnerId: partnerChoice,
  limit: optionalNumber(200, 'Maximum number of records.', 1, MAX_ROWS),
  offset: offsetParameter,
  q: z
    .string()
    .optional()
    .describe(
      'Returns only records that contain this text, case-insensitive; first those that have it as their whole id, e-mail address, external id or token.',
    ),
});

type RecordTable<R extends Row> = Pick<Table<R>, 'ofPartner' | 'existing' | 'get' | 'sequenceOf'>;

export interface Filter<R extends Row> {
  readonly values: z.ZodType<string>;
  /** Default: whether the row's member of the same name has the value. */
  readonly matches?: (state: WorldState, row: R, value: string) => boolean;
  /** Returns the rows of a partner that match, if an index has them. Without an index the rows are read. */
  readonly indexed?: (state: WorldState, partnerId: string, value: string) => RowList<R>;
  /** Whether `indexed` returns only rows that match with this value. Default: always. */
  readonly isExact?: (value: string) => boolean;
}

export interface RecordList<R extends Row, V> {
  readonly path: string;
  readonly plural: string;
  readonly shape: z.ZodType<unknown, V>;
  readonly table: (state: WorldState) => RecordTable<R>;
  /** Links begin with `origin`. */
  readonly view: (state: WorldState, row: R, origin: string) => V;
  readonly filters: Readonly<Record<string, Filter<R>>>;
  /** Returns an object or array with the strings of the view, and those that the dashboard's row has instead of them. */
  readonly texts: (state: WorldState, row: R) => object;
  /** A member of `texts` that the view does not have. */
  readonly hidden?: string;
  /** Returns the rows, besides the one with this id, that an index finds by a whole text. */
  readonly find?: (state: WorldState, partnerId: string, text: string) => readonly (R | undefined)[];
}

/** Declares a list, so that the type of its rows is known in each member. */
export function recordList<R extends Row, V>(list: RecordList<R, V>): RecordList<R, V> {
  return list;
}

/** Returns the rows of a group that all belong to one partner: an empty list for another partner's. */
export function ownRows<R extends Row>(rows: RowList<R>, partnerId: string): RowList<R> {
  return rows.at(0)?.partnerId === partnerId ? rows : listOf();
}

export function newestOf<R>(rows: RowList<R>): readonly R[] {
  return firstOf(rows.newestFirst(), MAX_ROWS);
}

export function firstOf<R>(rows: Iterable<R>, limit: number): R[] {
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
    async run({ state, linkOrigin, signal, query }) {
      const { limit, offset, q } = query;
      const table = list.table(state);
      const { id: partnerId } = partnerOrFirst(state, query.partnerId);
      const show = (row: R) => view(state, row, linkOrigin());
      const values: Readonly<Record<string, unknown>> = query;
      const wanted = Object.entries(filters).flatMap(([name, filter]) => {
        const value = values[name];
        const matches = (_state: WorldState, row: R) => Reflect.get(row, name) === value;
        return typeof value === 'string' ? [{ matches, ...filter, value }] : [];
      });
      const indexed = wanted.find(each => each.indexed !== undefined);
      const rows = () => indexed?.indexed?.(state, partnerId, indexed.value) ?? table.ofPartner(partnerId);
      const isExact = indexed?.isExact?.(indexed.value) ?? true;
      if (q === undefined && isExact && wanted.every(each => each === indexed)) {
        const { length: total } = rows();
        return pageReply(firstOf(rows().newestFirst(offset), limit).map(show), total);
      }
      const text = q?.toLowerCase();
      const isWanted = (row: R) => wanted.every(({ matches, value }) => matches(state, row, value));
      const matches = (row: R) =>
        isWanted(row) && (text === undefined || containsText(texts(state, row), text, hidden));
      const exact = q === undefined ? [] : find(state, partnerId, q).filter(isWanted);
      const max = offset + limit;
      const search = searchRows({ state, table, rows, exact, matches, max, signal });
      const found = await runInTurns(search, state.setup.realTime);
      return pageReply(found.slice(offset).map(show));
    },
  });
}

/** Returns a part of a list, with the number of all its records if they are counted. */
export function pageReply<V>(body: V[], total?: number) {
  return { ...reply(200, body), headers: total === undefined ? {} : { 'X-Total-Count': String(total) } };
}

/** Creates the operation that returns one record of any partner as the list shows it. */
export function detailsOperation<R extends Row, V>(
  id: string,
  kind: string,
  { path, shape, table, view }: RecordList<R, V>,
) {
  return operation({
    id,
    plane: 'control',
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Get a ${kind}, as the list shows it`,
    fidelity: assumed('control-records'),
    responses: { 200: shape },
    run({ state, linkOrigin, params }) {
      // The path is not a literal, so that its parameter is not known to the compiler.
      const { id: recordId } = params as { readonly id: string };
      return reply(200, view(state, table(state).existing(recordId), linkOrigin()));
    },
  });
}

const ROWS_PER_STEP = 10;

/** Rows that a search reads after an exact match, which is nearly always what was searched for. */
const ROWS_BESIDE_EXACT = 5_000;

interface Search<R extends Row> {
  readonly state: WorldState;
  readonly table: Pick<Table<R>, 'get' | 'sequenceOf'>;
  /** Returns the rows to search, in the order of creation. A list is valid until the next write. */
  readonly rows: () => RowList<R>;
  /** Rows that an index finds by the whole text. They come first. */
  readonly exact: readonly R[];
  readonly matches: (row: R) => boolean;
  readonly max: number;
  /** Aborted when the caller is gone, which ends the search. */
  readonly signal: AbortSignal;
}

/**
 * Returns the rows that match, as they are when the search ends. Rows may be changed or deleted between its steps. Throws a
 * 409 when the world is replaced.
 */
export function* searchRows<R extends Row>(search: Search<R>): Steps<R[]> {
  const { state, table, rows, exact, matches, max, signal } = search;
  const found = new Set(exact.map(({ id }) => id));
  let left = exact.length === 0 ? Number.POSITIVE_INFINITY : ROWS_BESIDE_EXACT;
  let last = Number.POSITIVE_INFINITY;
  while (left > 0 && found.size < max) {
    const list = rows();
    const next = firstOf(list.newestFirst(list.since(last).length), ROWS_PER_STEP);
    if (next.length === 0) break;
    for (const row of next) {
      if (found.size >= max) break;
      last = table.sequenceOf(row.id) ?? last;
      if (matches(row)) found.add(row.id);
    }
    left -= next.length;
    yield;
    if (state.ended.aborted) throw replaced();
    if (signal.aborted) return [];
  }
  return [...found].slice(0, max).flatMap(id => table.get(id) ?? []);
}

function replaced(): ApiError {
  const message = 'the sandbox was reset or stopped during the search; send the request again';
  return new ApiError(409, assumed('control-records'), message);
}

/** Whether a member of an object or array, at any depth, contains the lower-case text. Skips members named `hidden`. */
export function containsText(members: object, text: string, hidden: string): boolean {
  // Unlike Object.values, this creates nothing for each row.
  for (const name in members) {
    if (name === hidden) continue;
    const value: unknown = members[name as keyof typeof members];
    if (typeof value === 'string') {
      if (value.toLowerCase().includes(text)) return true;
    } else if (typeof value === 'object' && value !== null && containsText(value, text, hidden)) return true;
  }
  return false;
}
