import type { HintContext } from '../operation/operation.ts';
import type { AnyTable } from '../store/table-definition.ts';
import { shorten } from '../values/text.ts';

export const SPACE_SLIP = 'has a space, which is what a + in a query means; encode + as %2B';

/** How else a client may have meant the value of a filter, each with what it got wrong. */
const SLIPS: readonly { readonly intended: (value: string) => string; readonly slip: string }[] = [
  { intended: value => value.trim(), slip: 'has white space at an end' },
  { intended: value => value.replaceAll(' ', '+'), slip: SPACE_SLIP },
  { intended: value => value.toLowerCase(), slip: 'is compared with regard to case' },
  { intended: value => value.toUpperCase(), slip: 'is compared with regard to case' },
];

/** A filter by a text that one record at most has. */
interface TextFilter {
  /** The name of the parameter. */
  readonly name: string;
  readonly value: string | undefined;
  /** Whether a record has a text. */
  readonly isKnown: (text: string) => boolean;
  /** Returns why no record can have the text, or null. */
  readonly problem?: (text: string) => string | null;
}

/** Returns a hint about a filter that matches nothing because of its spelling, if it does. */
export function textFilterHints({ name, value, isKnown, problem }: TextFilter): string[] {
  if (value === undefined || isKnown(value)) return [];
  const parameter = `query.${name}`;
  if (value === '') return [`${parameter} is empty, so nothing can match; leave it out`];
  for (const { intended, slip } of SLIPS) {
    const other = intended(value);
    if (other === value || !isKnown(other)) continue;
    return [`${parameter} ${slip}, so nothing matches; ${JSON.stringify(shorten(other))} would`];
  }
  if (value !== value.trim()) return [`${parameter} has white space at an end, so nothing can match`];
  const reason = problem?.(value) ?? null;
  return reason === null ? [] : [`${parameter} ${reason}, so nothing can match`];
}

/** Returns a hint about a filter by the id of a record that the partner does not have, if it has none. */
export function idFilterHints(
  { state, partner, otherWorld }: HintContext,
  name: string,
  value: string | undefined,
  table: AnyTable,
): string[] {
  const ownerOf = (id: string) => state.anyTable(table).get(id)?.partnerId;
  return textFilterHints({
    name,
    value,
    isKnown: id => ownerOf(id) === partner.id,
    problem(id) {
      const owner = ownerOf(id);
      if (owner === undefined) {
        const world = otherWorld(other => other.anyTable(table).get(id) !== undefined);
        return world === null
          ? `is the id of no ${table.kind}`
          : `is the id of a ${table.kind} that belongs to world ${world}, and the request has a key of another one`;
      }
      return `is the id of a ${table.kind} of ${owner}, and the request has the key of ${partner.id}`;
    },
  });
}
