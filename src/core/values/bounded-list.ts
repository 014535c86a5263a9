import * as z from 'zod';

export const MAX_LIST_ENTRIES = 1_000;

/** The length is checked before the entries, so that a long list costs no more to refuse than a short one. */
export function boundedList<S extends z.ZodType>(entry: S) {
  // The type declares what callers send; at run time it may be anything.
  return z.preprocess((value: z.input<z.ZodArray<S>>, context) => {
    if (!Array.isArray(value) || value.length <= MAX_LIST_ENTRIES) return value;
    context.addIssue({
      code: 'custom',
      message: `must have at most ${MAX_LIST_ENTRIES} items, has ${value.length}`,
    });
    return z.NEVER;
  }, z.array(entry).max(MAX_LIST_ENTRIES));
}
