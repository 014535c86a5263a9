/**
 * How deep JSON and YAML from clients, files and receivers may be nested; an object of plain members is 1 deep. It is
 * checked where the data enters, so that recursion over it stays far below the depth of the stack.
 */
export const MAX_DEPTH = 100;

export const DEPTH_RULE = `must be nested at most ${MAX_DEPTH} deep`;

/** Whether a value of JSON is nested deeper than `max`. Iterative, because it may be nested deeper than the stack. */
export function isTooDeep(value: unknown, max = MAX_DEPTH): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (!isNested(value)) continue;
    if (depth > max) return true;
    for (const member of Object.values(value))
      if (isNested(member)) open.push({ value: member, depth: depth + 1 });
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
