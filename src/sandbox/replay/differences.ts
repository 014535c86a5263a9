import { shorten } from '../../core/values/text.ts';

const MAX_NAMED = 8;

/** Returns the members in which two texts of JSON differ, with both values; other texts differ as a whole. */
export function differingMembers(recorded: string, played: string): string[] {
  const [before, now] = [recorded, played].map(parse);
  const found = [...differences('body', before, now)];
  const rest = found.length - MAX_NAMED;
  return rest > 0 ? [...found.slice(0, MAX_NAMED), `${rest} more members`] : found;
}

function* differences(path: string, before: unknown, now: unknown): Generator<string> {
  if (isNested(before) && isNested(now) && Array.isArray(before) === Array.isArray(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    for (const name of names)
      yield* differences(`${path}.${name}`, memberOf(before, name), memberOf(now, name));
  } else if (before !== now) {
    yield `${path}: ${shown(before)} recorded, ${shown(now)} now`;
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value));
}
