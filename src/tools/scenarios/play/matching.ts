import { redactData } from '../../../core/redaction/redact.ts';
import { parseTimestamp } from '../../../core/values/timestamp.ts';

/** A member that is not as expected, with both values as text. */
export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** The setting that may decide as the server did, as `--assume` takes it. */
  readonly setting?: string | undefined;
}

/** A value in a body, under its dotted name. */
export type Member = readonly [name: string, value: unknown];

const MAX_LENGTH = 200;

interface Matcher {
  readonly description: string;
  matches(value: unknown): boolean;
}

export const MATCHERS: Readonly<Record<string, Matcher>> = {
  any: { description: 'anything', matches: value => value !== undefined },
  string: { description: 'a text', matches: value => typeof value === 'string' && value !== '' },
  number: { description: 'a number', matches: value => typeof value === 'number' },
  boolean: { description: 'true or false', matches: value => typeof value === 'boolean' },
  list: { description: 'a list', matches: value => Array.isArray(value) },
  object: { description: 'an object', matches: isObject },
  time: {
    description: 'an ISO 8601 timestamp',
    matches: value => typeof value === 'string' && parseTimestamp(value) !== null,
  },
  absent: { description: 'nothing', matches: value => value === undefined },
};

/** Returns the name in a text such as `<time>`, or null for any other text. */
export function matcherName(text: string): string | null {
  return /^<(\w+)>$/.exec(text)?.[1] ?? null;
}

/** Returns the matcher with a name; never a member that every object has. */
export function matcherCalled(name: string | null) {
  return name !== null && Object.hasOwn(MATCHERS, name) ? MATCHERS[name] : undefined;
}

/** Returns the regular expression of a text such as `/^card_/`, or null for any other text. Throws when it is invalid. */
export function regexIn(text: string): RegExp | null {
  const source = /^\/(.+)\/$/s.exec(text)?.[1];
  return source === undefined ? null : new RegExp(source, 'u');
}

/**
 * Returns where a value is not as expected. Objects may have further members; lists must have the same length. Texts
 * may be matchers such as `<time>` or regular expressions such as `/^card_/`.
 */
export function differences(expected: unknown, got: unknown, path: string): Difference[] {
  if (typeof expected === 'string') return compareText(expected, got, path);
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return [difference(path, expected, got)];
    const items = expected.flatMap((item, index) => differences(item, got[index], `${path}[${index}]`));
    if (expected.length === got.length) return items;
    return [{ path, expected: `a list of ${expected.length}`, got: `a list of ${got.length}` }];
  }
  if (!isObject(expected)) return Object.is(expected, got) ? [] : [difference(path, expected, got)];
  if (!isObject(got)) return [difference(path, expected, got)];
  return Object.entries(expected).flatMap(([name, member]) =>
    differences(member, Object.hasOwn(got, name) ? got[name] : undefined, `${path}.${name}`),
  );
}

/** Returns the value at a path such as `body.data[0].id`, or undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split(/\.|\[(\d+)\]/).filter(each => each !== undefined && each !== '')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

function compareText(expected: string, got: unknown, path: string): Difference[] {
  const matcher = matcherCalled(matcherName(expected)) ?? patternIn(expected);
  if (matcher === undefined) return expected === got ? [] : [difference(path, expected, got)];
  return matcher.matches(got) ? [] : [{ path, expected: matcher.description, got: valueText(path, got) }];
}

/** Returns the matcher of a regular expression, in which values may have replaced variables. */
function patternIn(text: string): Matcher | undefined {
  try {
    const regex = regexIn(text);
    if (regex === null) return undefined;
    const matches = (value: unknown) => typeof value === 'string' && regex.test(value);
    return { description: `a text that matches ${text}`, matches };
  } catch {
    return { description: `a valid regular expression instead of ${text}`, matches: () => false };
  }
}

function difference(path: string, expected: unknown, got: unknown): Difference {
  return { path, expected: valueText(path, expected), got: valueText(path, got) };
}

export function differenceText({ path, expected, got, setting }: Difference): string {
  const maybe = setting === undefined ? '' : `; a setting may decide so: --assume ${setting}`;
  return `${path}: expected ${expected}, got ${got}${maybe}`;
}

/** Formats a value as JSON, with secrets masked, truncated to 200 characters. */
export function valueText(path: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  const name = /(\w+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  const masked = Object.values(redactData({ [name]: value }) as Record<string, unknown>)[0];
  const text = JSON.stringify(masked);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Cap on the levels that are told apart. What is nested deeper is compared as a whole. */
const MAX_DEPTH = 100;

/** Returns every value of a body that is not an object, under its dotted name. */
export function flatten(value: unknown, prefix = '', depth = 0): Member[] {
  const isNested = typeof value === 'object' && value !== null && depth < MAX_DEPTH;
  const entries = isNested ? Object.entries(value) : [];
  if (entries.length === 0) return prefix === '' ? [] : [[prefix, value]];
  const isList = Array.isArray(value);
  return entries.flatMap(([name, member]) => {
    const joined = isList ? `${prefix}[${name}]` : prefix === '' ? name : `${prefix}.${name}`;
    return flatten(member, joined, depth + 1);
  });
}

/** Returns the paths of all members of an expectation, in their order. */
export function pathsIn(expected: unknown): string[] {
  return flatten(expected).map(([path]) => path);
}

/** Returns the paths of the members of a body that a step expects or is about. */
export function pathsToShow(expected: unknown, about: readonly string[] = [], body: unknown): string[] {
  const named = about.filter(path => valueAt(body, path) !== undefined);
  return [...new Set([...pathsIn(expected), ...named])];
}

/** Returns the members of a body at some paths, or all members when there are none. */
export function selectMembers(body: unknown, paths: readonly string[]): Member[] {
  if (paths.length === 0) return flatten(body);
  return paths.map(path => [path, valueAt(body, path)] as const);
}

/** Returns the members of a response that matter: the error of a refusal, otherwise what the step shows. */
export function responseMembers(status: number, body: unknown, paths: readonly string[]): Member[] {
  const isRefusal = status >= 400 && typeof body === 'object' && body !== null && 'error' in body;
  return isRefusal ? flatten({ error: body.error }) : selectMembers(body, paths);
}

/** Formats a value for people: a text without quotes, anything else as JSON. */
export function memberText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `a list of ${value.length}`;
  return JSON.stringify(value) ?? '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
