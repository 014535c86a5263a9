import { apiKeys, partners } from '../../../core/access/partners.ts';
import { maskCardNumbers } from '../../../core/redaction/card-numbers.ts';
import { percentDecode, redactText } from '../../../core/redaction/redact.ts';
import type { NameTranslator } from '../../../core/values/names.ts';
import type { HistoryEntry } from '../history.ts';
import { callOf, type RecordedCall } from './recorded-call.ts';
import {
  isOwnSecret,
  isSandboxSecret,
  mapValues,
  parseJson,
  References,
  textsIn,
  VariableNames,
} from './references.ts';

/**
 * One step of a replay: a request with variables, or only a text. A reference to a variable is its name between two
 * characters that no text has, so that a format can tell it from the same text in a request.
 */
export interface ReplayStep {
  readonly entry: HistoryEntry;
  readonly summary: string;
  /** Null for what only a person can repeat. */
  readonly call: RecordedCall | null;
  /** The path and query with variables. */
  readonly target: string;
  /** The body with variables: a JSON value, or a text that is sent unchanged; undefined for none. */
  readonly body: unknown;
  /** The variable with the key; null for a request without one, and `own` for the key of the replay's partner. */
  readonly key: { readonly variable: string } | 'own' | null;
  /** Paths in the response by variable. */
  readonly captures: Map<string, string>;
}

/** A history as requests that can be sent again. */
export interface Replay {
  /** The partner whose key most requests have; null when there is none. */
  readonly partnerId: string | null;
  /** Keys that partners had at the start: their index among the partners, by variable. */
  readonly initialKeys: ReadonlyMap<string, number>;
  /** Secrets that requests brought in, by variable. */
  readonly variables: ReadonlyMap<string, string>;
  readonly steps: readonly ReplayStep[];
}

/** Turns entries into requests in which values from responses, keys and secrets are variables. */
export function replayOf(entries: readonly HistoryEntry[], names: NameTranslator | null): Replay {
  const builder = new ReplayBuilder(entries, names);
  for (const entry of entries) builder.add(entry);
  return builder.replay;
}

const [OPEN, CLOSE] = ['\uFDD0', '\uFDD1'];
const REFERENCE = new RegExp(`${OPEN}(\\w+)${CLOSE}`);

/** Writes a text of a replay: its references by `reference`, what is between them by `literal`. */
export function renderText(
  text: string,
  literal: (text: string) => string,
  reference: (name: string) => string,
): string {
  return text
    .split(REFERENCE)
    .map((part, index) => (index % 2 === 0 ? literal(part) : reference(part)))
    .join('');
}

const referenceTo = (name: string) => OPEN + name + CLOSE;
const VERIFY = /^(\/3ds\/[^/]+)\/verify$/;

class ReplayBuilder {
  readonly #steps: ReplayStep[] = [];
  readonly #references = new References();
  readonly #names = new VariableNames();
  /** Variables by the value that they hold. */
  readonly #variableOf = new Map<string, string>();
  readonly #initialKeys = new Map<string, number>();
  readonly #variables = new Map<string, string>();
  /** The index of its partner by each key that was current at the start. */
  readonly #keysAtStart = new Map<string, number>();
  readonly #partnerId: string | null;
  readonly #translator: NameTranslator | null;
  #ownKey: string | null = null;

  constructor(entries: readonly HistoryEntry[], translator: NameTranslator | null) {
    this.#translator = translator;
    const tables = entries[0]?.before.tables;
    const ids = [...(tables?.get(partners)?.values() ?? [])].map(({ id }) => id);
    const keys = [...(tables?.get(apiKeys)?.values() ?? [])].map(
      ({ id, partnerId }) => [partnerId, id] as const,
    );
    // The last key of a partner is its current one.
    for (const [partnerId, key] of new Map(keys)) {
      this.#keysAtStart.set(key, ids.indexOf(partnerId));
    }
    this.#partnerId =
      entries.find(({ partnerId }) => partnerId !== null && ids.includes(partnerId))?.partnerId ?? null;
    for (const [key, index] of this.#keysAtStart) {
      if (ids[index] === this.#partnerId) this.#ownKey = key;
    }
  }

  get replay(): Replay {
    return {
      partnerId: this.#partnerId,
      initialKeys: this.#initialKeys,
      variables: this.#variables,
      steps: this.#steps,
    };
  }

  add(entry: HistoryEntry): void {
    const call = callOf(entry, this.#translator);
    const step = {
      entry,
      call,
      summary: redactText(entry.summary),
      target: call === null ? '' : this.#target(call),
      body: call === null ? undefined : this.#body(call, entry),
      key: call === null ? null : this.#key(call),
      captures: new Map(),
    };
    this.#steps.push(step);
    if (call === null) return;
    this.#references.noteRequest(textsOf(call));
    if (!entry.response.drop)
      this.#references.noteResponse(this.#steps.length - 1, parseJson(entry.response.body));
  }

  #target({ path, query }: RecordedCall): string {
    const segments = path.split('/').map(each => this.#replaced(maskEncoded(each, ''), ''));
    const parameters = query.split('&').map(each => {
      const [name = '', ...value] = each.split('=');
      return value.length === 0
        ? name
        : `${name}=${this.#replaced(maskEncoded(value.join('='), name), name)}`;
    });
    return segments.join('/') + (query === '' ? '' : `?${parameters.join('&')}`);
  }

  #body(call: RecordedCall, entry: HistoryEntry): unknown {
    if (call.body === '') return undefined;
    const challenge = call.plane === 'control' ? VERIFY.exec(call.path)?.[1] : undefined;
    if (challenge !== undefined) return this.#passcode(call, entry, challenge);
    const json = exactJson(call.body);
    // It has to be loaded as it was, with the card numbers in it.
    if (call.plane === 'control' && call.path === '/state') return json ?? call.body;
    return json === undefined ? this.#text(call.body) : this.#json(json);
  }

  /** The passcode of a challenge is not part of a history: it is read where the right one was sent. */
  #passcode(call: RecordedCall, entry: HistoryEntry, challenge: string): unknown {
    if (statusIn(entry.response.body) !== 'approved') return { otp: '000000' };
    const name = this.#names.next('', 'otp');
    const read = { ...call, method: 'GET', path: challenge, body: '' };
    this.#steps.push({
      entry,
      call: read,
      summary: 'The cardholder reads the passcode',
      target: this.#target(read),
      body: undefined,
      key: null,
      captures: new Map([[name, 'body.otp']]),
    });
    return { otp: referenceTo(name) };
  }

  #json(value: unknown): unknown {
    return mapValues(value, (each, member) => {
      if (typeof each === 'string') return this.#replaced(each, member);
      const isSecret = isOwnSecret(member) || maskCardNumbers(String(each), member) !== String(each);
      return isSecret ? 0 : each;
    });
  }

  /** A body that is sent unchanged, but for the values in quotes that are variables, and secret numbers. */
  #text(body: string): string {
    const replaced = body.replace(MEMBER, (whole, before, name, text) => {
      if (this.#references.find(text) === undefined && !isOwnSecret(name ?? '')) return whole;
      return `${before ?? ''}"${this.#replaced(text, name ?? '')}"`;
    });
    return maskCardNumbers(
      replaced.replace(NUMBER, (whole, before, name, digits) =>
        isOwnSecret(name) ? before + '1'.padEnd(digits.length, '0') : whole,
      ),
    );
  }

  #key({ plane, key }: RecordedCall): ReplayStep['key'] {
    if (plane === 'control' || key === null) return null;
    if (key === this.#ownKey) return 'own';
    const index = this.#keysAtStart.get(key);
    if (index === undefined) return { variable: this.#variable(key, 'apiKey') };
    const variable = this.#variableOf.get(key) ?? this.#names.next('', 'apiKey');
    this.#variableOf.set(key, variable);
    this.#initialKeys.set(variable, index);
    return { variable };
  }

  /** A text of a request, or the variable that holds it. */
  #replaced(text: string, member: string): string {
    if (text === '') return text;
    const isVariable = this.#references.find(text) !== undefined || isOwnSecret(member);
    return isVariable ? referenceTo(this.#variable(text, member)) : maskCardNumbers(text, member);
  }

  /** The variable of a value: captured from the response that it came from, or set at the start. */
  #variable(value: string, member: string): string {
    const known = this.#variableOf.get(value);
    if (known !== undefined) return known;
    const source = this.#references.find(value);
    const name = this.#names.next(value, source?.member ?? member);
    this.#variableOf.set(value, name);
    if (source === undefined) this.#variables.set(name, isSandboxSecret(member) ? value : '***');
    else this.#steps[source.step]?.captures.set(name, source.path);
    return name;
  }
}

/** Masks card numbers in a part of a URL, percent-encoded or not. */
function maskEncoded(text: string, member: string): string {
  const plain = percentDecode(text);
  return maskCardNumbers(plain, member) === plain ? text : '***';
}

/** A text in quotes, with the name of its member if it has one. */
const MEMBER = /("([^"\\]{1,64})"\s*:\s*)?"((?:[^"\\]|\\.)*)"/g;
/** A member that is a number. */
const NUMBER = /("([^"\\]{1,64})"\s*:\s*)(\d+)/g;
/** Space between the tokens of JSON, after a text in quotes. */
const SPACE = /("(?:[^"\\]|\\.)*")|[\t\n\r ]+/g;

/** Returns the parsed body, or undefined when sending it again as JSON would change more than the space in it. */
function exactJson(body: string): unknown {
  const value = parseJson(body);
  const isExact = typeof value === 'object' && JSON.stringify(value) === body.replace(SPACE, '$1');
  return isExact ? value : undefined;
}

function statusIn(body: string): unknown {
  const value = parseJson(body);
  return typeof value === 'object' && value !== null && 'status' in value ? value.status : null;
}

/** The texts in a request that a response may repeat. */
function* textsOf({ path, query, body }: RecordedCall): Generator<string> {
  yield* path.split('/');
  for (const each of query.split('&')) yield each.slice(each.indexOf('=') + 1);
  const json = body === '' ? undefined : exactJson(body);
  if (json !== undefined) for (const { text } of textsIn(json, '')) yield text;
  else for (const [, , , text = ''] of body.matchAll(MEMBER)) yield text;
}
