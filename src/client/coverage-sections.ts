import type { Coverage } from './generated/records.ts';

/** The conditions of a section of the interface: those of its operations, with all their refusals, and its others. */
export interface CoverageSection<C> {
  readonly section: string;
  readonly conditions: readonly C[];
}

/** Groups conditions by section, in the order of the interface. A refusal goes with its operation. */
export function coverageSections<C extends Pick<Coverage['conditions'][number], 'id' | 'kind' | 'section'>>(
  conditions: readonly C[],
): readonly CoverageSection<C>[] {
  const operationOf = ({ id }: C) => id.split(' ', 1)[0] ?? id;
  const sectionOf = new Map(
    conditions
      .filter(({ kind }) => kind === 'operation')
      .map(each => [operationOf(each), each.section] as const),
  );
  const sections = new Map<string, C[]>();
  for (const each of conditions) {
    const section = (each.kind === 'refusal' && sectionOf.get(operationOf(each))) || each.section;
    sections.set(section, [...(sections.get(section) ?? []), each]);
  }
  return [...sections]
    .map(([section, own]) => ({ section, conditions: own }))
    .sort((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }));
}
