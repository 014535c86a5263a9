import { MAX_DEPTH } from './depth.ts';
import { capitalize } from './text.ts';

/** A partner's own names for the neutral names of the interface: those with a vendor name in headers, fields and values. */
export interface Names {
  /** For `service` in header names: `x-service-api-key`, `X-Service-Event`, `X-Service-Signature`. */
  readonly service?: string | undefined;
  /** For `idp1` in the field `idp1ShareToken`, as a value of `kycSource`, and in magic tokens `idp1_test_…`. */
  readonly idp1?: string | undefined;
  /** For `idp2`, in the same places. */
  readonly idp2?: string | undefined;
}

/** Translates requests and responses between the neutral names and the names of one partner. */
export interface NameTranslator {
  /** Translates the names of the headers of a request to the neutral ones. */
  neutralHeaders<T>(headers: Readonly<Record<string, T>>): Record<string, T>;
  toNeutral<T>(value: T): T;
  toPartner<T>(value: T): T;
  /** Translates text of the sandbox, such as a message or a description, to the partner's names. */
  text(text: string): string;
}

/**
 * With this header set to `neutral`, a request and its response use the neutral names, and filters their default names.
 * In lower case.
 */
export const NEUTRAL_HEADER = 'x-sandbox-names';
/** The neutral names that a partner can replace. */
export const NEUTRAL_NAMES = ['service', 'idp1', 'idp2'] as const;

const HEADER_TOKEN = /^[a-z](?:[a-z\d-]*[a-z\d])?$/i;
const IDENTIFIER = /^[a-z][a-z\d]*$/i;
/** The other values of `kycSource`, which a provider's name must differ from. */
const RESERVED = ['api', 'web'];
const MAX_NAME_LENGTH = 40;

const HEADER = /^(x-)(.+)(-(?:api-key|event|signature))$/i;
const TOKEN_FIELD = /^([a-z][a-z\d]*)(ShareToken)$/i;
const MAGIC_TOKEN = /^([a-z][a-z\d]*)(_test_(?:approve|reject|manual)_.*)$/is;
const SOURCE_FIELD = 'kycSource';

/** The requirement that a name breaks, to follow "must", or null when the name is valid. */
export function nameProblem(neutral: (typeof NEUTRAL_NAMES)[number], names: Names): string | null {
  const name = names[neutral];
  if (name === undefined) return null;
  if (name.length > MAX_NAME_LENGTH) return `be at most ${MAX_NAME_LENGTH} characters long`;
  if (neutral === 'service') {
    return HEADER_TOKEN.test(name)
      ? null
      : 'be valid in a header name: letters, digits and -, starting with a letter';
  }
  if (!IDENTIFIER.test(name)) return 'be valid in a field name: letters and digits, starting with a letter';
  if (RESERVED.includes(name.toLowerCase()))
    return `not be ${RESERVED.join(' or ')}, which are other values of kycSource`;
  const other = neutral === 'idp1' ? 'idp2' : 'idp1';
  return name.toLowerCase() === (names[other] ?? other).toLowerCase()
    ? `differ from the name of ${other}`
    : null;
}

/** Creates the translator for valid names; null when they are the neutral ones. */
export function createNameTranslator(names: Names): NameTranslator | null {
  const hasNames = NEUTRAL_NAMES.some(neutral => (names[neutral] ?? neutral) !== neutral);
  return hasNames ? translatorFor(names) : null;
}

/** Returns a function that translates the name of a header to a partner's own. */
export function createHeaderTranslator(names: Names): (header: string) => string {
  const translator = createNameTranslator(names);
  return header => translator?.text(header) ?? header;
}

/** Replaces the neutral names in all texts of a JSON value with a partner's own. */
export function translateTexts<T>(value: T, names: Names): T {
  const translator = createNameTranslator(names);
  // Names are letters, digits and hyphens, so that the result is JSON of the same shape.
  return translator === null ? value : (JSON.parse(translator.text(JSON.stringify(value))) as T);
}

function translatorFor(names: Names): NameTranslator {
  const service = bijection([['service', (names.service ?? 'service').toLowerCase()]]);
  const providers = bijection([
    ['idp1', names.idp1 ?? 'idp1'],
    ['idp2', names.idp2 ?? 'idp2'],
  ]);
  const providerName = (neutral: string) => providers.toPartner.get(neutral) ?? neutral;
  const serviceName = (neutral: string) => inCaseOf(neutral, names.service ?? 'service');
  return {
    neutralHeaders: headers =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [replaceName(HEADER, name, service.toNeutral), value]),
      ),
    toNeutral: value => translate(value, providers.toNeutral),
    toPartner: value => translate(value, providers.toPartner),
    text: text =>
      text
        .replace(/(?<=\bx-)service(?=-(?:api-key|event|signature)\b)/gi, serviceName)
        .replace(/\b[a-z][a-z\d]*(?=ShareToken\b|_test_)/gi, providerName)
        .replace(/(?<![\w/@.-])idp[12](?![\w/@-]|\.\w)/g, providerName)
        .replace(/(?<=From)Idp[12]\b/g, neutral => capitalize(providerName(neutral.toLowerCase()))),
  };
}

/**
 * Both directions of a renaming. A word that equals one of the new names takes the neutral name that is free, so that
 * the mapping is one to one and translating back restores the original.
 */
function bijection(pairs: readonly (readonly [neutral: string, name: string])[]) {
  const toPartner = new Map(pairs);
  const toNeutral = new Map(pairs.map(([neutral, name]) => [name, neutral]));
  for (const [, name] of pairs) {
    if (toPartner.has(name)) continue;
    let free = name;
    for (let next = toNeutral.get(free); next !== undefined; next = toNeutral.get(free)) free = next;
    toPartner.set(name, free);
    toNeutral.set(free, name);
  }
  return { toPartner, toNeutral };
}

function translate<T>(value: T, names: ReadonlyMap<string, string>): T {
  // Only member names and strings change, so the result has the same type.
  return translateValue(value, names, MAX_DEPTH) as T;
}

function translateValue(value: unknown, names: ReadonlyMap<string, string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map(item => translateValue(item, names, depth - 1));
  // Without a prototype, so that a member that is named `constructor` is absent unless it is sent.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string')
      members[replaceName(TOKEN_FIELD, name, names)] = translateValue(member, names, depth - 1);
    else if (name === SOURCE_FIELD) members[name] = names.get(member) ?? member;
    else if (TOKEN_FIELD.test(name))
      members[replaceName(TOKEN_FIELD, name, names)] = replaceName(MAGIC_TOKEN, member, names);
    else members[name] = member;
  }
  return members;
}

function replaceName(pattern: RegExp, text: string, names: ReadonlyMap<string, string>): string {
  const [, first = '', second = '', third] = pattern.exec(text) ?? [];
  const [before, name, after] = third === undefined ? ['', first, second] : [first, second, third];
  const replacement = names.get(name);
  return replacement === undefined ? text : before + replacement + after;
}

/** A name in the case of the header it is part of: `x-acme-api-key`, but `X-Acme-Event`. */
function inCaseOf(neutral: string, name: string): string {
  if (neutral !== capitalize(neutral)) return name.toLowerCase();
  return name.split('-').map(capitalize).join('-');
}
