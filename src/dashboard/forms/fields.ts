import { programs } from '../data/store.ts';
import type { Field } from '../ui/form.tsx';

export function plainChoices(values: readonly string[]): (readonly [value: string, label: string])[] {
  return values.map(value => [value, value]);
}

export function programField(initial?: string | null): Field {
  return {
    name: 'cardProgramId',
    label: 'Card program',
    kind: 'choice',
    initial: initial ?? '',
    // The first program comes first: it is the default of the API too. The list has the newest first.
    choices: (programs.data.value ?? [])
      .toReversed()
      .toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
      .map(
        ({ id, name, status }) => [id, `${name} (${id})${status === 'active' ? '' : `, ${status}`}`] as const,
      ),
  };
}
