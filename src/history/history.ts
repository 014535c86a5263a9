import { isUtf8 } from 'node:buffer';
import { LIVE_KEY_PREFIX } from '../kernel/access/api-key.ts';
import type { JournalMark } from '../kernel/journal/journal.ts';
import { dropLiveKeys } from '../kernel/journal/redact.ts';
import type { Host } from '../kernel/operation/host.ts';
import type { ApiRequest } from '../kernel/request/http.ts';
import { MAX_BODY_BYTES } from '../kernel/request/input.ts';
import type { RecordedRequest, Recorder } from '../kernel/request/recorder.ts';
import { RandomStream, type StreamState } from '../kernel/values/random.ts';
import type { WorldSnapshot } from '../kernel/world/world.ts';

/** The history keeps this many entries, the newest. */
export const MAX_ENTRIES = 1_000;

/** Cap on the bodies of all entries of a world together, in UTF-16 code units. */
const MAX_BODY_LENGTH = 32 * 1024 * 1024;

/** The world just before a request. */
export interface Moment {
  readonly snapshot: WorldSnapshot;
  readonly journal: JournalMark;
  /** The state of the stream from which ids of entries are drawn. */
  readonly ids: StreamState;
}

/** One request that changed a world from outside, and the world before it. */
export interface HistoryEntry extends RecordedRequest {
  readonly id: string;
  /** Sandbox time of the response, ISO 8601. */
  readonly at: string;
  /** The body as it was sent; null for one that is not kept: a state document, and what is too large or no text. */
  readonly requestBody: string | null;
  readonly before: Moment;
}

/** What changed a world from outside, in the order in which it began. */
export class History {
  readonly #host: Host;
  #ids: RandomStream;
  #entries: Recorded[] = [];
  #bodyLength = 0;
  #begun = 0;

  constructor(host: Host) {
    this.#host = host;
    this.#ids = new RandomStream(host.world.options.seed, 'history');
  }

  /** All entries, oldest first. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  /** Takes note of the world before a request. Returns the function that adds the request with its outcome. */
  begin(): (handled: RecordedRequest) => void {
    const { world } = this.#host;
    this.#begun += 1;
    const place = this.#begun;
    const before = { snapshot: world.snapshot(), journal: world.journal.mark(), ids: this.#ids.state };
    return handled => {
      const id = handled.id ?? `${handled.plane === 'control' ? 'ctl' : 'page'}_${this.#ids.letters(16)}`;
      const at = this.#host.world.clock.timestamp();
      this.#add({ ...stored(handled), id, at, before, place });
    };
  }

  /** Goes back to the state before an entry, and drops it and all later ones. Returns how many were dropped. */
  rewind(entry: HistoryEntry): number {
    const index = this.entries.indexOf(entry);
    const { snapshot, journal, ids } = entry.before;
    this.#host.current.rewind(snapshot, journal);
    this.#ids = new RandomStream(snapshot.seed, 'history', ids);
    const dropped = this.#entries.splice(index);
    for (const each of dropped) this.#bodyLength -= lengthOf(each);
    return dropped.length;
  }

  #add(entry: Recorded): void {
    // A request that waits ends after others that began later.
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1]?.place ?? 0) > entry.place) index -= 1;
    if (index === this.#entries.length) this.#entries.push(entry);
    else this.#entries.splice(index, 0, entry);
    this.#bodyLength += lengthOf(entry);
    while (
      this.#entries.length > MAX_ENTRIES ||
      (this.#bodyLength > MAX_BODY_LENGTH && this.#entries.length > 1)
    ) {
      const oldest = this.#entries.shift();
      if (oldest !== undefined) this.#bodyLength -= lengthOf(oldest);
    }
  }
}

interface Recorded extends HistoryEntry {
  /** The place of the request among all, by when it began. */
  readonly place: number;
}

const histories = new WeakMap<Host, History>();

/** The history of a world. */
export function historyOf(host: Host): History {
  let history = histories.get(host);
  if (history === undefined) {
    history = new History(host);
    histories.set(host, history);
  }
  return history;
}

/** Records the requests to all worlds in their histories. */
export const recorder: Recorder = { begin: host => historyOf(host).begin() };

/** What is kept of a request. Production keys are never stored, and pages, which show cards, are not kept. */
function stored(handled: RecordedRequest): Omit<HistoryEntry, 'id' | 'at' | 'before'> {
  const { plane, request, response, summary } = handled;
  const body = bodyText(handled);
  return {
    ...handled,
    summary: dropLiveKeys(summary),
    requestBody: body === null ? null : dropLiveKeys(body),
    request: {
      method: request.method,
      path: dropLiveKeys(request.path),
      query: dropLiveKeys(request.query),
      headers: withoutLiveKeys(request.headers),
      body: NO_BYTES,
      remoteAddress: request.remoteAddress,
    },
    response: { ...response, body: plane === 'page' ? '' : dropLiveKeys(response.body) },
  };
}

/** The body as it was sent. A request that was refused early has one that the plane has not read. */
function bodyText({ request, requestBody }: RecordedRequest): string | null {
  if (requestBody !== '' || request.body.length === 0) return requestBody;
  const isText = request.body.length <= MAX_BODY_BYTES && isUtf8(request.body);
  return isText ? Buffer.from(request.body).toString() : null;
}

function withoutLiveKeys(headers: ApiRequest['headers']): ApiRequest['headers'] {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || !value.includes(LIVE_KEY_PREFIX)) continue;
    return Object.fromEntries(
      Object.entries(headers).filter(([, each]) => !String(each).includes(LIVE_KEY_PREFIX)),
    );
  }
  return headers;
}

const NO_BYTES = new Uint8Array();

function lengthOf({ requestBody, response }: HistoryEntry): number {
  return (requestBody?.length ?? 0) + response.body.length;
}
