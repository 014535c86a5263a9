import { programs } from '../data/store.ts';
import type { Field } from '../ui/input.tsx';

/** Returns the field that selects a card program. */
export function programField(initial?: string | null): Field {
  return {
    name: 'cardProgramId',
    label: 'Card program',
    kind: 'choice',
    initial: initial ?? '',
    // The first program comes first: it is the default of the API too. The list has the newest first.
    choices: (programs.rows.value ?? [])
      .toReversed()
      .toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
      .map(
        ({ id, name, status }) => [id, `${name} (${id})${status === 'active' ? '' : `, ${status}`}`] as const,
      ),
  };
}
