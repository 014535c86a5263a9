import { apiKeys, partners } from '../../kernel/access/partners.ts';
import type { HistoryEntry } from '../history.ts';
import { callOf, type RecordedCall } from './recorded-call.ts';
import { isOwnSecret, mapTexts, parsed, References, textsIn } from './references.ts';
import { VariableNames } from './variable-names.ts';

/** One step of a replay: a request with variables, or only a text. */
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
export function replayOf(entries: readonly HistoryEntry[]): Replay {
  const builder = new ReplayBuilder(entries);
  for (const entry of entries) builder.add(entry);
  return builder.replay;
}

/** The start of a reference to a variable, as a literal text. */
const escaped = (text: string) => text.replaceAll('${', '$${');

class ReplayBuilder {
  readonly #steps: ReplayStep[] = [];
  readonly #references = new References();
  readonly #names = new VariableNames();
  /** Variables by the value that they hold. */
  readonly #variableOf = new Map<string, string>();
  readonly #initialKeys = new Map<string, number>();
  readonly #variables = new Map<string, string>();
  /** The index of its partner by each key of the start. */
  readonly #keysAtStart = new Map<string, number>();
  readonly #partnerId: string | null;
  #ownKey: string | null = null;

  constructor(entries: readonly HistoryEntry[]) {
    const tables = entries[0]?.before.moment.snapshot().tables;
    const ids = [...(tables?.get(partners)?.rows.values() ?? [])].map(({ id }) => id);
    for (const { id, partnerId } of tables?.get(apiKeys)?.rows.values() ?? []) {
      this.#keysAtStart.set(id, ids.indexOf(partnerId));
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
    const call = callOf(entry);
    const json = call === null || call.body === '' ? undefined : exactJson(call.body);
    const step: ReplayStep = {
      entry,
      call,
      summary: entry.summary,
      target: call === null ? '' : this.#target(call),
      body:
        call === null || call.body === ''
          ? undefined
          : json === undefined
            ? this.#text(call.body)
            : this.#json(json),
      key: call === null ? null : this.#key(call),
      captures: new Map(),
    };
    this.#steps.push(step);
    if (call !== null) this.#references.noteRequest(textsOf(call, json));
    this.#references.noteResponse(this.#steps.length - 1, parsed(entry.response.body));
  }

  #target({ path, query }: RecordedCall): string {
    const segments = path.split('/').map(each => this.#replaced(each, ''));
    const parameters = query.split('&').map(each => {
      const [name = '', ...value] = each.split('=');
      return value.length === 0 ? escaped(name) : `${escaped(name)}=${this.#replaced(value.join('='), '')}`;
    });
    return segments.join('/') + (query === '' ? '' : `?${parameters.join('&')}`);
  }

  #json(value: unknown): unknown {
    return mapTexts(value, (text, member) => this.#replaced(text, member));
  }

  /** A body that is sent unchanged, but for the values that stand in quotes. */
  #text(body: string): string {
    return escaped(body).replace(/"((?:[^"\\]|\\.)*)"/g, (whole, text) =>
      this.#references.find(text) === undefined ? whole : `"${this.#replaced(text, '')}"`,
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
    return isVariable ? `\${${this.#variable(text, member)}}` : escaped(text);
  }

  /** The variable of a value: captured from the response that it came from, or set at the start. */
  #variable(value: string, member: string): string {
    const known = this.#variableOf.get(value);
    if (known !== undefined) return known;
    const source = this.#references.find(value);
    const name = this.#names.next(value, source?.member ?? member);
    this.#variableOf.set(value, name);
    if (source === undefined) this.#variables.set(name, value);
    else this.#steps[source.step]?.captures.set(name, source.path);
    return name;
  }
}

/** Returns the parsed body, or undefined when sending it again as JSON would change its text. */
function exactJson(body: string): unknown {
  const value = parsed(body);
  return value !== undefined && JSON.stringify(value) === body && typeof value === 'object'
    ? value
    : undefined;
}

/** The texts in a request that a response may repeat. */
function* textsOf({ path, query, body }: RecordedCall, json: unknown): Generator<string> {
  yield* path.split('/');
  for (const each of query.split('&')) yield each.slice(each.indexOf('=') + 1);
  if (json !== undefined) for (const { text } of textsIn(json, '')) yield text;
  else for (const [, text = ''] of body.matchAll(/"((?:[^"\\]|\\.)*)"/g)) yield text;
}
