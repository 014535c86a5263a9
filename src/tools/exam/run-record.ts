import { findOperation } from '../../client/find-operation.ts';
import type { EventType } from '../../client/generated/records.ts';
import { isSentByLibrary } from '../../client/http.ts';
import type { RecordAttempt, RecordEntry } from '../../control/history/record/format.ts';
import type { WorldRecord } from '../../control/history/record/read.ts';
import { redactPath, redactQuery, redactText } from '../../core/redaction/redact.ts';
import { API_PREFIX } from '../../core/values/plane.ts';
import { REIMPORT } from '../../core/values/reimport.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import { apiOperations } from './catalogue/catalogue.ts';
import type { CreatedRecord, DoubledKind } from './doubles.ts';
import { type ClockMode, type ExamHistory, type OwnOption, READ_OF_PERSON } from './misbehaviour.ts';

/** A request or a webhook of a run. */
export interface Happening {
  readonly text: string;
  /** Whether the misbehaviour affected it. */
  readonly isAffected: boolean;
}

/** A request that failed because of the misbehaviour. */
export interface FailedCall {
  /** Id of its operation. */
  readonly operation: string;
  /** The status of the same request when it was sent again; null if it was not. */
  readonly repeatStatus: number | null;
  /** Method and path. */
  readonly request: string;
  /** Whether a request with the same method and path followed, whatever its body was. */
  readonly isFollowed: boolean;
  /** What happened around it. */
  readonly happenings: readonly Happening[];
}

/** How many happenings are shown before and after one that was affected. */
const BEFORE = 3;
const AFTER = 5;
/** Cap on those that are affected and whose surroundings are kept. */
const MAX_WINDOWS = 100;
const UNAUTHORIZED = 401;
const FIRST_ERROR = 400;
const CONFLICT = 409;
/** The status of a response that is missing because its request was lost. */
const LOST = 503;
/** How long a decision about KYC takes by default. */
const DEFAULT_KYC_DELAY = '2s';
/** How far the start of a clock may be from that of the command where nobody set it, in milliseconds. */
const CLOCK_TOLERANCE_MS = 20 * 60_000;

const KINDS: readonly DoubledKind[] = ['cardholder', 'card', 'KYC session'];

/** What happened in the worlds that a command used, as their records have it. */
export class RunRecord {
  readonly #worlds: readonly WorldNotes[];

  /** `startedAt` is the wall time at which the command began, in milliseconds since 1970. */
  constructor(records: readonly WorldRecord[], startedAt: number) {
    this.#worlds = records.map(record => new WorldNotes(record, startedAt));
  }

  /** Whether the client of an app called the API, and not only `sandbox.api`. */
  get #isOfApp(): boolean {
    return this.#worlds.some(({ ofApp }) => ofApp.called.size > 0);
  }

  /** Those worlds whose calls are examined, with these: the calls of the app, or those of `sandbox.api` if there are no others. */
  get #examined(): readonly { readonly world: WorldNotes; readonly calls: Calls }[] {
    const isOfApp = this.#isOfApp;
    return this.#worlds
      .map(world => ({ world, calls: isOfApp ? world.ofApp : world.ofLibrary }))
      .filter(({ calls }) => calls.called.size > 0);
  }

  /** What the command did, for the choice of misbehaviours. */
  get history(): ExamHistory {
    const examined = this.#examined;
    const called = new Set(examined.flatMap(({ calls }) => [...calls.called]));
    const webhooks = new Set(this.#worlds.flatMap(world => [...world.webhooks]));
    const waiting = examined.filter(({ calls }) => [...calls.pendingReads.values()].some(times => times > 1));
    const isOwn = (option: OwnOption) =>
      examined.length > 0 && examined.every(({ world }) => world.ownOptions.has(option));
    return {
      called: apiOperations.filter(({ id }) => called.has(id)),
      // The types come from deliveries.
      webhooks: [...webhooks].sort() as EventType[],
      usesLibrary: this.#isOfApp && this.#worlds.some(({ ofLibrary }) => ofLibrary.called.size > 0),
      clocks: [...new Set(this.#worlds.map(({ clock }) => clock))],
      ownOptions: (['clock', 'kycDelay'] as const).filter(isOwn),
      waitsForKyc: [...new Set(waiting.map(({ world }) => world.clock))],
    };
  }

  /** How often the misbehaviour was triggered. */
  get hits(): number {
    return this.#worlds.reduce((sum, { hits }) => sum + hits, 0);
  }

  /** The statuses with which additional webhooks were answered; null for those without a response. */
  get forged(): readonly (number | null)[] {
    return this.#worlds.flatMap(({ forged }) => forged);
  }

  /** What the requests created, in their order. */
  get created(): readonly CreatedRecord[] {
    return this.#worlds.flatMap(world => world.created);
  }

  /** The requests that were sent again sooner than the Retry-After of their responses says. */
  get earlyRepeats(): readonly string[] {
    return [...new Set(this.#worlds.flatMap(({ earlyRepeats }) => earlyRepeats))];
  }

  /** Whether nothing at all was recorded. */
  get isEmpty(): boolean {
    return this.#worlds.length === 0;
  }

  /** Whether the command sent a request to the API. */
  get isUsed(): boolean {
    return this.#worlds.some(({ requests }) => requests > 0);
  }

  /** The happenings around the first one that was affected, or the last ones. */
  around(): readonly Happening[] {
    const affected = this.#worlds.find(({ hits }) => hits > 0) ?? this.#worlds.at(-1);
    return affected?.around ?? [];
  }

  /** The requests that failed because of the misbehaviour. */
  get failedCalls(): readonly FailedCall[] {
    return this.#worlds.flatMap(({ failedCalls }) => failedCalls);
  }
}

/** The operations that were called, and how often each cardholder was read while its KYC was pending. */
class Calls {
  readonly called = new Set<string>();
  readonly pendingReads = new Map<string, number>();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What a record says about a run. */
class WorldNotes {
  /** What the client of an app called, and what `sandbox.api` called. */
  readonly ofApp = new Calls();
  readonly ofLibrary = new Calls();
  readonly webhooks = new Set<string>();
  readonly forged: (number | null)[] = [];
  readonly earlyRepeats: string[] = [];
  readonly failedCalls: Mutable<FailedCall>[] = [];
  readonly ownOptions = new Set<OwnOption>();
  hits = 0;
  requests = 0;
  readonly #created: Omit<CreatedRecord, 'isUndone'>[] = [];
  readonly #undone = new Set<string>();
  /** The externalUserIds of the cardholders that were created. */
  readonly #people = new Set<string>();
  /** The failed calls that were not repeated, by what a repeat says. */
  readonly #open = new Map<string, Mutable<FailedCall>>();
  /** The last happenings. */
  #recent: readonly Happening[] = [];
  /** Those around each one that was affected, and how many more are added. */
  readonly #windows: { readonly happenings: Happening[]; left: number }[] = [];
  readonly #name: string;
  /** How often the world went back to an earlier state, or to another one. */
  #resets = 0;
  #hasRun = false;
  #wasFrozen = false;

  constructor({ file, header, lines }: WorldRecord, startedAt: number) {
    this.#name = file;
    const { now, mode } = clockOf(header.start);
    this.#noteMode(mode);
    if (Math.abs(timeOf(now) - startedAt) > CLOCK_TOLERANCE_MS) this.ownOptions.add('clock');
    if (header.options.kycDelay !== DEFAULT_KYC_DELAY) this.ownOptions.add('kycDelay');
    for (const { line } of lines) {
      if ('attempt' in line) this.#addAttempt(line.attempt);
      else if ('rewind' in line) this.#reset();
      else if ('entry' in line && line.entry.plane === 'partner') this.#addRequest(line.entry);
      else if ('entry' in line && line.entry.plane === 'control') this.#addControl(line.entry);
    }
  }

  /** How its clock went. */
  get clock(): ClockMode {
    if (this.#hasRun && this.#wasFrozen) return 'both';
    return this.#wasFrozen ? 'frozen' : 'running';
  }

  get created(): readonly CreatedRecord[] {
    return this.#created.map(record => ({
      ...record,
      isUndone: this.#undone.has(`${record.scope} ${record.id}`),
    }));
  }

  get around(): readonly Happening[] {
    return this.#windows[0]?.happenings ?? this.#recent;
  }

  /** Names the world since its last reset. Records of others with the same ids are other ones. */
  get #scope(): string {
    return `${this.#name} ${this.#resets}`;
  }

  #reset(): void {
    this.#resets += 1;
    this.#open.clear();
    this.#people.clear();
  }

  #noteMode(mode: string | undefined): void {
    if (mode === 'frozen') this.#wasFrozen = true;
    else if (mode !== undefined) this.#hasRun = true;
  }

  #addControl({ method, path, status, body, state }: RecordEntry): void {
    if (status === null || status >= FIRST_ERROR) return;
    if (path === '/_sandbox/clock/freeze') this.#noteMode('frozen');
    if (path === '/_sandbox/clock/resume') this.#noteMode('running');
    const isLoad = method === 'PUT' && path === '/_sandbox/state';
    const isReset = path === '/_sandbox/reset' || /^\/_sandbox\/checkpoints\/[^/]+\/restore$/.test(path);
    if (!isLoad && !isReset) return;
    this.#noteMode(clockOf(isLoad ? parse(body) : state).mode);
    this.#reset();
  }

  #addRequest(entry: RecordEntry): void {
    const { method, path, query, status, struck = [], early, fault, dropped, summary } = entry;
    this.requests += 1;
    const operation = this.#operationOf(entry);
    const calls = isSentByLibrary(entry.headers) ? this.ofLibrary : this.ofApp;
    if (operation !== null && status !== UNAUTHORIZED) calls.called.add(operation);
    if (operation === READ_OF_PERSON) this.#notePendingRead(entry, calls);
    this.#noteWrites(entry, struck.length > 0);
    const request = `${redactText(method)} ${redactPath(path)}${query === '' ? '' : `?${redactQuery(query)}`}`;
    if (early) this.earlyRepeats.push(request);
    const isLost = dropped === true || status === null;
    const isRefused = isLost || status >= FIRST_ERROR;
    const result = isLost ? 'connection closed' : String(status);
    const reason = isRefused && !isLost ? ` (${redactText(summary)})` : '';
    const note = fault === undefined || struck.includes(fault) ? '' : ' [a fault of the command]';
    const text = `${request} -> ${result}${reason}${note}`;
    const happenings = this.#add({ text, isAffected: struck.length > 0 });
    const hasFailed = isRefused && fault !== undefined && struck.includes(fault);
    this.#noteFailure(entry, operation, { request, hasFailed, happenings });
  }

  /** Notes a request that failed because of the misbehaviour, or repeats one that did. */
  #noteFailure(
    entry: RecordEntry,
    operation: string | null,
    call: Pick<FailedCall, 'request' | 'happenings'> & { readonly hasFailed: boolean },
  ): void {
    const { request, hasFailed, happenings } = call;
    for (const failed of this.failedCalls) if (failed.request === request) failed.isFollowed = true;
    const key = `${entry.method} ${entry.path}?${entry.query} ${entry.body}`;
    const repeated = this.#open.get(key);
    if (repeated !== undefined) repeated.repeatStatus = entry.status ?? LOST;
    this.#open.delete(key);
    if (!hasFailed || operation === null) return;
    const failed = repeated ?? { operation, request, repeatStatus: null, isFollowed: false, happenings };
    if (repeated === undefined) this.failedCalls.push(failed);
    this.#open.set(key, failed);
  }

  /** Returns the id of the operation of a request; null for none. */
  #operationOf({ method, path, status, body, response }: RecordEntry): string | null {
    const found = path.startsWith(`${API_PREFIX}/`)
      ? findOperation('partner', method, path.slice(API_PREFIX.length))
      : null;
    if (found?.id !== 'cardholders.create') return found?.id ?? null;
    const isLocked = status === CONFLICT && (response?.body ?? '').includes('CARDHOLDER_KYC_LOCKED');
    const isKnown = this.#people.has(textOf(parse(body), 'externalUserId'));
    return status === 200 || isLocked || isKnown ? REIMPORT : found.id;
  }

  #notePendingRead({ status, response, fault }: RecordEntry, { pendingReads }: Calls): void {
    const cardholder = parse(response?.body ?? null);
    if (status !== 200 || fault !== undefined || textOf(cardholder, 'kycStatus') !== 'pending') return;
    const key = `${this.#resets} ${textOf(cardholder, 'id')}`;
    pendingReads.set(key, (pendingReads.get(key) ?? 0) + 1);
  }

  /** Notes what a request created or undid, whatever was responded to it. */
  #noteWrites({ id, requestId = id, created = [], undone = [] }: RecordEntry, isAffected: boolean): void {
    const scope = this.#scope;
    for (const each of undone) this.#undone.add(`${scope} ${each}`);
    for (const { kind: name, content, ...record } of created) {
      const kind = KINDS.find(each => each === name);
      if (kind === undefined) continue;
      if (kind === 'cardholder') this.#people.add(record.ownerName);
      // Ids of partners are the same in each run, and names of cardholders are those that the app gave them.
      const shape = textOf(content, kind === 'cardholder' ? 'kycSource' : 'type');
      this.#created.push({ ...record, kind, content, call: requestId, isAffected, scope, shape });
    }
  }

  #addAttempt(attempt: RecordAttempt): void {
    const { eventType, url, status, cause, fault, extra, struck = [] } = attempt;
    if (status !== null) this.webhooks.add(eventType);
    if (extra) this.forged.push(status);
    const what = extra ? `additional webhook of ${eventType}` : `webhook ${eventType}`;
    const by = struck.length > 0 ? ` [${fault ?? 'sent again'}]` : '';
    const result = `${status ?? cause ?? 'no response'}${url === null ? ' (no URL)' : ''}`;
    this.#add({ text: `${what}${by} -> ${result}`, isAffected: struck.length > 0 });
  }

  /** Returns what happened around it, which grows; what happened before it if it was not affected. */
  #add(happening: Happening): readonly Happening[] {
    for (const window of this.#windows) {
      if (window.left === 0) continue;
      window.left -= 1;
      window.happenings.push(happening);
    }
    const before = this.#recent;
    this.#recent = [...before, happening].slice(-(BEFORE + AFTER));
    if (!happening.isAffected) return before;
    this.hits += 1;
    const happenings = [...before.slice(-BEFORE), happening];
    if (this.#windows.length < MAX_WINDOWS) this.#windows.push({ happenings, left: AFTER });
    return happenings;
  }
}

/** The clock in a state document. */
function clockOf(document: unknown): { readonly now: string; readonly mode: string | undefined } {
  const clock = memberOf(document, 'clock');
  const mode = memberOf(clock, 'mode');
  return { now: textOf(clock, 'now'), mode: typeof mode === 'string' ? mode : undefined };
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return member === undefined ? '' : String(member);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
