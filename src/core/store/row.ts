import * as z from 'zod';

/** An id of a record, or a reference to one. */
export const StoredId = z.string().min(1);

/** A timestamp as rows store it, in milliseconds and UTC: `2026-01-31T12:00:00.000Z`. */
export const StoredTime = z.iso.datetime({
  precision: 3,
  error: 'must be a timestamp such as 2026-01-31T12:00:00.000Z',
});

/** An amount as rows store it: whole hundredths. */
export const StoredAmount = z.int().min(0);

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

/** The schema of a table's rows. It is built when it is first needed: only state documents are checked with it. */
export type RowSchema<R extends z.ZodType> = () => R;

/** The type of the rows of a row schema, or of a part of one. Rows are immutable. */
export type RowOf<S extends z.ZodType | RowSchema<z.ZodType>> = ReadonlyDeep<
  S extends z.ZodType ? z.output<S> : S extends RowSchema<infer R> ? z.output<R> : never
>;

/**
 * The schema of a table's rows: the ids of the record and of its partner, and the members. State documents are
 * validated with it, so it must transform nothing and declare every member.
 */
export function rowSchema<const Members extends z.ZodRawShape>(members: () => Members) {
  const build = () => z.strictObject({ id: StoredId, partnerId: StoredId, ...members() });
  let built: ReturnType<typeof build> | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
