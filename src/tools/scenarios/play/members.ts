import { valueAt } from './matching.ts';

/** A value in a body, under its dotted name. */
export type Member = readonly [name: string, value: unknown];

/** Returns every value of a body that is not an object, under its dotted name. */
export function flatten(value: unknown, prefix = ''): Member[] {
  const isNested = typeof value === 'object' && value !== null;
  const entries = isNested ? Object.entries(value) : [];
  if (entries.length === 0) return prefix === '' ? [] : [[prefix, value]];
  const isList = Array.isArray(value);
  return entries.flatMap(([name, member]) => {
    const joined = isList ? `${prefix}[${name}]` : prefix === '' ? name : `${prefix}.${name}`;
    return flatten(member, joined);
  });
}

/** Returns the members of a body that the step expects, or all members when it expects none. */
export function selectMembers(body: unknown, expectedPaths: readonly string[]): Member[] {
  if (expectedPaths.length === 0) return flatten(body);
  return expectedPaths.map(path => [path, valueAt(body, path)] as const);
}

/** Returns the members of a response that matter: those of the error of a refusal, otherwise those that the step expects. */
export function responseMembers(status: number, body: unknown, expectedPaths: readonly string[]): Member[] {
  const isRefusal = status >= 400 && typeof body === 'object' && body !== null && 'error' in body;
  return isRefusal ? flatten({ error: body.error }) : selectMembers(body, expectedPaths);
}

/** Formats a value for people: a text without quotes, anything else as JSON. */
export function memberText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `a list of ${value.length}`;
  return JSON.stringify(value) ?? '';
}
