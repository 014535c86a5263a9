import * as z from 'zod';
import type { AssumptionValues } from '../values/setting.ts';
import type { RowList } from './persistent/row-list.ts';

/** Stands for every larger number, where there is no limit: beyond it numbers are not exact. */
const MOST = 1e15;

/** A whole number in a query, from `min` to `max`; without `max` of any length. */
export function wholeNumber(min: number, max = MOST) {
  const rule = `must be a whole number from ${min} ${max === MOST ? 'up' : `to ${max}`}`;
  return (
    z
      .string()
      .refine(text => /^\d+$/.test(text), rule)
      .transform(text => Math.min(Number(text), MOST))
      .pipe(z.number().min(min, rule).max(max, rule))
      // A query parameter is a string; the documented type is the number.
      .meta({ type: 'integer', minimum: min, maximum: max })
  );
}

/** As `wholeNumber`, of a parameter that may be left out and then has the value `initial`. */
export function optionalNumber(initial: number, description: string, min: number, max = MOST) {
  // The schema of a converted text does not have the default by itself.
  return wholeNumber(min, max).default(initial).meta({ description, default: initial });
}

/** The two paging parameters of every list (interface section 8): `page` from 1, `limit` from 1 to 100. */
export const pagingQuery = {
  page: optionalNumber(1, 'Page number, counted from 1. One above the maximum counts as the maximum.', 1),
  limit: optionalNumber(20, 'Rows on a page.', 1, 100),
} as const;

/** The schema of a page of items (interface section 2.7). Items with the id `Card` give a `CardPage`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({
      data: z.array(item).describe('Newest first, unless the setting `list-order` says otherwise.'),
      total: z.int().min(0).describe('Rows that match, on all pages.'),
      page: z.int().min(1),
      limit: z.int().min(1),
    })
    .meta({ id: `${item.meta()?.id}Page` });
}

interface Paging {
  readonly page: number;
  readonly limit: number;
}

/**
 * Returns one page of a list in the order of the world, each row mapped by `view`. Without `matches`, reads only the
 * rows of the page; with it, reads the whole list, which has to be a short one.
 */
export function paginate<R, V>(
  { assumptions }: { readonly assumptions: AssumptionValues },
  list: RowList<R>,
  { page, limit }: Paging,
  view: (row: R) => V,
  matches?: (row: R) => boolean,
): { data: V[]; total: number; page: number; limit: number } {
  const start = (page - 1) * limit;
  const isOldestFirst = assumptions['list-order'] === 'oldest';
  const rowsOf = (rows: RowList<R>, skip: number) =>
    isOldestFirst ? rows.oldestFirst(skip) : rows.newestFirst(skip);
  if (matches !== undefined) {
    const found = [...rowsOf(list, 0)].filter(matches);
    return { data: found.slice(start, start + limit).map(view), total: found.length, page, limit };
  }
  const data: V[] = [];
  for (const row of rowsOf(list, start)) {
    data.push(view(row));
    if (data.length === limit) break;
  }
  return { data, total: list.length, page, limit };
}
