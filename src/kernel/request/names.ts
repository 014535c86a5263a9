import type { ApiRequest } from './http.ts';

/** What stands for the neutral words of the interface: those that carry a maker's name, in headers, fields and values. */
export interface Names {
  /** In header names: `x-service-api-key`, `X-Service-Event`, `X-Service-Signature`. */
  readonly service?: string | undefined;
  /** In the field `idp1ShareToken`, the value `idp1` of `kycSource`, and magic tokens `idp1_test_…`. */
  readonly idp1?: string | undefined;
  /** The same for `idp2`. */
  readonly idp2?: string | undefined;
}

/** Says a request or an answer in the words of one partner instead of the neutral ones, and back. */
export interface NameTranslator {
  /** A request in neutral words: its header names. */
  neutralRequest(request: ApiRequest): ApiRequest;
  /** What was sent in JSON, in neutral words. */
  toNeutral<T>(value: T): T;
  /** What is to be sent in JSON, in the partner's words. */
  toPartner<T>(value: T): T;
  /** A text of the sandbox's own, such as a message or a description, in the partner's words. */
  text(text: string): string;
}

/** The header, in lower case, by whose value `neutral` our own tools stay with the neutral words. */
export const NEUTRAL_HEADER = 'x-sandbox-names';
/** The neutral words that can be given other names. */
export const NEUTRAL_NAMES = ['service', 'idp1', 'idp2'] as const;

const HEADER_TOKEN = /^[a-z](?:[a-z\d-]*[a-z\d])?$/i;
const IDENTIFIER = /^[a-z][a-z\d]*$/i;
/** Values of `kycSource` that no provider can be called. */
const TAKEN = ['api', 'web'];
const LONGEST_NAME = 40;

const HEADER = /^(x-)(.+)(-(?:api-key|event|signature))$/i;
const TOKEN_FIELD = /^([a-z][a-z\d]*)(ShareToken)$/i;
const MAGIC_TOKEN = /^([a-z][a-z\d]*)(_test_(?:approve|reject|manual)_.*)$/is;
const SOURCE_FIELD = 'kycSource';
/** Nothing of the interface is nested as deep; a body may be, deeper than any stack. */
const DEEPEST = 32;

/** What is wrong with a name, after "must"; null when nothing is. */
export function nameProblem(word: (typeof NEUTRAL_NAMES)[number], names: Names): string | null {
  const name = names[word];
  if (name === undefined) return null;
  if (name.length > LONGEST_NAME) return `be at most ${LONGEST_NAME} characters long`;
  if (word === 'service') {
    return HEADER_TOKEN.test(name) ? null : 'fit into a header name: letters, digits and -, a letter first';
  }
  if (!IDENTIFIER.test(name)) return 'fit into a field name: letters and digits, a letter first';
  if (TAKEN.includes(name.toLowerCase()))
    return `be neither ${TAKEN.join(' nor ')}, which are values of kycSource already`;
  const other = word === 'idp1' ? 'idp2' : 'idp1';
  return name.toLowerCase() === (names[other] ?? other).toLowerCase() ? `differ from that of ${other}` : null;
}

/** The words of a partner; null when they are the neutral ones. The names have no problem. */
export function createNameTranslator(names: Names): NameTranslator | null {
  const isNamed = NEUTRAL_NAMES.some(word => (names[word] ?? word) !== word);
  return isNamed ? partnerWords(names) : null;
}

function partnerWords(names: Names): NameTranslator {
  const service = exchange([['service', (names.service ?? 'service').toLowerCase()]]);
  const providers = exchange([
    ['idp1', names.idp1 ?? 'idp1'],
    ['idp2', names.idp2 ?? 'idp2'],
  ]);
  const said = (word: string) => providers.out.get(word) ?? word;
  const serviceSaid = (word: string) => inCaseOf(word, names.service ?? 'service');
  return {
    neutralRequest(request) {
      const headers: Record<string, ApiRequest['headers'][string]> = {};
      for (const [name, value] of Object.entries(request.headers)) {
        headers[replaced(HEADER, name, service.in)] = value;
      }
      return { ...request, headers };
    },
    toNeutral: value => translated(value, providers.in, DEEPEST),
    toPartner: value => translated(value, providers.out, DEEPEST),
    text: text =>
      text
        .replace(/(?<=\bx-)service(?=-(?:api-key|event|signature)\b)/gi, serviceSaid)
        .replace(/\b[a-z][a-z\d]*(?=ShareToken\b|_test_)/gi, said)
        .replace(/(?<![\w/@.-])idp[12](?![\w/@-]|\.\w)/g, said)
        .replace(/(?<=From)Idp[12]\b/g, word => capitalized(said(word.toLowerCase()))),
  };
}

/**
 * Both directions of giving some words the names of others. What had such a name before takes the word that is
 * left over, so that no two things are called the same and back is exactly where it came from.
 */
function exchange(pairs: readonly (readonly [word: string, name: string])[]) {
  const out = new Map(pairs);
  const back = new Map(pairs.map(([word, name]) => [name, word]));
  for (const [, name] of pairs) {
    if (out.has(name)) continue;
    let free = name;
    for (let word = back.get(free); word !== undefined; word = back.get(free)) free = word;
    out.set(name, free);
    back.set(free, name);
  }
  return { out, in: back };
}

function translated<T>(value: T, words: ReadonlyMap<string, string>, depth: number): T {
  // Only member names and texts change, so the result is of the same kind as the value.
  return translate(value, words, depth) as T;
}

function translate(value: unknown, words: ReadonlyMap<string, string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map(item => translate(item, words, depth - 1));
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (typeof member !== 'string')
      return [replaced(TOKEN_FIELD, name, words), translate(member, words, depth - 1)];
    if (name === SOURCE_FIELD) return [name, words.get(member) ?? member];
    const isToken = TOKEN_FIELD.test(name);
    return isToken
      ? [replaced(TOKEN_FIELD, name, words), replaced(MAGIC_TOKEN, member, words)]
      : [name, member];
  });
  return Object.fromEntries(members);
}

/** A text with the one word that the pattern finds in it exchanged. */
function replaced(pattern: RegExp, text: string, words: ReadonlyMap<string, string>): string {
  const [, first = '', second = '', third] = pattern.exec(text) ?? [];
  const [before, word, after] = third === undefined ? ['', first, second] : [first, second, third];
  const other = words.get(word);
  return other === undefined ? text : before + other + after;
}

/** A name as a header has it: `x-acme-api-key`, but `X-Acme-Event`. */
function inCaseOf(word: string, name: string): string {
  if (word !== capitalized(word)) return name.toLowerCase();
  return name.split('-').map(capitalized).join('-');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
