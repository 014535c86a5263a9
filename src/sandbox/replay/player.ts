import { Buffer } from 'node:buffer';
import { URL } from 'node:url';
import {
  numberOf,
  type RecordAttempt,
  type RecordEntry,
  type RecordHeader,
  type RecordLine,
} from '../../control/history/record/format.ts';
import { RecordError, type WorldRecord } from '../../control/history/record/read.ts';
import { ApiError } from '../../core/operation/errors.ts';
import { type ApiRequest, type ApiResponse, READING_METHODS } from '../../core/request/http.ts';
import { Router } from '../../core/request/router.ts';
import { MOVE_NOT_BEGUN } from '../../core/time/clock.ts';
import { MOVE_REFUSAL } from '../../core/time/move-queue.ts';
import { runSteps } from '../../core/time/turns.ts';
import { once } from '../../core/values/once.ts';
import { CONTROL_PREFIX } from '../../core/values/plane.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import type { Transport } from '../../core/world/transport.ts';
import { controlGroups } from '../operation-groups.ts';
import { type CoreOptions, OptionError } from '../options.ts';
import { createSandboxCore, type SandboxCore } from '../sandbox.ts';
import type { Redirection } from '../transport/destination.ts';
import { differingMembers } from './differences.ts';
import { RecordedTime } from './recorded-time.ts';
import { RecordedTransport } from './recorded-transport.ts';

export interface Played {
  /** The number of responses that were compared, and of those that are the same. */
  readonly compared: number;
  readonly same: number;
  readonly different: readonly { readonly entry: RecordEntry; readonly members: readonly string[] }[];
  readonly skipped: readonly { readonly entry: RecordEntry; readonly reason: string }[];
  /** The attempts of the record that were not made again. */
  readonly missing: readonly RecordAttempt[];
}

/** The responses of calls that wait: each is held until its line. */
class HeldResponses {
  #next: Promise<void> = Promise.resolve();

  /** Holds the response of the next call. Returns the function that lets it go. */
  holdNext(): () => void {
    let release: () => void = () => undefined;
    this.#next = new Promise(resolve => {
      release = resolve;
    });
    return () => release();
  }

  /** Resolves when the response of the call that begins to wait now may go. */
  hold(): Promise<void> {
    const held = this.#next;
    this.#next = Promise.resolve();
    return held;
  }
}

/** How webhooks are sent once they are forwarded. */
export type SendingOptions = Pick<CoreOptions, 'egress' | 'webhookCa' | 'insecureWebhookTls'>;

export interface Play {
  readonly sandbox: SandboxCore;
  readonly time: RecordedTime;
  readonly transport: RecordedTransport;
  readonly responses: HeldResponses;
}

/** Calls that have an effect while they wait for time or for webhooks. */
const WAITING = /^\/_sandbox\/(?:clock\/|deliveries\/[^/]+\/redeliver$|partners$)/;

/** Calls that change nothing where another one takes the world to another state before they end. */
const ABANDONED = /^\/_sandbox\/(?:partners|reset|state)$/;

/** The cause of a webhook of an opened record before it is forwarded. */
const NOT_FORWARDED =
  'not sent: this is a recording, which sends nothing until card-sandbox forward URL says where to';

const HANDLER = 'a handler in code answered, which the record does not have';
const RATE_LIMIT = 'the rate limit refused it, whose windows are of wall time';
const STRUCK = 'a misbehaviour of an exam struck it, which the record does not repeat';
const CONFLICT = 'it was refused because of what happened at the same time';

/**
 * Plays a record: each entry at its moment, on a clock that stands still in between, and each webhook ends as it did
 * without being sent. Ends at the state before the entry `until`, one of the record. The history keeps all entries with
 * `keepsHistory`, and otherwise as many as ever. `sending` says how webhooks are sent once its transport is released and
 * they are forwarded. Throws a RecordError for a header that cannot be used.
 */
export async function playRecord(
  record: WorldRecord,
  {
    until,
    keepsHistory = false,
    sending = {},
  }: {
    readonly until?: RecordEntry | undefined;
    readonly keepsHistory?: boolean;
    readonly sending?: SendingOptions;
  } = {},
): Promise<Play & { readonly played: Played }> {
  const play = startPlay(record, keepsHistory, sending);
  try {
    const played = await new Player(play, record).play(until);
    return { ...play, played };
  } catch (error) {
    play.sandbox.stop();
    throw error;
  }
}

function startPlay({ file, header }: WorldRecord, keepsHistory: boolean, sending: SendingOptions): Play {
  const fail = (problem: string) => new RecordError(file, 1, problem, header.cardSandbox);
  const { origin, keys, forwarding, ...options } = header.options;
  // A start without a time is refused when it is read.
  const time = new RecordedTime(timeOf(String(Object(header.start.clock).now)) || 0);
  let transport: RecordedTransport | undefined;
  const responses = new HeldResponses();
  try {
    const sandbox = createSandboxCore(
      // The sandbox checks the values.
      { ...(options as object), ...sending, fixtures: ['empty'] },
      {
        realTime: time,
        wrapTransport(http, redirection) {
          const next = whenForwarded(http, redirection);
          // Worlds that are created later have no recorded webhooks.
          if (transport !== undefined) return next;
          transport = new RecordedTransport(next);
          return transport;
        },
        holdResponse: () => responses.hold(),
        recorded: {
          id: header.world,
          keys,
          keepsHistory,
          origin,
          document: header.start,
          toError: problem => fail(`start: ${problem}`),
        },
      },
    );
    sandbox.serveAt({ origin, host: null, ownNames: [new URL(origin).hostname], controlToken: '' });
    changeForwarding(sandbox.main, forwarding, problem => fail(`options.forwarding: ${problem}`));
    if (transport === undefined) throw new Error('the world of a record has a transport');
    return { sandbox, time, transport, responses };
  } catch (error) {
    if (error instanceof OptionError) throw fail(`options.${error.message}`);
    throw error;
  }
}

/** Sends webhooks while they are forwarded. */
function whenForwarded(transport: Transport, redirection: () => Redirection): Transport {
  return {
    async send(webhook, signal) {
      if (redirection().forwardTo !== null) return transport.send(webhook, signal);
      return { url: webhook.url, status: null, body: null, cause: NOT_FORWARDED, durationMs: 0 };
    },
    close: () => transport.close(),
  };
}

/** Sets the forwarding that a record says. Throws what `fail` returns for one that is not valid. */
function changeForwarding(
  world: SandboxCore['main'],
  forwarding: RecordHeader['options']['forwarding'],
  fail: (problem: string) => Error,
): void {
  try {
    if (forwarding !== undefined) world.changeForwarding(forwarding);
  } catch (error) {
    throw error instanceof ApiError ? fail(error.message) : error;
  }
}

type Line = WorldRecord['lines'][number];

interface Begun {
  readonly response: ApiResponse | Promise<ApiResponse>;
  /** Lets the response of a call that waits go. */
  readonly release: () => void;
}

class Player {
  readonly #play: Play;
  readonly #record: WorldRecord;
  readonly #states = new Map<string, unknown>();
  readonly #begun = new Map<RecordEntry, Begun>();
  readonly #beginsAt = new Map<number, RecordEntry[]>();
  /** By the event: the attempts that have ended here, and those that the record has so far. */
  readonly #ended = new Map<string, number>();
  readonly #recorded = new Map<string, number>();
  readonly #different: Played['different'][number][] = [];
  readonly #skipped: Played['skipped'][number][] = [];
  readonly #missing: RecordAttempt[] = [];
  #compared = 0;

  constructor(play: Play, record: WorldRecord) {
    this.#play = play;
    this.#record = record;
    play.sandbox.main.feed.subscribe(message => {
      if (message.kind === 'delivery' && message.step === 'attempted') increase(this.#ended, message.id);
    });
    const first = record.lines.find(({ line }) => 'entry' in line)?.line;
    // The entries have the ids that they had.
    if (first !== undefined && 'entry' in first)
      play.sandbox.main.history.countFrom(numberOf(first.entry.id) - 1);
    for (const [place, { line }] of record.lines.entries()) {
      if (!('entry' in line) || !isWaiting(line.entry)) continue;
      const beginsAt = Math.max(0, place - (line.entry.meanwhile ?? 0));
      const entries = [...(this.#beginsAt.get(beginsAt) ?? []), line.entry];
      this.#beginsAt.set(
        beginsAt,
        entries.sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
      );
    }
  }

  async play(until: RecordEntry | undefined): Promise<Played> {
    await this.#play.time.quiet();
    for (const [place, each] of this.#record.lines.entries()) {
      const isEnd = until !== undefined && 'entry' in each.line && each.line.entry === until;
      if (isEnd && !this.#isDuringCall(place)) break;
      await this.#playLine(each, place);
      if (!isEnd) continue;
      this.#goBackBefore(until, each.number);
      break;
    }
    if (until === undefined) await this.#reach(this.#record.end?.at);
    return {
      compared: this.#compared,
      same: this.#compared - this.#different.length,
      different: this.#different,
      skipped: this.#skipped,
      missing: this.#missing,
    };
  }

  /** Whether the state before an entry is one before earlier lines, or during a call that waited. */
  #isDuringCall(place: number): boolean {
    return this.#record.lines
      .slice(place)
      .some(
        ({ line }, index) => 'entry' in line && isWaiting(line.entry) && index <= (line.entry.meanwhile ?? 0),
      );
  }

  /** Goes back to the state before an entry that was played, which ends the calls that were in flight in it. */
  #goBackBefore({ id }: RecordEntry, line: number): void {
    const { history, current } = this.#play.sandbox.main;
    const entry = history.entries.findLast(each => each.id === id);
    if (entry === undefined)
      throw new RecordError(this.#record.file, line, `${id} does not end when it is played`);
    history.rewind(entry);
    current.keepCheckpointNames(entry.checkpoints);
  }

  async #playLine({ number, line }: Line, place: number): Promise<void> {
    for (const entry of this.#beginsAt.get(place) ?? []) await this.#begin(entry);
    if ('attempt' in line) await this.#reach(line.attempt.at);
    if ('entry' in line) await this.#reach(goesBack(line.entry) ? line.entry.startedAt : line.entry.at);
    const { file, header } = this.#record;
    const fail = (problem: string) => new RecordError(file, number, problem, header.cardSandbox);
    if ('entry' in line) await this.#playEntry(line.entry, fail);
    else if ('attempt' in line) await this.#playAttempt(line.attempt);
    else if ('rewind' in line) this.#rewind(line.rewind, fail);
    await this.#play.time.quiet();
  }

  async #begin(entry: RecordEntry): Promise<void> {
    await this.#reach(entry.startedAt ?? entry.at);
    this.#begun.set(entry, this.#send(entry));
    await this.#play.time.quiet();
  }

  #rewind(
    { to, forwarding }: Extract<RecordLine, { rewind: unknown }>['rewind'],
    fail: (problem: string) => Error,
  ): void {
    const { main } = this.#play.sandbox;
    const { history, current, state } = main;
    changeForwarding(main, forwarding, problem => fail(`rewind.forwarding: ${problem}`));
    const entry = history.entries.find(({ id }) => id === to);
    if (entry === undefined) current.rewind(state.snapshot(), state.journal.snapshot());
    else history.rewind(entry);
  }

  async #playAttempt(attempt: RecordAttempt): Promise<void> {
    const { event, repeatStatus, extra, redelivery, struck } = attempt;
    // A misbehaviour sent it beside the webhook, which is not repeated: it is not how the webhook itself ended.
    if (struck !== undefined && (extra || redelivery)) return;
    increase(this.#recorded, event);
    const isDue = () => (this.#ended.get(event) ?? 0) < (this.#recorded.get(event) ?? 0);
    const repeat = repeatStatus === undefined ? attempt : { ...attempt, status: repeatStatus };
    let outcome = attempt;
    let hasCaughtUp = false;
    for (;;) {
      await this.#play.time.quiet();
      if (!isDue()) return;
      if (this.#play.transport.end(outcome)) {
        outcome = repeat;
        continue;
      }
      if (hasCaughtUp) break;
      // During an advance, any request starts what is due: also a read, which is not an entry.
      this.#catchUp();
      hasCaughtUp = true;
    }
    this.#missing.push(attempt);
    // What it would have been counts as made, so that the next one of the event is not taken for it.
    increase(this.#ended, event);
  }

  async #playEntry(entry: RecordEntry, fail: (problem: string) => Error): Promise<void> {
    checkEntry(entry, fail);
    const reason = skipReason(entry);
    const begun = this.#begun.get(entry);
    this.#begun.delete(entry);
    if (reason !== null) {
      this.#note(entry, reason);
      return;
    }
    this.#prepareState(entry, fail);
    const { response, release } = begun ?? this.#send(entry);
    if (begun === undefined && entry.startedAt !== undefined) {
      await this.#play.time.quiet();
      await this.#reach(entry.at);
    }
    release();
    const ended = await this.#ending(response);
    if (entry.struck === undefined) this.#compare(entry, ended);
    else this.#skipped.push({ entry, reason: STRUCK });
  }

  /** The state to which the next reset or restore goes back is the one that the record carries. */
  #prepareState(entry: RecordEntry, fail: (problem: string) => Error): void {
    const { id, path, stateOf } = entry;
    if (entry.state !== undefined) this.#states.set(id, entry.state);
    if (entry.checkpoints !== undefined)
      this.#play.sandbox.main.current.keepCheckpointNames(entry.checkpoints);
    const document = entry.state ?? (stateOf === undefined ? undefined : this.#states.get(stateOf));
    if (document === undefined) {
      if (stateOf !== undefined) throw fail(`entry.stateOf: no entry ${stateOf} before it carries a state`);
      return;
    }
    const { states, current } = this.#play.sandbox.main;
    const toError = (problem: string) => fail(`entry.state: ${problem}`);
    const [, name] = /^\/_sandbox\/checkpoints\/([^/]+)\/restore$/.exec(path) ?? [];
    const isReset = path === `${CONTROL_PREFIX}/reset`;
    if (name === undefined && !isReset)
      throw fail('entry.state: only a reset or a restore goes back to a state');
    const loaded = runSteps(states.loadSteps(document, toError));
    const snapshot = loaded.snapshot();
    loaded.end();
    if (name === undefined) states.resetTo(snapshot);
    else current.keepCheckpoint(decodeURIComponent(name), snapshot);
  }

  #note(entry: RecordEntry, reason: string): void {
    const { sandbox } = this.#play;
    const { plane, summary } = entry;
    const request = requestOf(entry);
    const { headers, body } = responseOf(entry);
    const response: ApiResponse = {
      status: entry.status ?? 0,
      headers,
      body,
      ...(entry.dropped && { drop: true }),
    };
    if (plane === 'partner') {
      const played = { summary, countsFault: entry.unrepeatable !== undefined };
      sandbox.recordExternalResponse(request, response, reason, 0, played);
    } else {
      this.#catchUp();
      sandbox.main.history.begin()({
        plane,
        requestId: null,
        request,
        requestBody: entry.body ?? '',
        response,
        summary,
      });
    }
    this.#skipped.push({ entry, reason });
  }

  /** Starts what is due, as a request does. */
  #catchUp(): void {
    this.#play.sandbox.main.state.clock.hold(() => undefined);
  }

  #send(entry: RecordEntry): Begun {
    const { sandbox, responses } = this.#play;
    const { handle: partner, control, page } = sandbox;
    const release = responses.holdNext();
    return { response: { partner, control, page }[entry.plane](requestOf(entry)), release };
  }

  /** Resolves with a response, or with null when it waits for what the record does not have. */
  async #ending(answering: ApiResponse | Promise<ApiResponse>): Promise<ApiResponse | null> {
    if (!(answering instanceof Promise)) return answering;
    const quiet = this.#play.time.quiet().then(() => null);
    return Promise.race([answering, quiet]);
  }

  #compare(entry: RecordEntry, response: ApiResponse | null): void {
    this.#compared += 1;
    const members = response === null ? ['it did not end'] : differencesOf(entry, response);
    if (members.length > 0) this.#different.push({ entry, members });
  }

  /** Moves the clock to a moment: with time where it runs, and otherwise by the calls that have begun. */
  async #reach(moment: string | undefined): Promise<void> {
    if (moment === undefined) return;
    const { clock } = this.#play.sandbox.main.state;
    const time = timeOf(moment);
    this.#play.time.allow(time);
    await this.#play.time.quiet();
    const ms = time - clock.now();
    if (ms <= 0 || clock.isMoving) return;
    if (clock.view().mode === 'running') await this.#play.time.pass(ms);
    // A call that the record ends before.
    else void clock.advance(ms).catch(() => undefined);
    await this.#play.time.quiet();
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Whether an entry is a call that waited, and is played while what happened meanwhile is. */
function isWaiting(entry: RecordEntry): boolean {
  const { plane, path, startedAt } = entry;
  return plane === 'control' && startedAt !== undefined && WAITING.test(path) && skipReason(entry) === null;
}

/** Whether an entry took the world to another state, which has the time of the entry. */
function goesBack({ plane, method, path, status, state, stateOf }: RecordEntry): boolean {
  const isLoad =
    plane === 'control' && method === 'PUT' && path === `${CONTROL_PREFIX}/state` && status === 204;
  return isLoad || state !== undefined || stateOf !== undefined;
}

function skipReason(entry: RecordEntry): string | null {
  const { unrepeatable, by, plane, path, status, response, struck } = entry;
  if (unrepeatable !== undefined) return unrepeatable;
  if (by === 'handler') return HANDLER;
  if (by === 'rate-limit') return RATE_LIMIT;
  if (by === 'disturbance' || (struck !== undefined && status === null)) return STRUCK;
  if (plane !== 'control' || status !== 409) return null;
  const isAbandoned = [MOVE_REFUSAL, MOVE_NOT_BEGUN].some(each => response?.body.includes(each));
  return isAbandoned || ABANDONED.test(path) ? CONFLICT : null;
}

/** Throws for an entry that no sandbox writes: of another plane than its path, or of a call that is never recorded. */
function checkEntry({ plane, method, path }: RecordEntry, fail: (problem: string) => Error): void {
  const prefixes = { partner: '/v1', control: CONTROL_PREFIX, page: '' };
  if (!`${path}/`.startsWith(`${prefixes[plane]}/`)) {
    throw fail(`entry.path: must be below ${prefixes[plane]}, the ${plane} plane`);
  }
  if (plane !== 'control') return;
  const operation = router().match(method, path)?.operation;
  const below = path.slice(CONTROL_PREFIX.length);
  if (operation?.isRecorded === false || READING_METHODS.includes(method) || BELOW_WORLD.test(below)) {
    throw fail(`entry.path: ${method} ${below} is not among what a history has`);
  }
}

const router = once(() => new Router(CONTROL_PREFIX, controlGroups));

/** A path that names a world, which no path of a record does. */
const BELOW_WORLD = /^\/worlds\/[^/]+\/(?!worlds(?:\/|$))./;

function requestOf({ method, path, query, headers, body, remoteAddress }: RecordEntry): ApiRequest {
  return { method, path, query, headers, body: Buffer.from(body ?? ''), remoteAddress };
}

function responseOf({ response }: RecordEntry): { headers: Record<string, string>; body: string } {
  const headers = Object.entries(response?.headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(headers), body: response?.body ?? '' };
}

function differencesOf({ plane, status, response, dropped }: RecordEntry, played: ApiResponse): string[] {
  const lost = dropped === played.drop ? [] : [`the response was ${dropped ? '' : 'not '}lost`];
  if (response === null || status === null) return lost;
  const statuses = status === played.status ? [] : [`status: ${status} recorded, ${played.status} now`];
  if (plane === 'page' || response.body === played.body) return [...lost, ...statuses];
  const members = differingMembers(response.body, played.body);
  return [...lost, ...statuses, ...(members.length > 0 ? members : ['the text of the body'])];
}
