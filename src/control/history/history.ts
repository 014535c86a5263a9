import { Buffer, isUtf8 } from 'node:buffer';
import { KEY_HEADER } from '../../core/access/authenticate.ts';
import type { JournalSnapshot } from '../../core/journal/journal.ts';
import { notFound } from '../../core/operation/errors.ts';
import { dropLiveKeys, LIVE_KEY_PREFIX } from '../../core/redaction/redact.ts';
import type { RecordedRequest, Recorder } from '../../core/request/dispatch-options.ts';
import type { ApiRequest } from '../../core/request/http.ts';
import { MAX_BODY_BYTES } from '../../core/request/input.ts';
import { RandomStream, type StreamState } from '../../core/values/random.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';

/** The history keeps this many entries, the newest. */
export const MAX_ENTRIES = 1_000;

/** Cap on the bodies of all entries of a world together, in UTF-16 code units. */
const MAX_BODY_LENGTH = 32 * 1024 * 1024;

/** One request to a world from outside, and the world before it. */
export interface HistoryEntry
  extends Omit<RecordedRequest, 'request'>,
    Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers'> {
  readonly id: string;
  /** Sandbox time of the response, in milliseconds. */
  readonly at: number;
  /** The body as it was sent; null for one that is not kept: a large state document, and a body that is not text. */
  readonly requestBody: string | null;
  /** The world just before the request. */
  readonly before: WorldSnapshot;
  /** The journal just before the request. */
  readonly journal: JournalSnapshot;
  /** The state of the stream of ids before the request. */
  readonly ids: StreamState;
}

/** What was asked of a world from outside, in the order in which it began. */
export class History {
  readonly #world: World;
  #ids: RandomStream;
  /** The resets of the world when `#ids` began. */
  #resets = 0;
  /** The state of `#ids`, until the next draw. Most entries share it. */
  #idState: StreamState | null = null;
  #entries: Recorded[] = [];
  #bodyLength = 0;
  #begun = 0;
  /** The places of the entries that the world went back to. */
  readonly #rewinds: number[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#ids = new RandomStream(world.state.options.seed, 'history');
  }

  /** All entries, oldest first. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  /** Returns the newest entry with an id. Throws a 404 when there is none. */
  entry(id: string): HistoryEntry {
    const entry = this.#entries.findLast(each => each.id === id);
    if (entry !== undefined) return entry;
    throw notFound('history entry', id, this.#entries.map(each => each.id).reverse());
  }

  /**
   * Takes note of the world before a request. Returns the function that adds the request with its outcome, unless a rewind
   * has undone it meanwhile.
   */
  begin(): (handled: RecordedRequest) => void {
    this.#begun += 1;
    const place = this.#begun;
    const { state, current } = this.#world;
    if (this.#resets !== current.resets) {
      this.#resets = current.resets;
      this.#beginIds();
    }
    const before = state.snapshot();
    const journal = state.journal.snapshot();
    this.#idState ??= this.#ids.state;
    const ids = this.#idState;
    const rewinds = this.#rewinds.length;
    return handled => {
      if (this.#rewinds.some((to, index) => index >= rewinds && to <= place)) return;
      const id = handled.id ?? this.#newId(handled.plane === 'control' ? 'ctl' : 'page');
      this.#add(entryOf(handled, id, this.#world.state.clock.now(), { before, journal, ids, place }));
    };
  }

  /** Goes back to the state before an entry, and drops it and all later ones. Returns how many were dropped. */
  rewind(entry: HistoryEntry): number {
    const index = this.entries.indexOf(entry);
    const { before, journal, ids } = entry;
    this.#world.current.rewind(before, journal);
    this.#beginIds(ids);
    const dropped = this.#entries.splice(index);
    for (const each of dropped) this.#bodyLength -= each.bodyLength;
    this.#rewinds.push(dropped[0]?.place ?? this.#begun);
    return dropped.length;
  }

  #beginIds(from?: StreamState): void {
    this.#ids = new RandomStream(this.#world.state.options.seed, 'history', from);
    this.#idState = null;
  }

  #newId(prefix: string): string {
    this.#idState = null;
    return `${prefix}_${this.#ids.letters(16)}`;
  }

  #add(entry: Recorded): void {
    // A request that waits ends after others that began later.
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1]?.place ?? 0) > entry.place) index -= 1;
    if (index === this.#entries.length) this.#entries.push(entry);
    else this.#entries.splice(index, 0, entry);
    this.#bodyLength += entry.bodyLength;
    while (
      this.#entries.length > MAX_ENTRIES ||
      (this.#bodyLength > MAX_BODY_LENGTH && this.#entries.length > 1)
    ) {
      const oldest = this.#entries.shift();
      if (oldest !== undefined) this.#bodyLength -= oldest.bodyLength;
    }
  }
}

interface Recorded extends HistoryEntry {
  /** The place of the request among all, by when it began. */
  readonly place: number;
  /** The length of both bodies. Kept, because reading old texts from memory takes longer than adding an entry. */
  readonly bodyLength: number;
}

const histories = new WeakMap<World, History>();

export function historyOf(world: World): History {
  let history = histories.get(world);
  if (history === undefined) {
    history = new History(world);
    histories.set(world, history);
  }
  return history;
}

/** Records the requests to all worlds in their histories. */
export const recorder: Recorder = { begin: world => historyOf(world).begin() };

/** What is kept of a request: no production key that it brought, and no page, since pages show cards. */
function entryOf(
  handled: RecordedRequest,
  id: string,
  at: number,
  { before, journal, ids, place }: Pick<Recorded, 'before' | 'journal' | 'ids' | 'place'>,
): Recorded {
  const { plane, request, summary } = handled;
  const body = bodyText(handled);
  const response = plane === 'page' ? { ...handled.response, body: '' } : handled.response;
  const { method, headers } = request;
  const key = headers[KEY_HEADER];
  const isLive = typeof key === 'string' && key.includes(LIVE_KEY_PREFIX);
  return {
    id,
    at,
    before,
    journal,
    ids,
    place,
    plane,
    summary: dropLiveKeys(summary),
    requestBody: body === null ? null : dropLiveKeys(body),
    method,
    path: dropLiveKeys(request.path),
    query: dropLiveKeys(request.query),
    headers: isLive ? { ...headers, [KEY_HEADER]: undefined } : headers,
    response,
    bodyLength: (body?.length ?? 0) + response.body.length,
  };
}

/** The body as it was sent. A request that was refused early has one that the plane has not read. */
function bodyText({ request, requestBody }: RecordedRequest): string | null {
  if (requestBody !== '' || request.body.length === 0) return requestBody;
  const isText = request.body.length <= MAX_BODY_BYTES && isUtf8(request.body);
  return isText ? Buffer.from(request.body).toString() : null;
}
