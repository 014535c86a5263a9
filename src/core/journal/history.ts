import { Buffer, isUtf8 } from 'node:buffer';
import { ApiError, assumed, type Fidelity, notFound, unknownRecord } from '../operation/errors.ts';
import { type ApiRequest, type ApiResponse, MAX_BODY_BYTES } from '../request/http.ts';
import type { Plane } from '../values/plane.ts';
import type { CheckpointNames, CurrentState } from '../world/current-state.ts';
import type { RequestNotes } from '../world/disturbance.ts';
import type { Forwarding } from '../world/transport.ts';
import type { WorldSnapshot } from '../world/world-snapshot.ts';
import type { WorldState } from '../world/world-state.ts';
import type { JournalSnapshot } from './journal.ts';

/** The history keeps this many entries, the newest. */
export const MAX_ENTRIES = 1_000;

/** Cap on the bodies of all entries of a world together, in UTF-16 code units. */
const MAX_BODY_LENGTH = 32 * 1024 * 1024;

/** What an attempt counts beside its response body: its headers and what else is kept of it. */
const ATTEMPT_LENGTH = 512;

export interface HandledRequest {
  readonly plane: Plane | 'page';
  /** The id of its journal entry; null for requests that the journal does not record. */
  readonly requestId: string | null;
  /** The request as it arrived; a path of the control plane does not name the world. */
  readonly request: ApiRequest;
  /** The text of the body; empty for one that the plane has not read. */
  readonly requestBody: string;
  readonly response: ApiResponse;
  /** What the request was for, or why it was refused. */
  readonly summary: string;
  /** What made the response, where that is not what the request did. */
  readonly by?: ResponseMaker | undefined;
  /** Id of the fault that acted, or `header`. */
  readonly fault?: string | undefined;
  /** Whether the request changed the world, where a fault acted: its response does not say so. */
  readonly hasWritten?: boolean | undefined;
  /** The rule behind a refusal. */
  readonly rule?: Fidelity | undefined;
  /** What the disturbance of the world notes about it, if it has one. */
  readonly notes?: RequestNotes | undefined;
}

/**
 * What made a response: the rate limit, whose windows are of wall time, a handler in code, a fault that lost the request
 * before it was applied, or another fault of the disturbance of the world.
 */
export type ResponseMaker = 'rate-limit' | 'handler' | 'lost-request' | 'disturbance';

/** What was asked of a world from outside, and the world before it. */
export interface HistoryEntry {
  /** `ent_` and its number, unique in the history. */
  readonly id: string;
  /** Its place since the world began. */
  readonly number: number;
  readonly requestId: string | null;
  readonly plane: HandledRequest['plane'];
  readonly summary: string;
  readonly by: ResponseMaker | null;
  readonly fault: string | null;
  /** Whether the request changed the world, where a fault acted; null without one. */
  readonly hasWritten: boolean | null;
  readonly rule: Fidelity | null;
  readonly notes: RequestNotes | null;
  /** Sandbox time at which it was handled or, for a call that waited, at its end, in milliseconds. */
  readonly at: number;
  /** Sandbox time at which a call began that waited; null for one that did not. */
  readonly startedAt: number | null;
  readonly request: Omit<ApiRequest, 'body' | 'signal' | 'world' | 'afterResponse'>;
  /** The body as it was sent; null for one that is not text or was cut off. */
  readonly requestBody: string | null;
  readonly response: ApiResponse;
  /** The world just before the request. */
  readonly before: WorldSnapshot;
  /** The journal just before the request. */
  readonly journal: JournalSnapshot;
  /** The forwarding just before the request. */
  readonly forwarding: Forwarding;
  /** The names of the checkpoints just before the request, which a rewind leaves as they are. */
  readonly checkpoints: CheckpointNames;
  /** The state to which the request took the world back, or that it loaded; null for any other request. */
  readonly restored: WorldSnapshot | null;
  /** The places at which it began and ended, among those of all entries and attempts. */
  readonly sequence: number;
  readonly endSequence: number;
  /** The webhook attempts that ended after it and before the next entry. */
  readonly attempts: readonly RecordedAttempt[];
  /** The places, among the attempts, at which the world went back to this point: it calls off what is in flight. */
  readonly rewinds: readonly RewindPlace[];
}

/** A place at which the world went back, and the forwarding there, which a rewind leaves as it is. */
export interface RewindPlace {
  readonly sequence: number;
  readonly forwarding: Forwarding;
}

/** A webhook attempt that has ended. */
export interface HistoryAttempt {
  /** The id of the delivery event. */
  readonly event: string;
  readonly eventType: string;
  /** Sandbox time of its beginning, ISO 8601. */
  readonly startedAt: string;
  /** Where it was sent; null for one that was not. */
  readonly url: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number | null;
  readonly cause: string | null;
  readonly durationMs: number;
  readonly responseBody: string | null;
  /** The webhook fault that affected it; null if none did. */
  readonly fault: string | null;
  /** Status of the response to the second request of a duplicate; null without a response. */
  readonly repeatStatus?: number | null | undefined;
  readonly extra?: true | undefined;
  readonly redelivery?: true | undefined;
  /** The ids of what struck it, where the world has a disturbance. */
  readonly struck?: readonly string[] | undefined;
}

export interface RecordedAttempt extends HistoryAttempt {
  /** Sandbox time of its end, in milliseconds. */
  readonly at: number;
  readonly sequence: number;
}

export type HistoryNews =
  /** A record that has this entry first begins with the world `start`, and with the attempts before the entry. */
  | {
      readonly kind: 'entry';
      readonly entry: HistoryEntry;
      readonly start: HistoryStart;
      readonly firstAttempts: readonly RecordedAttempt[];
    }
  | { readonly kind: 'attempt'; readonly attempt: RecordedAttempt }
  /** The world went back to the state before an entry, which has left the history with all later ones. */
  | ({ readonly kind: 'rewind'; readonly to: string } & RewindPlace);

/** The world before an entry, or before a call during which it was handled. */
export type HistoryStart = Pick<HistoryEntry, 'before' | 'forwarding'>;

export interface HistoryPart {
  /** The world before all of it. */
  readonly start: HistoryStart;
  readonly entries: readonly HistoryEntry[];
  /** The attempts that ended before the first entry did. */
  readonly firstAttempts: readonly RecordedAttempt[];
  /** The entry after the last; null for the newest. */
  readonly next: HistoryEntry | null;
}

/** What a history needs of its world. */
interface RecordedWorld {
  readonly state: WorldState;
  readonly current: CurrentState;
}

/** An entry while it is in a history. */
interface Kept extends HistoryEntry {
  readonly attempts: RecordedAttempt[];
  readonly rewinds: RewindPlace[];
  /** The length of both bodies. Kept, because reading old texts from memory takes longer than adding an entry. */
  readonly bodyLength: number;
}

/** What was asked of a world from outside, in the order in which it ended, with the webhook attempts in between. */
export class History {
  readonly #world: RecordedWorld;
  readonly #keepsAll: boolean;
  #entries: Kept[] = [];
  /** Attempts that ended before the first entry did, and after it, or a call around it, began. */
  #firstAttempts: RecordedAttempt[] = [];
  /** While there is no entry: the world before the first call that has begun, or after a rewind to the first entry. */
  #start: HistoryStart | null = null;
  #bodyLength = 0;
  /** The number of entries since the world began; a rewind goes back in it. */
  #count = 0;
  #sequence = 0;
  /** For each time that the world went back: the place from which on it was undone. */
  readonly #undoneFrom: number[] = [];
  readonly #listeners = new Set<(news: HistoryNews) => void>();

  /** With `keepsAll` no entry is dropped. */
  constructor(world: RecordedWorld, keepsAll = false) {
    this.#world = world;
    this.#keepsAll = keepsAll;
  }

  /** Goes on counting from the number of entries that a record leaves out before its first. */
  countFrom(count: number): void {
    this.#count = count;
  }

  /** Drops all entries: the history begins here. Must not be called while a call is in flight. */
  clear(): void {
    this.#entries = [];
    this.#firstAttempts = [];
    this.#start = null;
    this.#bodyLength = 0;
    this.#count = 0;
  }

  /** All entries, oldest first. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }

  /** Calls `listener` with all news, at once. Returns a function that unsubscribes. `listener` must not throw. */
  subscribe(listener: (news: HistoryNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the entry with an id, or the newest with a `requestId`. Throws a 404 when there is none. */
  entry(id: string): HistoryEntry {
    const entry = this.#entries.findLast(each => each.id === id || each.requestId === id);
    if (entry !== undefined) return entry;
    // Not the nearest id: a rewind to a number that looks like the one that was meant undoes something else.
    const [oldest, newest] = [this.#entries.at(0), this.#entries.at(-1)];
    const range = oldest === newest ? (oldest?.id ?? 'no entries') : `${oldest?.id} to ${newest?.id}`;
    const { message } = notFound('history entry', id);
    throw new ApiError(404, unknownRecord('history entry'), `${message}; the history has ${range}`);
  }

  /**
   * Returns the entries from one to another that together continue the state before the first, with the attempts that
   * ended before it did. They begin with a call during which the first was handled, and end with one that the last was
   * handled during.
   */
  between(entry: HistoryEntry, last: HistoryEntry): HistoryPart {
    const index = this.#indexBefore(entry);
    const around = this.#entries.find(
      ({ sequence, endSequence }) => sequence < entry.sequence && endSequence > entry.sequence,
    );
    if (around !== undefined) return this.between(around, last);
    const later = this.#entries.findLast(({ sequence }) => sequence < last.endSequence);
    if (later !== undefined && later.endSequence > last.endSequence) return this.between(entry, later);
    const end = this.#entries.findIndex(({ id }) => id === last.id) + 1;
    const earlier = index === 0 ? this.#firstAttempts : (this.#entries[index - 1]?.attempts ?? []);
    const firstAttempts = earlier.filter(({ sequence }) => sequence > entry.sequence);
    const entries = this.#entries.slice(index, end);
    return { start: entry, entries, firstAttempts, next: this.#entries[end] ?? null };
  }

  /**
   * Takes note of the world before a request. Returns the function that adds the request with its outcome, unless a rewind
   * has undone its beginning. `hasWaited` says whether the call waited for its end.
   */
  begin(): (handled: HandledRequest, hasWaited?: boolean) => void {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const { state, current } = this.#world;
    const before = state.snapshot();
    const journal = state.journal.snapshot();
    const forwarding = state.setup.forwarding();
    const { changes, checkpointNames: checkpoints } = current;
    const rewinds = this.#undoneFrom.length;
    if (this.#entries.length === 0) this.#start ??= { before, forwarding };
    return (handled, hasWaited = false) => {
      if (this.#undoneFrom.some((place, index) => index >= rewinds && place <= sequence)) return;
      const restored = current.changes === changes ? null : current.origin;
      // A running clock has moved on since it was handled.
      const at = hasWaited ? this.#world.state.clock.now() : (restored ?? before).clock.now;
      const startedAt = hasWaited ? before.clock.now : null;
      const { method, path, query, headers, remoteAddress } = handled.request;
      const { response } = handled;
      const requestBody = bodyText(handled);
      this.#count += 1;
      this.#sequence += 1;
      // Its members are named: an object that is spread into it doubles the time of a read.
      this.#add({
        id: `ent_${this.#count}`,
        number: this.#count,
        requestId: handled.requestId,
        plane: handled.plane,
        summary: handled.summary,
        by: handled.by ?? null,
        fault: handled.fault ?? null,
        hasWritten: handled.hasWritten ?? null,
        rule: handled.rule ?? null,
        notes: handled.notes ?? this.#world.state.setup.disturbance?.afterControl() ?? null,
        at,
        startedAt,
        request: { method, path, query, headers, remoteAddress },
        requestBody,
        response,
        before,
        journal,
        forwarding,
        checkpoints,
        restored,
        sequence,
        endSequence: this.#sequence,
        attempts: [],
        rewinds: [],
        bodyLength: (requestBody?.length ?? 0) + response.body.length,
      });
    };
  }

  addAttempt(attempt: HistoryAttempt): void {
    const last = this.#entries.at(-1);
    // The first entry will begin with the state that has it.
    if (last === undefined && this.#start === null) return;
    this.#sequence += 1;
    const recorded = { ...attempt, at: this.#world.state.clock.now(), sequence: this.#sequence };
    (last?.attempts ?? this.#firstAttempts).push(recorded);
    this.#bodyLength += lengthOf(recorded);
    this.#publish({ kind: 'attempt', attempt: recorded });
  }

  /** Goes back to the state before an entry, and drops it and all later ones. Returns how many were dropped. */
  rewind(entry: HistoryEntry): number {
    const index = this.#indexBefore(entry);
    const kept = this.#entries[index - 1]?.attempts ?? this.#firstAttempts;
    const undone = kept.filter(({ sequence }) => sequence > entry.sequence);
    this.#world.current.rewind(entry.before, entry.journal);
    const dropped = this.#entries.splice(index);
    kept.splice(kept.length - undone.length);
    for (const each of dropped) this.#bodyLength -= each.bodyLength + sumOf(each.attempts);
    this.#bodyLength -= sumOf(undone);
    this.#count = (dropped[0]?.number ?? this.#count + 1) - 1;
    this.#undoneFrom.push(entry.sequence);
    this.#sequence += 1;
    const forwarding = this.#world.state.setup.forwarding();
    if (index === 0) this.#start = { before: this.#world.state.snapshot(), forwarding };
    this.#entries.at(-1)?.rewinds.push({ sequence: this.#sequence, forwarding });
    this.#publish({ kind: 'rewind', to: entry.id, sequence: this.#sequence, forwarding });
    return dropped.length;
  }

  /** The place of the first entry that began after the state before an entry. What asked during a call stands before it. */
  #indexBefore(entry: HistoryEntry): number {
    const index = this.#entries.findIndex(({ sequence }) => sequence >= entry.sequence);
    if (index !== -1) return index;
    throw new ApiError(409, assumed('history'), `the entry ${entry.id} is no longer in the history`);
  }

  #add(entry: Kept): void {
    const start = this.#start ?? entry;
    const firstAttempts = this.#start === null ? [] : [...this.#firstAttempts];
    // Kept longer, it would keep every row that was replaced since.
    this.#start = null;
    this.#entries.push(entry);
    this.#bodyLength += entry.bodyLength;
    while (this.#isTooLong) this.#dropOldest();
    this.#publish({ kind: 'entry', entry, start, firstAttempts });
  }

  get #isTooLong(): boolean {
    if (this.#keepsAll) return false;
    const { length } = this.#entries;
    return length > MAX_ENTRIES || (this.#bodyLength > MAX_BODY_LENGTH && length > 1);
  }

  /** Drops the oldest entry, and those after it that began earlier: nothing has the state from which they go on. */
  #dropOldest(): void {
    let last = 0;
    do {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      last = Math.max(last, oldest.sequence);
      const next = this.#entries[0]?.sequence ?? Number.POSITIVE_INFINITY;
      this.#bodyLength -= oldest.bodyLength;
      if (this.#firstAttempts.length + oldest.attempts.length === 0) continue;
      const attempts = [...this.#firstAttempts, ...oldest.attempts];
      this.#firstAttempts = attempts.filter(({ sequence }) => sequence > next);
      this.#bodyLength -= sumOf(attempts) - sumOf(this.#firstAttempts);
    } while ((this.#entries[0]?.sequence ?? Number.POSITIVE_INFINITY) < last);
  }

  #publish(news: HistoryNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}

function lengthOf({ responseBody }: RecordedAttempt): number {
  return ATTEMPT_LENGTH + (responseBody?.length ?? 0);
}

function sumOf(attempts: readonly RecordedAttempt[]): number {
  return attempts.reduce((sum, each) => sum + lengthOf(each), 0);
}

/** The body as it was sent. A request that was refused early has one that the plane, or the server, has not read. */
function bodyText({ request, requestBody }: HandledRequest): string | null {
  if (request.body.length === 0 && Number(request.headers['content-length']) > MAX_BODY_BYTES) return null;
  if (requestBody !== '' || request.body.length === 0) return requestBody;
  const isText = request.body.length <= MAX_BODY_BYTES && isUtf8(request.body);
  return isText ? Buffer.from(request.body).toString() : null;
}
