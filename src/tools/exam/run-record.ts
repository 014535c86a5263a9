import { findOperation } from '../../client/find-operation.ts';
import type { EventType } from '../../client/generated/records.ts';
import { isSentByLibrary } from '../../client/http.ts';
import type { RecordAttempt, RecordEntry } from '../../control/history/record/format.ts';
import type { WorldRecord } from '../../control/history/record/read.ts';
import { StateReturns } from '../../control/history/record/returns.ts';
import { redactPath, redactQuery, redactText } from '../../core/redaction/redact.ts';
import { mayHaveArrived, showsSilence } from '../../core/values/attempt-causes.ts';
import { API_PREFIX } from '../../core/values/plane.ts';
import { REIMPORT } from '../../core/values/reimport.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import { apiOperations } from './catalogue/catalogue.ts';
import { type CreatedRecord, KINDS } from './doubles.ts';
import { type ClockMode, type ExamHistory, type OwnOption, READ_OF_PERSON } from './misbehaviour.ts';

export interface Happening {
  readonly text: string;
  /** The ids of the misbehaviours that struck it, or that show in it. */
  readonly struck: readonly string[];
}

export interface FailedCall {
  readonly by: string;
  readonly operation: string;
  /** The status of the same request when it was sent again; null if it was not. */
  readonly repeatStatus: number | null;
  readonly request: string;
  /** Whether a request with the same method and path followed, whatever its body was. */
  readonly isFollowed: boolean;
  readonly happenings: readonly Happening[];
}

/** An additional webhook of a misbehaviour. */
export interface ExtraAttempt {
  readonly eventType: string;
  /** Null without a response. */
  readonly status: number | null;
  /** Whether its receiver may have got it: it did not refuse the connection, and the sandbox did not end the attempt. */
  readonly mayHaveArrived: boolean;
  /**
   * Whether its receiver was certainly there and gave no response. That is so where the attempt timed out, where the
   * receiver threw, and where the delivery beside which it was sent, whose own attempt follows at once at the same URL, was
   * answered. A receiver that is closed while the attempt is in flight, even if another one follows it later, misses both.
   */
  readonly isUnanswered: boolean;
  /**
   * Whether the delivery beside which it was sent was accepted, at the same URL. Where it was not, the receiver may have
   * refused any webhook.
   */
  readonly isBesideAccepted: boolean;
}

const BEFORE = 3;
const AFTER = 5;
const UNAUTHORIZED = 401;
const FIRST_ERROR = 400;
/** From this status on, a receiver has not accepted a webhook. */
export const FIRST_REFUSAL = 300;
const CONFLICT = 409;
/** The status of a response that is missing because its request was lost. */
const LOST = 503;
const DEFAULT_KYC_DELAY = '2s';
/** How far the start of a clock may be from the start of the command where nobody set it, in milliseconds. */
const CLOCK_TOLERANCE_MS = 20 * 60_000;

/** What happened in the worlds that a command used, as their records have it. */
export class RunRecord {
  readonly #worlds: readonly WorldNotes[];

  /**
   * `startedAt` is the wall time at which the command began, in milliseconds since 1970. `strikers` are the ids of the
   * misbehaviours that fail or delay single calls.
   */
  constructor(records: readonly WorldRecord[], startedAt: number, strikers: ReadonlySet<string> = new Set()) {
    this.#worlds = records.map(record => new WorldNotes(record, startedAt, strikers));
  }

  /** Whether the client of an app called the API, and not only `sandbox.api`. */
  get #isOfApp(): boolean {
    return this.#worlds.some(({ ofApp }) => ofApp.called.size > 0);
  }

  /** The worlds with calls to examine: the calls of the app, or if it made none, the calls of `sandbox.api`. */
  get #examined(): readonly { readonly world: WorldNotes; readonly calls: Calls }[] {
    const isOfApp = this.#isOfApp;
    return this.#worlds
      .map(world => ({ world, calls: isOfApp ? world.ofApp : world.ofLibrary }))
      .filter(({ calls }) => calls.called.size > 0);
  }

  get history(): ExamHistory {
    const examined = this.#examined;
    const called = new Set(examined.flatMap(({ calls }) => [...calls.called]));
    // The types come from deliveries.
    const typesOf = (types: (world: WorldNotes) => ReadonlySet<string>) =>
      [...new Set(this.#worlds.flatMap(world => [...types(world)]))].sort() as EventType[];
    const waiting = examined.filter(({ calls }) => [...calls.pendingReads.values()].some(times => times > 1));
    const isOwn: Readonly<Record<OwnOption, boolean>> = {
      clock: examined.every(({ calls }) => !calls.showsTime),
      kycDelay: examined.every(({ world }) => world.hasOwnKycDelay),
    };
    return {
      called: apiOperations.filter(({ id }) => called.has(id)),
      webhooks: typesOf(({ webhooks }) => webhooks),
      acceptedWebhooks: typesOf(({ accepted }) => accepted),
      hasSeveralWebhooks: this.#worlds.some(world => world.delivered.size > 1),
      openLists: [...new Set(examined.flatMap(({ calls }) => [...calls.openLists]))],
      usesLibrary: this.#isOfApp && this.#worlds.some(({ ofLibrary }) => ofLibrary.called.size > 0),
      clocks: [...new Set(this.#worlds.map(({ clock }) => clock))],
      ownOptions: examined.length === 0 ? [] : (['clock', 'kycDelay'] as const).filter(name => isOwn[name]),
      waitsForKyc: [...new Set(waiting.map(({ world }) => world.clock))],
    };
  }

  strikesOf(id: string): number {
    const all = this.#worlds.flatMap(({ happenings }) => happenings);
    return all.filter(({ struck }) => struck.includes(id)).length;
  }

  /**
   * How many webhooks of some types a misbehaviour struck, or how many there were, and how many of those their receiver had
   * refused by the end; a repeated one counts as refused if one of its requests was.
   */
  webhooksOf(
    id: string | null,
    types: ReadonlySet<string>,
  ): { readonly all: number; readonly refused: number } {
    const struck = this.#worlds.flatMap(({ answers }) =>
      [...answers.values()].filter(
        ({ ids, eventType }) => (id === null || ids.has(id)) && types.has(eventType),
      ),
    );
    return { all: struck.length, refused: struck.filter(({ isRefused }) => isRefused).length };
  }

  extrasOf(id: string): readonly ExtraAttempt[] {
    return this.#worlds.flatMap(({ extras }) => extras.filter(({ struck }) => struck.includes(id)));
  }

  /** How many attempts of a type receivers refused, additional ones included. */
  refusalsOf(eventType: string): number {
    return this.#worlds.reduce((sum, { refusals }) => sum + (refusals.get(eventType) ?? 0), 0);
  }

  get created(): readonly CreatedRecord[] {
    return this.#worlds.flatMap(world => world.created);
  }

  /** How many operations each world was called with, all worlds together. */
  get operations(): number {
    return this.#examined.reduce((sum, { calls }) => sum + calls.called.size, 0);
  }

  get isEmpty(): boolean {
    return this.#worlds.length === 0;
  }

  get isUsed(): boolean {
    return this.#worlds.some(({ requests }) => requests > 0);
  }

  around(id: string): readonly Happening[] {
    for (const { happenings } of this.#worlds) {
      const place = happenings.findIndex(({ struck }) => struck.includes(id));
      if (place >= 0) return windowAt(happenings, place);
    }
    return this.#worlds.at(-1)?.happenings.slice(-(BEFORE + AFTER)) ?? [];
  }

  failedCallsOf(id: string): readonly FailedCall[] {
    return this.#worlds.flatMap(({ failedCalls, happenings }) =>
      failedCalls
        .filter(({ by }) => by === id)
        .map(({ place, ...call }) => ({ ...call, happenings: windowAt(happenings, place) })),
    );
  }
}

function windowAt(happenings: readonly Happening[], place: number): readonly Happening[] {
  return happenings.slice(Math.max(0, place - BEFORE), place + 1 + AFTER);
}

class Calls {
  /** Whether one of them, or a webhook, was there while the command had not set the time. */
  showsTime = false;
  readonly called = new Set<string>();
  readonly openLists = new Set<string>();
  readonly pendingReads = new Map<string, number>();
}

/** A failed call while its record is read, with the place of its happening. */
interface OpenCall extends Omit<FailedCall, 'happenings' | 'repeatStatus' | 'isFollowed'> {
  readonly place: number;
  repeatStatus: number | null;
  isFollowed: boolean;
}

/** An additional webhook while its record is read, with what it was beside. */
interface OpenExtra extends ExtraAttempt {
  readonly struck: readonly string[];
  readonly event: string;
  readonly url: string | null;
  isUnanswered: boolean;
  isBesideAccepted: boolean;
}

interface WebhookAnswer {
  readonly eventType: string;
  readonly ids: ReadonlySet<string>;
  readonly isRefused: boolean;
}

/** The parameters of lists that leave out the records of other people. */
const OWN_FILTERS = /(?:^|&)(?:externalUserId|email|cardholderId|cardId)=/;

class WorldNotes {
  /** What the client of an app called, and what `sandbox.api` called. */
  readonly ofApp = new Calls();
  readonly ofLibrary = new Calls();
  readonly webhooks = new Set<string>();
  readonly accepted = new Set<string>();
  readonly delivered = new Set<string>();
  readonly refusals = new Map<string, number>();
  readonly extras: OpenExtra[] = [];
  /** What the receiver answered to each webhook in the end, and what struck it, by its event. */
  readonly answers = new Map<string, WebhookAnswer>();
  readonly happenings: Happening[] = [];
  readonly failedCalls: OpenCall[] = [];
  readonly hasOwnKycDelay: boolean;
  requests = 0;
  readonly #created: Omit<CreatedRecord, 'isUndone'>[] = [];
  readonly #undone = new Set<string>();
  readonly #people = new Set<string>();
  /** The failed calls that were not repeated, by what a repeat says. */
  readonly #open = new Map<string, OpenCall>();
  /** The additional webhooks whose delivery has not been attempted since. */
  #openExtras: readonly OpenExtra[] = [];
  readonly #name: string;
  readonly #strikers: ReadonlySet<string>;
  readonly #startedAt: number;
  /** How often the world went back to an earlier state, or to another one. */
  #resets = 0;
  #hasRun = false;
  #wasFrozen = false;
  /** The place of the line with which the command has set the time; -1 for the start, Infinity for none. */
  #timeSetAt = Number.POSITIVE_INFINITY;

  constructor({ file, header, lines }: WorldRecord, startedAt: number, strikers: ReadonlySet<string>) {
    this.#name = file;
    this.#strikers = strikers;
    const { now, mode } = clockOf(header.start);
    this.#noteMode(mode);
    this.#startedAt = startedAt;
    if (this.#isOwnTime(now)) this.#timeSetAt = -1;
    this.hasOwnKycDelay = header.options.kycDelay !== DEFAULT_KYC_DELAY;
    const returns = new StateReturns();
    for (const [place, { line }] of lines.entries()) {
      const kept = returns.next(line, place);
      if (kept !== null) this.#reset(kept);
      if ('attempt' in line) this.#addAttempt(line.attempt);
      else if ('entry' in line && line.entry.plane === 'partner') this.#addRequest(line.entry);
      else if ('entry' in line) this.#addControl(line.entry, place);
    }
  }

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

  /** Names the world since its last reset. Records of others with the same ids are other ones. */
  get #scope(): string {
    return `${this.#name} ${this.#resets}`;
  }

  /** Notes that the world went back to a state that has so many lines behind it. */
  #reset(kept: number): void {
    this.#resets += 1;
    if (this.#timeSetAt >= kept) this.#timeSetAt = Number.POSITIVE_INFINITY;
    this.#open.clear();
    this.#openExtras = [];
    this.#people.clear();
  }

  #isOwnTime(now: string): boolean {
    return Math.abs(timeOf(now) - this.#startedAt) > CLOCK_TOLERANCE_MS;
  }

  #noteTime(...all: readonly Calls[]): void {
    if (this.#timeSetAt === Number.POSITIVE_INFINITY) for (const calls of all) calls.showsTime = true;
  }

  #noteMode(mode: string | undefined): void {
    if (mode === 'frozen') this.#wasFrozen = true;
    else if (mode !== undefined) this.#hasRun = true;
  }

  /** Notes a call of the control plane or a form of a page, and the mode of the clock after it. */
  #addControl({ method, path, status, body, state, struck = [] }: RecordEntry, place: number): void {
    if (struck.length > 0) {
      const text = `${redactText(method)} ${redactPath(path)} -> ${status} [held a webhook back]`;
      this.happenings.push({ text, struck });
    }
    if (status === null || status >= FIRST_ERROR) return;
    if (path === '/_sandbox/clock/freeze') this.#noteMode('frozen');
    if (path === '/_sandbox/clock/resume') this.#noteMode('running');
    const isLoad = method === 'PUT' && path === '/_sandbox/state';
    const loaded = clockOf(isLoad ? parse(body) : state);
    if (isLoad || state !== undefined) this.#noteMode(loaded.mode);
    const isSet = path === '/_sandbox/clock/freeze' && memberOf(parse(body), 'at') !== undefined;
    if (isSet || (isLoad && this.#isOwnTime(loaded.now))) this.#timeSetAt = Math.min(this.#timeSetAt, place);
  }

  #addRequest(entry: RecordEntry): void {
    const { method, path, query, status, struck = [], fault, dropped, summary } = entry;
    this.requests += 1;
    const operation = this.#operationOf(entry);
    const calls = isSentByLibrary(entry.headers) ? this.ofLibrary : this.ofApp;
    this.#noteTime(calls);
    if (operation !== null && status !== UNAUTHORIZED) calls.called.add(operation);
    if (operation?.endsWith('.list') && !OWN_FILTERS.test(query)) calls.openLists.add(operation);
    if (operation === READ_OF_PERSON) this.#notePendingRead(entry, calls);
    const by = fault !== undefined && this.#strikers.has(fault) ? fault : null;
    this.#noteWrites(entry, by);
    const request = `${redactText(method)} ${redactPath(path)}${query === '' ? '' : `?${redactQuery(query)}`}`;
    const isLost = dropped === true || status === null;
    const isRefused = isLost || status >= FIRST_ERROR;
    const result = isLost ? 'connection closed' : String(status);
    const reason = isRefused && !isLost ? ` (${redactText(summary)})` : '';
    const note = fault === undefined || struck.includes(fault) ? '' : ' [a fault of the command]';
    const text = `${request} -> ${result}${reason}${note}`;
    const place = this.happenings.push({ text, struck }) - 1;
    this.#noteFailure(entry, operation, { request, by: isRefused ? by : null, place });
  }

  #noteFailure(
    entry: RecordEntry,
    operation: string | null,
    { request, by, place }: Pick<OpenCall, 'request' | 'place'> & { readonly by: string | null },
  ): void {
    for (const failed of this.failedCalls) if (failed.request === request) failed.isFollowed = true;
    const key = `${entry.method} ${entry.path}?${entry.query} ${entry.body}`;
    const repeated = this.#open.get(key);
    if (repeated !== undefined) repeated.repeatStatus = entry.status ?? LOST;
    this.#open.delete(key);
    if (by === null || operation === null) return;
    const failed = repeated ?? { by, operation, request, repeatStatus: null, isFollowed: false, place };
    if (repeated === undefined) this.failedCalls.push(failed);
    this.#open.set(key, failed);
  }

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
  #noteWrites({ id, requestId = id, created = [], undone = [] }: RecordEntry, by: string | null): void {
    const scope = this.#scope;
    for (const each of undone) this.#undone.add(`${scope} ${each}`);
    for (const { kind: name, content, ...record } of created) {
      const kind = KINDS.find(each => each === name);
      if (kind === undefined) continue;
      if (kind === 'cardholder') this.#people.add(record.ownerName);
      // Ids of partners are the same in each run, and names of cardholders are those that the app gave them.
      const shape = textOf(content, kind === 'cardholder' ? 'kycSource' : 'type');
      this.#created.push({ ...record, kind, content, call: requestId, by, scope, shape });
    }
  }

  #addAttempt(attempt: RecordAttempt): void {
    const { event, eventType, url, status, cause, fault, repeatStatus, extra, struck = [] } = attempt;
    if (status !== null) {
      this.#noteTime(this.ofApp, this.ofLibrary);
      const key = `${this.#resets} ${event}`;
      this.webhooks.add(eventType);
      this.delivered.add(key);
      if (!extra && status < FIRST_REFUSAL) this.accepted.add(eventType);
      if (status >= FIRST_REFUSAL) this.refusals.set(eventType, (this.refusals.get(eventType) ?? 0) + 1);
      const ids = new Set([...(this.answers.get(key)?.ids ?? []), ...struck]);
      const isRefused = Math.max(status, repeatStatus ?? 0) >= FIRST_REFUSAL;
      if (!extra) this.answers.set(key, { eventType, ids, isRefused });
    }
    if (extra) this.#addExtra(attempt);
    else this.#closeExtras(attempt);
    const what = extra ? `additional webhook of ${eventType}` : `webhook ${eventType}`;
    const by = struck.length > 0 ? ` [${fault ?? 'sent again'}]` : '';
    const result = `${status ?? cause ?? 'no response'}${url === null ? ' (no URL)' : ''}`;
    this.happenings.push({ text: `${what}${by} -> ${result}`, struck });
  }

  #addExtra({ event, eventType, url, status, cause, struck = [] }: RecordAttempt): void {
    const isSilent = status === null;
    const extra = {
      ...{ struck, event, eventType, url, status },
      mayHaveArrived: !isSilent || mayHaveArrived(cause ?? ''),
      isUnanswered: isSilent && showsSilence(cause ?? ''),
      isBesideAccepted: false,
    };
    this.extras.push(extra);
    if (extra.mayHaveArrived) this.#openExtras = [...this.#openExtras, extra];
  }

  #closeExtras({ event, url, status }: RecordAttempt): void {
    for (const extra of this.#openExtras) {
      if (extra.event !== event || extra.url !== url || status === null) continue;
      if (extra.status === null) extra.isUnanswered = true;
      extra.isBesideAccepted = status < FIRST_REFUSAL;
    }
    this.#openExtras = this.#openExtras.filter(extra => extra.event !== event);
  }
}

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
