import { LIVE_KEY_PREFIX } from '../kernel/access/api-key.ts';
import { KEY_HEADER } from '../kernel/access/authenticate.ts';
import { dropLiveKeys } from '../kernel/journal/redact.ts';
import type { Host } from '../kernel/operation/host.ts';
import type { RecordedRequest, Recorder } from '../kernel/request/recorder.ts';
import { RandomStream, type StreamState } from '../kernel/values/random.ts';
import type { Moment } from '../kernel/world/world-snapshot.ts';

/** The history keeps this many entries, the newest. */
export const MAX_ENTRIES = 1_000;

/** Cap on the bodies of all entries of a world together, in UTF-16 code units. */
const MAX_BODY_LENGTH = 32 * 1024 * 1024;

/** The world just before a request. */
interface Before {
  readonly moment: Moment;
  /** The state of the stream from which ids of entries are drawn. */
  readonly ids: StreamState;
}

/** One request that changed a world from outside, and the world before it. */
export interface HistoryEntry extends RecordedRequest {
  readonly id: string;
  /** Sandbox time of the response, ISO 8601. */
  readonly at: string;
  readonly before: Before;
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
    const before = { moment: world.moment(), ids: this.#ids.state };
    return handled => {
      const id = handled.id ?? `${handled.plane === 'control' ? 'ctl' : 'page'}_${this.#ids.letters(16)}`;
      const at = this.#host.world.clock.timestamp();
      this.#add({ ...withoutLiveKeys(handled), id, at, before, place });
    };
  }

  /** Goes back to the state before an entry, and drops it and all later ones. Returns how many were dropped. */
  rewind(entry: HistoryEntry): number {
    const index = this.entries.indexOf(entry);
    const { moment, ids } = entry.before;
    this.#host.current.rewind(moment);
    this.#ids = new RandomStream(this.#host.world.options.seed, 'history', ids);
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

/** Production keys are never stored, and the bytes of a body need not be kept besides its text. */
function withoutLiveKeys(handled: RecordedRequest): RecordedRequest {
  const { request } = handled;
  const key = request.headers[KEY_HEADER];
  const isLive = typeof key === 'string' && key.startsWith(LIVE_KEY_PREFIX);
  return {
    ...handled,
    requestBody: handled.requestBody === null ? null : dropLiveKeys(handled.requestBody),
    request: {
      ...request,
      path: dropLiveKeys(request.path),
      query: dropLiveKeys(request.query),
      headers: isLive ? { ...request.headers, [KEY_HEADER]: undefined } : request.headers,
      body: NO_BYTES,
    },
  };
}

const NO_BYTES = new Uint8Array();

function lengthOf({ requestBody, response }: RecordedRequest): number {
  return (requestBody?.length ?? 0) + response.body.length;
}
