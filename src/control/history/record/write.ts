import { Buffer } from 'node:buffer';
import { basename } from 'node:path';
import { KEY_HEADER } from '../../../core/access/authenticate.ts';
import { apiKeys } from '../../../core/access/partners.ts';
import type {
  HistoryEntry,
  HistoryPart,
  HistoryStart,
  RecordedAttempt,
  RewindPlace,
} from '../../../core/journal/history.ts';
import { ruleText } from '../../../core/operation/errors.ts';
import { VERSION } from '../../../core/operation/version.ts';
import { decodeEscapes, dropLiveKeys, percentDecode } from '../../../core/redaction/redact.ts';
import { type Content, MAX_BODY_BYTES } from '../../../core/request/http.ts';
import { onePerTurn } from '../../../core/time/turns.ts';
import { CONTROL_PREFIX } from '../../../core/values/plane.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { RequestNotes } from '../../../core/world/disturbance.ts';
import type { Forwarding } from '../../../core/world/transport.ts';
import type { RecordedOptions, World } from '../../../core/world/world.ts';
import type { WorldSnapshot } from '../../../core/world/world-snapshot.ts';
import { MAIN_WORLD } from '../../../core/world/world-state.ts';
import { cardNumbersIn } from '../../../service/cards/records.ts';
import { coverageOf } from '../../world/coverage.ts';
import { PRIVATE_HEADERS, REASONS, type RecordEntry, type RecordHeader } from './format.ts';
import { MAX_LINE_BYTES, RECORD_NOTICE, RECORD_VERSION } from './limits.ts';

export class TooLargeForRecord extends Error {
  override readonly name = 'TooLargeForRecord';

  constructor() {
    super(`the state of the world is larger than ${MAX_LINE_BYTES} bytes, the longest line of a record`);
  }
}

/** Writes the record of a world line by line, each in pieces that are made when they are asked for. */
export class RecordWriter {
  readonly #world: World;
  /** The entries that carry states, by these. */
  readonly #carried = new Map<WorldSnapshot, string>();
  readonly #places: number[] = [];
  #first: string | null = null;
  #entries = 0;
  #attempts = 0;
  #forwarding: Forwarding | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** The first line: how the world was just before an entry. Throws a TooLargeForRecord. */
  *header({ before, forwarding }: HistoryStart): Generator<string> {
    this.#forwarding = forwarding;
    const header: Omit<RecordHeader, 'start' | 'options'> & { readonly options: RecordedOptions } = {
      record: RECORD_VERSION,
      cardSandbox: VERSION,
      world: this.#world.id,
      contains: RECORD_NOTICE,
      options: this.#world.recordedOptions(forwarding),
    };
    yield `${hideKeys(JSON.stringify(header), this.#world).slice(0, -1)},"start":`;
    yield* this.#state(before);
    yield '}\n';
  }

  /** The line of an entry. Throws a TooLargeForRecord. */
  *entry(entry: HistoryEntry): Generator<string> {
    this.#entries += 1;
    const { requestBody, sequence, endSequence } = entry;
    const restored = restoredBy(entry);
    this.#first ??= entry.id;
    this.#forwarding = entry.forwarding;
    const meanwhile = this.#places.length - 1 - this.#places.findLastIndex(place => place < sequence);
    const isWhole = this.#first === 'ent_1';
    const shown = entryOf(entry, this.#world, isWhole);
    const line = {
      ...shown,
      ...(restored !== null &&
        shown.body !== null &&
        isLoad(entry) && { body: this.#loaded(restored, shown.body) }),
      ...(meanwhile > 0 && { meanwhile }),
    };
    this.#places.push(endSequence);
    // A document that was loaded stands in the body.
    const isCarried = restored !== null && (requestBody === null || !isLoad(entry));
    const known = restored === null ? undefined : this.#carried.get(restored);
    if (!isCarried || known !== undefined) {
      const text = `${JSON.stringify({ entry: { ...line, ...(isCarried && { stateOf: known }) } })}\n`;
      // A document that was loaded is longer as the text of a body.
      if (Buffer.byteLength(text) > MAX_LINE_BYTES) throw new TooLargeForRecord();
      yield text;
      return;
    }
    this.#carried.set(restored, entry.id);
    yield `${JSON.stringify({ entry: line }).slice(0, -2)},"state":`;
    yield* this.#state(restored);
    yield '}}\n';
  }

  attempt({ sequence, at, ...attempt }: RecordedAttempt): string {
    this.#attempts += 1;
    this.#places.push(sequence);
    const states = [this.#world.state.snapshot()];
    const hide = (text: string | null) => (text === null ? null : hideSecrets(text, this.#world, states));
    const [url, cause, responseBody] = [attempt.url, attempt.cause, attempt.responseBody].map(hide);
    return `${JSON.stringify({ attempt: { ...attempt, url, at: isoTime(at), cause, responseBody } })}\n`;
  }

  /** The line of a rewind: to an entry before it, or to the next one, which undoes none and calls off webhooks in flight. */
  rewind(to: string, { sequence, forwarding }: RewindPlace): string {
    this.#places.push(sequence);
    const rewind = { to, ...(forwarding !== this.#forwarding && { forwarding }) };
    this.#forwarding = forwarding;
    return `${hideKeys(JSON.stringify({ rewind }), this.#world)}\n`;
  }

  /** The last line. `at` is the moment of the end in milliseconds. */
  end(at = this.#world.state.clock.now()): string {
    const { conditions } = coverageOf(this.#world);
    const seen = conditions.filter(({ count }) => count > 0);
    const end = {
      at: isoTime(at),
      entries: this.#entries,
      attempts: this.#attempts,
      coverage: Object.fromEntries(seen.map(({ id, count }) => [id, count])),
      firstAt: Object.fromEntries(seen.map(({ id, firstAt }) => [id, firstAt])),
    };
    return `${JSON.stringify({ end })}\n`;
  }

  /** The document that took the world to a state: `main` gets other keys for those that another world has, which play has not. */
  #loaded(restored: WorldSnapshot, document: string): string {
    const keys = [...(restored.tables.get(apiKeys)?.values() ?? [])];
    const hasAll = keys.every(({ id }) => document.includes(id));
    if (!hasAll && this.#world.id === MAIN_WORLD) return [...this.#state(restored)].join('');
    return hideKeys(document, this.#world);
  }

  *#state(snapshot: WorldSnapshot): Generator<string> {
    let bytes = 0;
    for (const piece of this.#world.current.pieces(snapshot)) {
      bytes += piece.length;
      // Leaves room for the rest of the line.
      if (bytes > MAX_LINE_BYTES - MAX_BODY_BYTES) throw new TooLargeForRecord();
      // Line breaks stand between its members only: those in texts are escaped.
      yield hideKeys(Buffer.from(piece).toString(), this.#world).replaceAll('\n', ' ').trimEnd();
    }
  }
}

/** A piece of a record is complete once it has this many characters. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Resolves with the record of a world from one entry to another, in pieces that are made in turns of the event loop of
 * their own. Without entries, it says that nothing has happened. Rejects with a TooLargeForRecord.
 */
export async function recordContent(
  world: World,
  first: HistoryEntry | undefined,
  last: HistoryEntry | undefined,
): Promise<Content> {
  const { realTime } = world.state.setup;
  const writer = new RecordWriter(world);
  const part = first && last ? world.history.between(first, last) : emptyPart(world);
  const header: Uint8Array[] = [];
  for await (const piece of onePerTurn(batched(writer.header(part.start)), realTime)) header.push(piece);
  const rest = batched(linesOf(writer, part));
  return chain(header, onePerTurn(rest, realTime));
}

function emptyPart({ state }: World): HistoryPart {
  const start = { before: state.snapshot(), forwarding: state.setup.forwarding() };
  return { start, entries: [], firstAttempts: [], next: null };
}

async function* chain(header: readonly Uint8Array[], rest: Content): AsyncGenerator<Uint8Array> {
  yield* header;
  yield* rest;
}

function* linesOf(writer: RecordWriter, { entries, firstAttempts, next }: HistoryPart): Generator<string> {
  for (const attempt of firstAttempts) yield writer.attempt(attempt);
  const last = entries.at(-1);
  for (const entry of entries) {
    yield* writer.entry(entry);
    // What follows the last entry may be the work of a call that is not among them.
    if (entry !== last || next === null) yield* afterEntry(writer, entry);
  }
  yield writer.end(next?.before.clock.now);
}

function* afterEntry(writer: RecordWriter, { number, attempts, rewinds }: HistoryEntry): Generator<string> {
  const next = `ent_${number + 1}`;
  const events = [...attempts, ...rewinds].sort((a, b) => a.sequence - b.sequence);
  for (const event of events) yield 'event' in event ? writer.attempt(event) : writer.rewind(next, event);
}

function* batched(pieces: Iterable<string>): Generator<Uint8Array> {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < PIECE_LENGTH) continue;
    yield Buffer.from(batch);
    batch = '';
  }
  yield Buffer.from(batch);
}

function entryOf(entry: HistoryEntry, world: World, isWhole: boolean): RecordEntry {
  const { id, requestId, plane, at, startedAt, request, requestBody, response } = entry;
  const { summary, by, rule, fault, notes } = entry;
  const { method, path, query, remoteAddress } = request;
  const states = [entry.before, world.state.snapshot()];
  const unrepeatable = reasonAgainst(entry, world, isWhole);
  const shownResponse = (text: string) =>
    hideSecrets(unrepeatable === REASONS.fixture ? hideFolders(text, world) : text, world, states);
  const isLost = by === 'lost-request';
  const shown =
    unrepeatable === null ? (text: string) => text : (text: string) => hideSecrets(text, world, states);
  // Decoded where the encoding hides a card number, but for a ?, which a path of a record does not have.
  const shownPart = (text: string) => {
    const plain = percentDecode(text);
    const masked = shown(plain);
    return masked === plain ? shown(text) : masked.replaceAll('?', '%3F');
  };
  return {
    id,
    ...(requestId !== null && { requestId }),
    plane,
    at: isoTime(at),
    ...(startedAt !== null && { startedAt: isoTime(startedAt), order: entry.sequence }),
    method: shown(method),
    path: shownPart(path),
    query: shownPart(query),
    headers: headersOf(request.headers, shown),
    body: unrepeatable === null ? requestBody : null,
    remoteAddress,
    status: isLost ? null : response.status,
    response: isLost
      ? null
      : {
          headers: headersOf(response.headers, shown),
          body: plane === 'page' ? '' : shownResponse(response.body),
        },
    summary: shownResponse(summary),
    ...(rule !== null && { rule: ruleText(rule) }),
    ...(fault !== null && { fault }),
    ...(notes !== null && membersOf(notes)),
    ...(response.drop && { dropped: true }),
    ...(by !== null && by !== 'lost-request' && { by }),
    ...(unrepeatable !== null && { unrepeatable }),
    ...checkpointsOf(entry, world),
  };
}

/** What the disturbance of a world notes, without what is empty. */
function membersOf({ struck, created, undone }: RequestNotes): Partial<RecordEntry> {
  return {
    ...(struck.length > 0 && { struck: [...struck] }),
    ...(created.length > 0 && { created: [...created] }),
    ...(undone.length > 0 && { undone: [...undone] }),
  };
}

const RESTORES = new RegExp(`^${CONTROL_PREFIX}/(?:reset|state|checkpoints/[^/]+/restore)$`);

/** Whether a call loads a document. */
function isLoad({ request }: HistoryEntry): boolean {
  return request.path === `${CONTROL_PREFIX}/state`;
}

/** The state to which a call took the world; null where another call did so while it waited. */
function restoredBy({ request, response, restored }: HistoryEntry): WorldSnapshot | null {
  return RESTORES.test(request.path) && response.status < 300 ? restored : null;
}

/** The checkpoints that a call about them finds. */
function checkpointsOf(
  { request, checkpoints, before }: HistoryEntry,
  world: World,
): Pick<RecordEntry, 'checkpoints'> {
  if (!request.path.startsWith(`${CONTROL_PREFIX}/checkpoints`) || checkpoints.length === 0) return {};
  return { checkpoints: checkpoints.map(name => hideSecrets(name, world, [before])) };
}

/** Returns why an entry cannot be played; null for one that can. */
function reasonAgainst(
  entry: HistoryEntry,
  world: World,
  isWhole: boolean,
): NonNullable<RecordEntry['unrepeatable']> | null {
  const { plane, request, requestBody } = entry;
  // A rewind that succeeds is not an entry.
  if (!isWhole && request.path === `${CONTROL_PREFIX}/rewind`) return REASONS.earlier;
  if (plane === 'page' && request.method !== 'POST') return REASONS.page;
  if (request.path === `${CONTROL_PREFIX}/partners` && !world.hasBuiltInFixture(fixtureIn(requestBody)))
    return REASONS.fixture;
  if (requestBody === null) return REASONS.body;
  const isState = restoredBy(entry) !== null && isLoad(entry);
  const parts = [
    request.method,
    request.path,
    request.query,
    percentDecode(`${request.path}?${request.query}`),
    // A document that was loaded goes into the record without keys.
    ...(isState ? [] : [requestBody, decodeEscapes(requestBody)]),
  ];
  const text = [...parts, ...Object.values(request.headers).flat()].join('\n');
  if (dropLiveKeys(text) !== text) return REASONS.liveKey;
  const { controlToken } = world;
  if (controlToken !== null) {
    // Every call has the token in a header that no record has.
    const headers = Object.values(headersOf(request.headers, value => value)).flat();
    if ([...parts, ...headers].some(part => part.includes(controlToken))) return REASONS.controlToken;
  }
  // A reset since then has other cards.
  if (cardNumbersIn([entry.before], text).length > 0) return REASONS.cardNumber;
  return null;
}

/** The name of the fixture in the body of a call that adds a partner; the default where there is none. */
function fixtureIn(body: string | null): string {
  try {
    return String(JSON.parse(body ?? '').fixture ?? 'empty');
  } catch {
    return 'empty';
  }
}

/** The headers with names in lower case, without those that say who called. */
function headersOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  shown: (text: string) => string,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const key = name.toLowerCase();
      if (value === undefined || PRIVATE_HEADERS.includes(key)) return [];
      if (key === KEY_HEADER && dropLiveKeys(String(value)) !== String(value)) return [];
      return [[key, typeof value === 'string' ? shown(value) : value.map(shown)]];
    }),
  );
}

/** A text without production keys, the control token and the card numbers in some states. */
function hideSecrets(text: string, world: World, states: readonly WorldSnapshot[]): string {
  let safe = hideKeys(text, world);
  for (const number of cardNumbersIn(states, safe)) safe = safe.replaceAll(number, '[card number]');
  return safe;
}

/** A response without the folders of the fixtures that the sandbox was started with, which a refusal names. */
function hideFolders(text: string, { options }: World): string {
  const names = Array.isArray(options.fixtures) ? options.fixtures.map(String) : [];
  let safe = text;
  for (const name of names) {
    // As it is, and as in a body.
    for (const each of [name, JSON.stringify(name).slice(1, -1)])
      safe = safe.replaceAll(each, () => basename(name));
  }
  return safe;
}

/** A text without production keys and the control token. */
function hideKeys(text: string, { controlToken }: World): string {
  const safe = dropLiveKeys(text);
  return controlToken === null ? safe : safe.replaceAll(controlToken, '[control token]');
}
