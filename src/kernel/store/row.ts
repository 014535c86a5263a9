import * as z from 'zod';

/** An id of a record, or a reference to one. */
export const StoredId = z.string().min(1);

/** A moment in the form in which rows keep it, to the millisecond and in UTC: `2026-01-31T12:00:00.000Z`. */
export const StoredTime = z.iso.datetime({
  precision: 3,
  error: 'must be a timestamp such as 2026-01-31T12:00:00.000Z',
});

/** An amount in the form in which rows keep it: whole hundredths. */
export const StoredAmount = z.int().min(0);

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

/** The type of the rows that a row schema describes; nothing of a row is ever changed in place. */
export type RowOf<S extends z.ZodType> = ReadonlyDeep<z.output<S>>;

/**
 * The schema of a table's rows: what every record has (its id and its partner's), and the given members.
 * State documents are checked with it, so it transforms nothing and knows every member.
 */
export function rowSchema<const Members extends z.ZodRawShape>(members: Members) {
  return z.strictObject({ id: StoredId, partnerId: StoredId, ...members });
}
