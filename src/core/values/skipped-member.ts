/** The name of a member that schemas skip: a value with it would be used without having been checked. */
const SKIPPED = '__proto__';

/** Returns the path of a member that schemas skip, anywhere in a JSON value, or null. The value must not be nested too deeply. */
export function skippedMember(value: unknown): readonly (string | number)[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, SKIPPED)) return [SKIPPED];
  for (const [name, member] of Object.entries(value)) {
    const path = skippedMember(member);
    if (path !== null) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return null;
}
