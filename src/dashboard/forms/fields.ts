import { programs } from '../data/store.ts';
import type { Field, Values } from '../ui/form.tsx';

export function numberIn(values: Values, name: string): number | undefined {
  const text = values[name] ?? '';
  return text === '' ? undefined : Number(text);
}

/** Returns the numbers in the named fields, without those that are empty. */
export function numbersIn(values: Values, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.flatMap(name => (values[name] ? [[name, Number(values[name])]] : [])));
}

/** Returns the texts in the named fields, without those that are empty. */
export function textsIn(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap(name => (values[name] ? [[name, values[name]]] : [])));
}

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
