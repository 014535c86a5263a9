import { apiKeys, KEY_PREFIX, partners } from '../../../core/access/partners.ts';
import { maskCardNumbers, standInFor } from '../../../core/redaction/card-numbers.ts';
import { recordedBody } from '../../../core/redaction/recorded-body.ts';
import { percentDecode, redactBody, redactText } from '../../../core/redaction/redact.ts';
import type { AnyTable } from '../../../core/store/table-definition.ts';
import { type NameTranslator, NEUTRAL_HEADER } from '../../../core/values/names.ts';
import { type ShareTokenRow, shareTokens } from '../../../service/kyc/records.ts';
import { isMagicToken } from '../../../service/kyc/rules.ts';
import { type WebhookConfigRow, webhookConfigs } from '../../../service/webhooks/records.ts';
import type { HistoryEntry } from '../history.ts';
import { callOf, type RecordedCall, type ReplayEntry } from './recorded-call.ts';
import {
  isOwnSecret,
  isSandboxSecret,
  mapValues,
  type Parts,
  parseJson,
  Reference,
  References,
  textsIn,
  VariableNames,
} from './references.ts';

/** The body of a request that is sent again. */
export type ReplayBody =
  /** A JSON value in which a Reference can stand instead of a string. */
  { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'text'; readonly parts: Parts };

/** One step of a replay: a request with references to variables, or only a text. */
export interface ReplayStep {
  readonly entry: ReplayEntry;
  readonly summary: string;
  /** Null for what only a person can repeat. */
  readonly call: RecordedCall | null;
  /** The path and query. */
  readonly target: Parts;
  /** Null for none. */
  readonly body: ReplayBody | null;
  /** The variable with the key; null for a request without one, and `own` for the key of the replay's partner. */
  readonly key: Reference | 'own' | null;
  /** The sandbox time to go to before it, in milliseconds; null where the clock is there already. */
  readonly moment: number | null;
  /** The body of the response as `recordedBody` writes it, in the neutral names; null where it cannot be compared. */
  readonly recorded: string | null;
  /** Paths in the response by variable. */
  readonly captures: Map<string, string>;
}

/** A history as requests that can be sent again. */
export interface Replay {
  /** The number of its entries. */
  readonly requests: number;
  /** The partner whose key most requests have; null when there is none. */
  readonly partnerId: string | null;
  /** Keys that partners had at the start: their index among the partners, by variable. */
  readonly initialKeys: ReadonlyMap<string, number>;
  /** Values that stand for the secrets that requests brought in, by variable. */
  readonly variables: ReadonlyMap<string, string>;
  readonly steps: readonly ReplayStep[];
}

/** What the world of a history had at its start. */
export interface ReplayStart {
  readonly partners: readonly { readonly id: string }[];
  readonly apiKeys: readonly { readonly id: string; readonly partnerId: string }[];
  readonly webhookConfigs: readonly { readonly webhookSecret: string | null }[];
  readonly shareTokens: readonly { readonly id: string; readonly token: string }[];
}

/** Returns what a world had before the first of its entries. */
export function startOf([first]: readonly HistoryEntry[]): ReplayStart {
  const tables = first?.before.tables;
  // The snapshot of a table has its rows.
  const rows = <T>(table: AnyTable) => [...(tables?.get(table)?.values() ?? [])] as T[];
  return {
    partners: rows(partners),
    apiKeys: rows(apiKeys),
    webhookConfigs: rows<WebhookConfigRow>(webhookConfigs),
    shareTokens: rows<ShareTokenRow>(shareTokens),
  };
}

/** Turns entries into requests in which values from responses, keys and secrets are variables. */
export function replayOf(
  entries: readonly ReplayEntry[],
  start: ReplayStart,
  names: NameTranslator | null,
  origin: string,
): Replay {
  const builder = new ReplayBuilder(entries, start, names, origin);
  for (const entry of entries) builder.add(entry);
  return builder.replay;
}

/** Statuses whose messages depend on wall time, or on a key that an export does not have. */
const VARYING = [401, 429];
const REPLACES_STATE = /^\/(?:state|reset|checkpoints\/[^/]+\/restore)$/;
const VERIFY = /^(\/3ds\/[^/]+)\/verify$/;

class ReplayBuilder {
  /** Steps that read what exists at the start, before all others: a restored checkpoint may be without it. */
  readonly #firstSteps: ReplayStep[] = [];
  readonly #steps: ReplayStep[] = [];
  readonly #references = new References();
  readonly #names = new VariableNames();
  /** Variables by the value that they hold. */
  readonly #variableOf = new Map<string, string>();
  readonly #initialKeys = new Map<string, number>();
  readonly #variables = new Map<string, string>();
  /** Keys and secrets that no literal text may contain. */
  readonly #secrets = new Set<string>();
  /** The index of its partner by each key that was current at the start. */
  readonly #keysAtStart = new Map<string, number>();
  /** Keys of the state that was loaded last, for which a replay loads others. */
  readonly #loadedKeys = new Set<string>();
  /** Variables with the current keys of partners, by index, until a control call may change them. */
  readonly #currentKeys = new Map<number, string>();
  /** The id of each minted share token that existed at the start. */
  readonly #tokensAtStart = new Map<string, string>();
  readonly #partnerIds: readonly string[];
  readonly #partnerId: string | null;
  readonly #translator: NameTranslator | null;
  readonly #origin: string;
  #ownKey: string | null = null;
  #requests = 0;
  #moment: number | null = null;

  constructor(
    entries: readonly ReplayEntry[],
    start: ReplayStart,
    translator: NameTranslator | null,
    origin: string,
  ) {
    this.#translator = translator;
    this.#origin = origin;
    const ids = start.partners.map(({ id }) => id);
    this.#partnerIds = ids;
    const keys = start.apiKeys.map(({ id, partnerId }) => [partnerId, id] as const);
    for (const [, key] of keys) this.#secrets.add(key);
    for (const { webhookSecret } of start.webhookConfigs) {
      if (webhookSecret !== null) this.#secrets.add(webhookSecret);
    }
    for (const { id, token } of start.shareTokens) {
      if (!isMagicToken(token)) this.#tokensAtStart.set(token, id);
    }
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
      requests: this.#requests,
      partnerId: this.#partnerId,
      initialKeys: this.#initialKeys,
      variables: this.#variables,
      steps: [...this.#firstSteps, ...this.#steps],
    };
  }

  add(entry: ReplayEntry): void {
    this.#requests += 1;
    const call = callOf(entry, this.#translator);
    if (call !== null) {
      this.#readTokens(call, entry);
      this.#forgetKeys(call, entry);
    }
    const step = {
      entry,
      call,
      summary: redactText(entry.summary),
      target: call === null ? [] : this.#target(call),
      body: call === null ? null : this.#body(call, entry),
      key: call === null ? null : this.#key(call, entry),
      moment: call === null ? null : this.#momentOf(entry),
      recorded: call?.plane === 'partner' ? this.#recorded(entry) : null,
      captures: new Map(),
    };
    this.#steps.push(step);
    if (call === null) return;
    this.#references.noteRequest(textsOf(call));
    if (!entry.response.drop)
      this.#references.noteResponse(this.#steps.length - 1, parseJson(entry.response.body));
  }

  #recorded({ response: { status, body, drop }, headers }: ReplayEntry): string | null {
    const names = headers[NEUTRAL_HEADER] === 'neutral' ? null : this.#translator;
    const hasOwnMessage = names !== null && status >= 400;
    if (drop || body === '' || VARYING.includes(status) || hasOwnMessage) return null;
    const neutral = names === null ? body : JSON.stringify(names.toNeutral(parseJson(body)));
    return recordedBody(this.#withoutSecrets(neutral), this.#origin);
  }

  #momentOf({ before: { clock } }: ReplayEntry): number | null {
    const isThere = clock.frozen && clock.now === this.#moment;
    this.#moment = clock.now;
    return isThere ? null : clock.now;
  }

  #target({ path, query }: Pick<RecordedCall, 'path' | 'query'>): Parts {
    const segments = path.split('/').flatMap((each, index) => {
      const segment = this.#encoded(each, '');
      return index === 0 ? [segment] : ['/', segment];
    });
    if (query === '') return segments;
    const parameters = query.split('&').flatMap((each, index) => {
      const [name = '', ...value] = each.split('=');
      const start = index === 0 ? '?' : '&';
      const parameter = this.#encoded(name, '');
      return value.length === 0
        ? [start, parameter]
        : [start, parameter, '=', this.#encoded(value.join('='), name)];
    });
    return [...segments, ...parameters];
  }

  #body(call: RecordedCall, entry: ReplayEntry): ReplayBody | null {
    if (call.body === '') return null;
    const challenge = call.plane === 'control' ? VERIFY.exec(call.path)?.[1] : undefined;
    if (challenge !== undefined) return { kind: 'json', value: this.#passcode(entry, challenge) };
    if (call.plane === 'control' && call.path === '/state') {
      const value = withoutSecrets(parseJson(call.body), {
        key: key => {
          if (entry.response.status < 400) this.#loadedKeys.add(key);
          return this.#keyReference(key);
        },
        secret: (text, member) => new Reference(this.#variable(text, member)),
        literal: (text, member) => this.#literal(text, member),
      });
      return { kind: 'json', value };
    }
    const json = exactJson(call.body);
    if (json === undefined) return { kind: 'text', parts: this.#text(call.body) };
    return { kind: 'json', value: this.#json(json) };
  }

  /** The passcode of a challenge is not part of a history: it is read where the right one was sent. */
  #passcode(entry: ReplayEntry, challenge: string): unknown {
    if (statusIn(entry.response.body) !== 'approved') return { otp: '000000' };
    const name = this.#names.next('', 'otp');
    const target = this.#target({ path: challenge, query: '' });
    const capture = [name, 'body.otp'] as const;
    this.#steps.push(this.#read(entry, challenge, 'The cardholder reads the passcode', capture, target));
    return { otp: new Reference(name) };
  }

  /** Adds steps that read the share tokens of a request that existed at the start. */
  #readTokens(call: RecordedCall, entry: ReplayEntry): void {
    for (const text of textsOf(call)) {
      const id = this.#tokensAtStart.get(text);
      if (id === undefined || this.#variableOf.has(text)) continue;
      const name = this.#names.next('', 'shareToken');
      this.#variableOf.set(text, name);
      this.#firstSteps.push(
        this.#read(entry, `/share-tokens/${id}`, 'The person shares a token', [name, 'body.token']),
      );
    }
  }

  /** A step that reads a value from the control plane. */
  #read(
    entry: ReplayEntry,
    path: string,
    summary: string,
    capture: readonly [string, string],
    target: Parts = [path],
  ): ReplayStep {
    return {
      entry,
      call: { plane: 'control', method: 'GET', path, query: '', key: null, headers: {}, body: '' },
      summary,
      target,
      body: null,
      key: null,
      moment: null,
      recorded: null,
      captures: new Map([capture]),
    };
  }

  #json(value: unknown): unknown {
    return mapValues(value, (each, member) => {
      if (typeof each === 'string') return this.#replaced(each, member);
      if (typeof each !== 'number') return each;
      const isSecret = isOwnSecret(member) || maskCardNumbers(String(each), member) !== String(each);
      return isSecret ? 0 : each;
    });
  }

  /** A body that is sent as it was, but for the values in quotes that are variables, and secret numbers. */
  #text(body: string): Parts {
    const parts: (string | Reference)[] = [];
    let start = 0;
    const literal = (end?: number) =>
      this.#literal(
        body
          .slice(start, end)
          .replace(NUMBER, (whole, before, name, digits) =>
            isOwnSecret(name) ? before + '1'.padEnd(digits.length, '0') : whole,
          ),
      );
    for (const { 0: whole, 2: name = '', 3: text = '', index } of body.matchAll(MEMBER)) {
      const value = this.#replaced(text, name);
      if (!(value instanceof Reference)) continue;
      // The quotes around the value stay.
      const end = index + whole.length - 1;
      parts.push(literal(end - text.length), value);
      start = end;
    }
    return [...parts, literal()];
  }

  /** Forgets the keys that a control call may have replaced. */
  #forgetKeys({ plane, method, path }: RecordedCall, { response }: ReplayEntry): void {
    if (plane !== 'control' || method === 'GET' || response.status >= 400) return;
    this.#currentKeys.clear();
    if (REPLACES_STATE.test(path)) this.#loadedKeys.clear();
  }

  #key({ plane, key }: RecordedCall, entry: ReplayEntry): ReplayStep['key'] {
    if (plane === 'control' || key === null) return null;
    if (key === this.#ownKey) return 'own';
    const isKnown =
      this.#keysAtStart.has(key) || this.#loadedKeys.has(key) || this.#references.find(key) !== undefined;
    const index = isKnown ? -1 : this.#partnerIds.indexOf(entry.partnerId ?? '');
    return index === -1 ? this.#keyReference(key) : this.#currentKey(entry, index);
  }

  /**
   * The variable with the current key of a partner, read from the sandbox. It stands for a key that worked and that a
   * replay does not have: one that was rotated before the start, or that a reset or a checkpoint brought back.
   */
  #currentKey(entry: ReplayEntry, index: number): Reference {
    const known = this.#currentKeys.get(index);
    if (known !== undefined) return new Reference(known);
    const name = this.#names.next('', 'apiKey');
    const path = `body.partners[${index}].apiKey`;
    this.#steps.push(this.#read(entry, '/info', 'The current key', [name, path]));
    this.#currentKeys.set(index, name);
    return new Reference(name);
  }

  /** The variable with a key: read from the sandbox where a partner had it at the start. */
  #keyReference(key: string): Reference {
    const index = this.#keysAtStart.get(key);
    if (index === undefined) return new Reference(this.#variable(key, 'apiKey'));
    const variable = this.#variableOf.get(key) ?? this.#names.next('', 'apiKey');
    this.#variableOf.set(key, variable);
    this.#initialKeys.set(variable, index);
    return new Reference(variable);
  }

  /** A text of a request, or the variable that holds it. */
  #replaced(text: string, member: string): string | Reference {
    if (text === '') return text;
    const isKnown = this.#variableOf.has(text) || this.#references.find(text) !== undefined;
    const isVariable = isKnown || isOwnSecret(member) || this.#secrets.has(text);
    return isVariable ? new Reference(this.#variable(text, member)) : this.#literal(text, member);
  }

  /** A part of a URL, percent-encoded or not, or the variable that holds it. */
  #encoded(text: string, member: string): string | Reference {
    const value = this.#replaced(text, member);
    const plain = percentDecode(text);
    return value instanceof Reference || this.#literal(plain, member) === plain ? value : '***';
  }

  /** A text without the secrets in it. */
  #literal(text: string, member = ''): string {
    return this.#withoutSecrets(redactText(text, member));
  }

  #withoutSecrets(text: string): string {
    let without = text;
    for (const secret of this.#secrets) without = without.replaceAll(secret, '***');
    return without;
  }

  /** The variable of a value: captured from the response that it came from, or set at the start. */
  #variable(value: string, member: string): string {
    const known = this.#variableOf.get(value);
    const source = this.#references.find(value);
    // A key that was refused before a response issued it has a stand-in until then.
    const isStandIn = known !== undefined && source !== undefined && this.#variables.has(known);
    if (known !== undefined && !isStandIn) return known;
    const name = this.#names.next(value, source?.member ?? member);
    this.#variableOf.set(value, name);
    if (source !== undefined) this.#steps[source.step]?.captures.set(name, source.path);
    else {
      this.#variables.set(name, standIn(value, member, name));
      if (value.length >= MIN_SECRET_LENGTH) this.#secrets.add(value);
    }
    return name;
  }
}

/** Shorter values are part of other texts by chance. */
const MIN_SECRET_LENGTH = 12;

/** Returns the value of a variable that stands for a secret: one that the sandbox accepts where it accepted the secret. */
export function standIn(secret: string, member: string, name: string): string {
  if (member === 'apiKey') return `${KEY_PREFIX}recorded_${name}`;
  if (!isSandboxSecret(member) && !/token$/i.test(member)) return '***';
  // A shorter secret may have been refused.
  return `recorded_${name}_`.padEnd(secret.length, '0').slice(0, secret.length);
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

/** What replaces a text of a state document. */
interface Replacements {
  /** An API key. */
  key(key: string): Reference | string;
  /** A webhook secret or a share token. */
  secret(text: string, member: string): Reference | string;
  /** Any other text. */
  literal(text: string, member: string): string;
}

/**
 * Returns a state document that can be loaded like the one that was recorded, without its keys, secrets, passcodes and
 * card numbers.
 */
export function withoutSecrets(document: unknown, { key, secret, literal }: Replacements): unknown {
  let cards = 0;
  return mapValues(document, (value, member) => {
    if (typeof value !== 'string') return value;
    if (value.startsWith(KEY_PREFIX)) return key(value);
    if (member === 'webhookSecret') return secret(value, member);
    if (member === 'token' && !isMagicToken(value)) return secret(value, member);
    // The key of unpredictable secrets, and what a cardholder knows.
    if (member === 'key' || member === 'cvv' || member === 'otp') return '0'.repeat(value.length);
    if (member === 'body' || member === 'lastResponseBody') return redactBody(value);
    if (member === 'number') {
      cards += 1;
      return standInFor(value, cards);
    }
    return literal(value, member);
  });
}
