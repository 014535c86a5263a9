import { redactData } from '../../kernel/journal/redact.ts';
import { parseTimestamp } from '../../kernel/values/timestamp.ts';

/** Where something is not as expected: the member, what was expected of it, and what it is, in words. */
export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

const LONGEST = 200;

/** What `<name>` stands for in an expectation. */
export const MATCHERS: Readonly<Record<string, { readonly words: string; fits(value: unknown): boolean }>> = {
  any: { words: 'anything', fits: value => value !== undefined },
  string: { words: 'a text', fits: value => typeof value === 'string' && value !== '' },
  number: { words: 'a number', fits: value => typeof value === 'number' },
  boolean: { words: 'true or false', fits: value => typeof value === 'boolean' },
  list: { words: 'a list', fits: value => Array.isArray(value) },
  object: { words: 'an object', fits: isObject },
  time: {
    words: 'an ISO 8601 timestamp',
    fits: value => typeof value === 'string' && parseTimestamp(value) !== null,
  },
  absent: { words: 'nothing', fits: value => value === undefined },
};

/** The name in a text such as `<time>`; null for any other text. */
export function matcherName(text: string): string | null {
  return /^<(\w+)>$/.exec(text)?.[1] ?? null;
}

/** The regular expression that a text such as `/^card_/` stands for; null for any other text. Throws when it is none. */
export function regexIn(text: string): RegExp | null {
  const source = /^\/(.+)\/$/s.exec(text)?.[1];
  return source === undefined ? null : new RegExp(source, 'u');
}

/**
 * Where a value is not as expected. Of objects only the members that are named count; lists must be equally
 * long. Texts may be matchers such as `<time>` or regular expressions such as `/^card_/`.
 */
export function differences(expected: unknown, got: unknown, path: string): Difference[] {
  if (typeof expected === 'string') return ofText(expected, got, path);
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

/** The value at a path such as `body.data[0].id`; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split(/\.|\[(\d+)\]/).filter(each => each !== undefined && each !== '')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

function ofText(expected: string, got: unknown, path: string): Difference[] {
  const matcher = MATCHERS[matcherName(expected) ?? ''];
  const regex = matcher === undefined ? regexIn(expected) : null;
  if (matcher !== undefined) {
    return matcher.fits(got) ? [] : [{ path, expected: matcher.words, got: inWords(path, got) }];
  }
  if (regex === null) return expected === got ? [] : [difference(path, expected, got)];
  const fits = typeof got === 'string' && regex.test(got);
  return fits ? [] : [{ path, expected: `a text that fits ${expected}`, got: inWords(path, got) }];
}

function difference(path: string, expected: unknown, got: unknown): Difference {
  return { path, expected: inWords(path, expected), got: inWords(path, got) };
}

/** A value as a report tells it: as JSON, secrets masked, not too long. */
function inWords(path: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  const name = /(\w+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  const masked = Object.values(redactData({ [name]: value }) as Record<string, unknown>)[0];
  const text = JSON.stringify(masked);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
