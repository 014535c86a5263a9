/** A record as the journal has it before or after a request; null when there was none. */
export type RecordState = Readonly<Record<string, unknown>> | null | undefined;

/** A member that a request changed, by its path: `limits.limit`. Undefined where the record lacks the member. */
export interface ChangedMember {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the members that differ between two states of a record, in the order in which they are stored. */
export function changedMembers(before: RecordState, after: RecordState): readonly ChangedMember[] {
  const [old, current] = [leaves(before), leaves(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map(path => ({ path, before: old.get(path), after: current.get(path) }))
    .filter(each => JSON.stringify(each.before) !== JSON.stringify(each.after));
}

/** The members of a record without members of their own, by path. */
function leaves(value: unknown, path = ''): Map<string, unknown> {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isBranch) return new Map(path === '' ? [] : [[path, value]]);
  const members = Object.entries(value);
  if (members.length === 0 && path !== '') return new Map([[path, value]]);
  return new Map(
    members.flatMap(([name, member]) => [...leaves(member, path === '' ? name : `${path}.${name}`)]),
  );
}
