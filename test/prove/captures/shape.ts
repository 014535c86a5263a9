import type { Json } from '../../support/sandbox.ts';

/**
 * Returns how the shapes of two JSON values differ: members, types, and the codes of errors. Null matches any value, and
 * an empty list any list.
 */
export function differences(recorded: Json, actual: Json, path = 'body'): readonly string[] {
  if (recorded === null || actual === null) return [];
  const [before, now] = [typeOf(recorded), typeOf(actual)];
  if (before !== now) return [`${path} was ${before} and is ${now}`];
  if (Array.isArray(recorded)) {
    return recorded.length === 0 || actual.length === 0
      ? []
      : differences(recorded[0], actual[0], `${path}[0]`);
  }
  if (typeof recorded !== 'object') {
    const isCode = path.endsWith('error.code') && recorded !== actual;
    return isCode ? [`${path} was ${recorded} and is ${actual}`] : [];
  }
  const names = Object.keys(recorded);
  const missing = names.filter(name => !(name in actual)).map(name => `${path}.${name} is missing`);
  const added = Object.keys(actual)
    .filter(name => !(name in recorded))
    .map(name => `${path}.${name} is new`);
  const inside = names.flatMap(name =>
    name in actual ? differences(recorded[name], actual[name], `${path}.${name}`) : [],
  );
  return [...missing, ...added, ...inside];
}

function typeOf(value: Json): string {
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`;
}
