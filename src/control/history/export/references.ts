import { namesSecret } from '../../../core/redaction/redact.ts';

/** A reference to a variable. */
export class Reference {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A text of a request that is sent again: what is sent as it is, and references to variables. */
export type Parts = readonly (string | Reference)[];

/** A value from a response: where it stands, and the variable that holds it, once a later request needs it. */
export interface Source {
  /** Index of the step with the response. */
  readonly step: number;
  /** Path in the response, such as `body.data[0].id`. */
  readonly path: string;
  /** The name of the last member of the path. */
  readonly member: string;
}

/** Members whose values refer to records or give access. */
const REFERENCE = /^(?:id|\w+Id|token|\w+Token|apiKey)$/;

/** The values in responses that later requests may refer to. A value that a request brought in is none. */
export class References {
  readonly #sources = new Map<string, Source>();
  readonly #brought = new Set<string>();

  /** Returns the response that a value came from, or undefined. */
  find(value: string): Source | undefined {
    return this.#sources.get(value);
  }

  /** Notes the texts of a request: they did not come from a later response. */
  noteRequest(texts: Iterable<string>): void {
    for (const text of texts) this.#brought.add(text);
  }

  /** Notes the values in a response to refer to. */
  noteResponse(step: number, body: unknown): void {
    for (const { text, path, member } of textsIn(body, 'body')) {
      if (!REFERENCE.test(member) || this.#brought.has(text) || this.#sources.has(text)) continue;
      this.#sources.set(text, { step, path, member });
    }
  }
}

/** A text in a JSON value. */
export interface FoundText {
  readonly text: string;
  readonly path: string;
  /** The name of the innermost member that contains it. */
  readonly member: string;
}

/** Yields the texts in a JSON value with their paths. Members whose names are not words have no path and are left out. */
export function* textsIn(value: unknown, path: string, member = ''): Generator<FoundText> {
  if (typeof value === 'string') yield { text: value, path, member };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, `${path}[${index}]`, member);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (/^\w+$/.test(name)) yield* textsIn(item, `${path}.${name}`, name);
    }
  }
}

/** Returns a JSON value with everything in it but lists and objects replaced by what `replace` returns for it. */
export function mapValues(
  value: unknown,
  replace: (value: unknown, member: string) => unknown,
  member = '',
): unknown {
  if (Array.isArray(value)) return value.map(item => mapValues(item, replace, member));
  if (typeof value !== 'object' || value === null || value instanceof Reference)
    return replace(value, member);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapValues(item, replace, name)]),
  );
}

/** Whether a member of a request holds a secret, such as `webhookSecret` or `cvv`. A token refers to a record. */
export function isOwnSecret(member: string): boolean {
  return namesSecret(member) && !/token$/i.test(member);
}

/** Whether the secret of a member is one of the sandbox, such as a key, and not data of a card or a person. */
export function isSandboxSecret(member: string): boolean {
  return /secret$|api_?key$/i.test(member);
}

/** Returns the parsed text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names of variables for ids, by their prefix. */
const BY_PREFIX: Readonly<Record<string, string>> = {
  ch: 'cardholder',
  card: 'card',
  prog: 'cardProgram',
  txn: 'transaction',
  evt: 'event',
  use: 'usage',
  kycs: 'kycSession',
  tds: 'challenge',
  flt: 'fault',
  partner: 'partner',
};

/** Gives variables names that say what they hold: `cardholder`, `card2`, `apiKey`. */
export class VariableNames {
  readonly #used = new Map<string, number>();

  /** Returns a new name for a value, by the prefix of an id or else by the member that holds it. */
  next(value: string, member: string): string {
    const base =
      BY_PREFIX[/^([a-z]+)_/.exec(value)?.[1] ?? ''] ?? (/^[A-Za-z]\w*$/.test(member) ? member : 'value');
    const count = (this.#used.get(base) ?? 0) + 1;
    this.#used.set(base, count);
    return count === 1 ? base : `${base}${count}`;
  }
}
