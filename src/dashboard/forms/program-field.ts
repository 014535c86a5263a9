import { programs } from '../data/store.ts';
import type { Field } from '../ui/input.tsx';

/** Returns the field that selects a card program. */
export function programField(initial?: string | null): Field {
  return {
    name: 'cardProgramId',
    label: 'Card program',
    kind: 'choice',
    initial: initial ?? '',
    choices: (programs.rows.value ?? []).map(({ id, name }) => [id, `${name} (${id})`] as const),
  };
}
