import * as z from 'zod';
import type { Table } from './table.ts';
import type { Row } from './table-definition.ts';

/** A whole number in a query, within bounds that `rule` names. */
export function wholeNumber(least: number, most: number, rule: string) {
  return (
    z
      .string()
      .refine(text => /^\d{1,15}$/.test(text), rule)
      .transform(Number)
      .pipe(z.number().min(least, rule).max(most, rule))
      // What stands in the query is a text; what it has to say is a number.
      .meta({ type: 'integer', minimum: least, maximum: most })
  );
}

/** The two paging parameters of every list (interface section 8): `page` from 1, `limit` from 1 to 100. */
export const pagingQuery = {
  page: wholeNumber(1, 1e15, 'must be a whole number from 1 up')
    .default(1)
    .meta({ description: 'Page number, counted from 1.', default: 1 }),
  limit: wholeNumber(1, 100, 'must be a whole number from 1 to 100')
    .default(20)
    .meta({ description: 'Rows on a page.', default: 20 }),
} as const;

/** The paginated list wrapper of interface section 2.7 around items of the given schema; `Card` makes it a `CardPage`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  const id = item.meta()?.id;
  const page = z.strictObject({
    data: z.array(item).describe('Newest first.'),
    total: z.int().min(0).describe('Rows that match, on all pages.'),
    page: z.int().min(1),
    limit: z.int().min(1),
  });
  return id === undefined ? page : page.meta({ id: `${id}Page` });
}

interface Paging {
  readonly page: number;
  readonly limit: number;
}

/**
 * One page of the rows behind `ids` (oldest first), newest first, each through `view`. Without `matches`
 * only the rows of the page are looked at; with it, all are, because the total needs them.
 */
export function paginate<R extends Row, U extends string, G extends string, V>(
  table: Table<R, U, G>,
  ids: readonly string[],
  { page, limit }: Paging,
  view: (row: R) => V,
  matches?: (row: R) => boolean,
): { data: V[]; total: number; page: number; limit: number } {
  const data: V[] = [];
  const start = (page - 1) * limit;
  if (matches === undefined) {
    for (let index = ids.length - 1 - start; index >= 0 && data.length < limit; index--) {
      data.push(view(rowAt(table, ids, index)));
    }
    return { data, total: ids.length, page, limit };
  }
  let total = 0;
  for (let index = ids.length - 1; index >= 0; index--) {
    const row = rowAt(table, ids, index);
    if (!matches(row)) continue;
    if (total >= start && data.length < limit) data.push(view(row));
    total += 1;
  }
  return { data, total, page, limit };
}

function rowAt<R extends Row, U extends string, G extends string>(
  table: Table<R, U, G>,
  ids: readonly string[],
  index: number,
): R {
  return table.existing(ids[index] ?? '');
}
