import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type {
  Attend,
  Attendant,
  AttendedSandbox,
  DeliveryLogEntry,
  RequestLogEntry,
} from '../../client/attendant.ts';
import type { JournalEntry, WebhookFaultInput } from '../../client/generated/records.ts';
import { isSentByLibrary } from '../../client/http.ts';
import { queueMicrotask } from '../../core/values/builtins.ts';
import type { CreatedRecord } from './doubles.ts';
import {
  type Disturbance,
  type ExamFault,
  type OwnOption,
  type Person,
  READ_OF_PERSON,
} from './misbehaviour.ts';

/** Takes note of what happens in a sandbox. */
export interface RunNotes {
  /**
   * Adds a request. `isAffected` says whether the misbehaviour affected it. `failure` is the same for a request that
   * failed because of the misbehaviour and for its repeats; null for others. `isOfLibrary` says whether `sandbox.api`
   * sent it, or a command of this package.
   */
  addRequest(
    entry: RequestLogEntry,
    isAffected: boolean,
    failure: string | null,
    isOfLibrary?: boolean,
  ): void;
  /** Notes that a request was sent again sooner than the Retry-After of its response says. */
  addEarlyRepeat(method: string, url: string): void;
  /** Adds a webhook attempt. `isAffected` says whether the misbehaviour affected it. */
  addDelivery(entry: DeliveryLogEntry, isAffected: boolean): void;
  /** Adds a record that a request created. */
  addCreated(record: NewRecord): void;
  /** Notes that a record was cancelled. */
  addUndone(scope: string, id: string): void;
  /** Notes that the clock was frozen. */
  addFreeze(): void;
  /** Notes that the tests set an option. */
  addOwnOption(option: OwnOption): void;
  /** Notes that a cardholder was read while its KYC was pending. `cardholder` is another text in each sandbox. */
  addPendingRead(cardholder: string, isOfLibrary?: boolean): void;
}

/** A record as it was created. */
export type NewRecord = Omit<CreatedRecord, 'isUndone'>;

/** A note as a line of a file: the method of `RunNotes`, and its arguments. */
export type Note =
  | readonly ['addRequest', ...Parameters<RunNotes['addRequest']>]
  | readonly ['addEarlyRepeat', ...Parameters<RunNotes['addEarlyRepeat']>]
  | readonly ['addDelivery', ...Parameters<RunNotes['addDelivery']>]
  | readonly ['addCreated', ...Parameters<RunNotes['addCreated']>]
  | readonly ['addUndone', ...Parameters<RunNotes['addUndone']>]
  | readonly ['addFreeze']
  | readonly ['addOwnOption', OwnOption]
  | readonly ['addPendingRead', ...Parameters<RunNotes['addPendingRead']>];

/** The variable with the file of the order to the sandboxes that a command creates in its own processes. */
export const EXAM_VARIABLE = 'CARD_SANDBOX_EXAM';

/** The operations after whose first success a crowd is created. */
const CREATIONS = ['cardholders.create', 'cards.issue'];

/** The operations that create what can exist twice, or undo it. */
const WRITES = [...CREATIONS, 'cards.cancel', 'kycSessions.create'];

/** The options that misbehaviours change unless they are set. */
const OWN_OPTIONS: readonly OwnOption[] = ['clock', 'kycDelay'];

/** The world that is examined. */
const WORLD = 'main';

const FIRST_ERROR = 400;
/** How much sooner than Retry-After says a request may come, because timers are not exact. */
const EARLY_MS = 100;

/** How the names of files with notes end. They are beside the order, one for each process. */
const NOTES = '.notes.jsonl';

/** A fault of the disturbance. */
interface Armed<F> {
  readonly fault: F;
  /** Its name among the strikes. */
  readonly name: string;
  /** Its ids in the sandbox: that of each time it was added. A restored world may have any of them. */
  readonly ids: Set<string>;
}

/** What limits the strikes of a fault. */
type Limits = Pick<ExamFault, 'times' | 'lastsMs'>;

/** How often each fault of a disturbance has struck, in all sandboxes of a run and whatever process they are in. */
export interface Strikes {
  count(fault: string): number;
  add(fault: string): void;
}

/** Keeps strikes in a folder: a file for each fault, with a byte for each strike. */
export function strikesIn(folder: string): Strikes {
  const fileOf = (fault: string) => join(folder, `${fault}.strikes`);
  return {
    count: fault => statSync(fileOf(fault), { throwIfNoEntry: false })?.size ?? 0,
    add: fault => appendFileSync(fileOf(fault), '.'),
  };
}

/** A request that failed because of the misbehaviour. */
interface FailedRequest {
  readonly failure: string;
  readonly request: RequestLogEntry;
  readonly body: string;
  /** Monotonic wall time in milliseconds before which it must not be sent again. */
  readonly notBefore: number;
}

/** Applies a disturbance to a sandbox from its start on, resets included, and notes what happens in it. */
export class Attendance implements Attendant {
  readonly #notes: RunNotes;
  readonly #disturbance: Disturbance;
  readonly #faults: readonly Armed<ExamFault>[];
  readonly #webhookFaults: readonly Armed<WebhookFaultInput>[];
  readonly #strikes: Strikes;
  /** The faults that have begun to last in this sandbox: another one of the run may have been created before. */
  readonly #lasting = new Set<Armed<Limits>>();
  /** The keys that were made by rotation. */
  readonly #rotated = new Set<string>();
  readonly #crowded = new Set<string>();
  /** The deliveries that have arrived, and the newest of each partner. */
  readonly #delivered = new Set<string>();
  readonly #newest = new Map<string, string>();
  /** The requests that failed because of the misbehaviour and were not repeated. */
  readonly #failed: FailedRequest[] = [];
  readonly #id = randomUUID();
  #resets = 0;
  #control: AttendedSandbox['control'] = () => undefined;
  #start: AttendedSandbox['start'] = () => undefined;
  #elapsed: AttendedSandbox['elapsed'] = () => 0;
  #after: AttendedSandbox['after'] = () => undefined;

  constructor(disturbance: Disturbance, notes: RunNotes, strikes: Strikes) {
    this.#disturbance = disturbance;
    this.#notes = notes;
    this.#strikes = strikes;
    const armed = <F extends object>(faults: readonly F[], kind: string): Armed<F>[] =>
      faults.map((fault, index) => ({ fault, name: `${kind}-${index}`, ids: new Set() }));
    const { faults = [], sparesLibrary } = disturbance;
    this.#faults = armed(sparesLibrary ? faults.map(each => ({ ...each, sparesLibrary })) : faults, 'fault');
    this.#webhookFaults = armed(disturbance.webhookFaults ?? [], 'webhook-fault');
  }

  get options(): Attendant['options'] {
    const { options, kycDelay } = this.#disturbance;
    return kycDelay === undefined ? options : { ...options, kycDelay };
  }

  get fixture(): Attendant['fixture'] {
    return this.#disturbance.fixture;
  }

  get people(): Attendant['people'] {
    return this.#disturbance.people;
  }

  onResponse(entry: RequestLogEntry): void {
    const { operation, status, partnerId, world, fault, dropped } = entry;
    const isMain = world === WORLD;
    const armed = isMain && fault !== null ? this.#faults.find(({ ids }) => ids.has(fault)) : undefined;
    this.#strike(armed);
    const isAffected = armed !== undefined;
    const refuses = armed?.fault.drop === true || armed?.fault.status !== undefined;
    const hasFailed = refuses && (dropped || status >= FIRST_ERROR);
    const isOfLibrary = isMain && isSentByLibrary(this.#journalEntry(entry.id).request.headers ?? {});
    const failure = this.#failureOf(entry, hasFailed, armed?.fault.retryAfter);
    this.#notes.addRequest(entry, isAffected, failure, isOfLibrary);
    if (operation === null || partnerId === null || !isMain) return;
    if (WRITES.includes(operation)) this.#noteWrites(entry.id, isAffected);
    if (status >= 300) return;
    if (operation === READ_OF_PERSON && fault === null) this.#notePendingRead(entry.id, isOfLibrary);
    this.#crowd(operation, partnerId);
  }

  /** Notes that a response has a cardholder whose KYC is pending. */
  #notePendingRead(call: string, isOfLibrary: boolean): void {
    const { response } = this.#journalEntry(call);
    // The response to HEAD has no body.
    const cardholder: unknown = JSON.parse(response.body || 'null');
    if (textOf(cardholder, 'kycStatus') !== 'pending') return;
    this.#notes.addPendingRead(`${this.#scope} ${textOf(cardholder, 'id')}`, isOfLibrary);
  }

  /** Returns the id of the failed requests that this one belongs to, as a failure or as a repeat; null for none. */
  #failureOf(request: RequestLogEntry, hasFailed: boolean, retryAfter?: number): string | null {
    const { id, method, url, world } = request;
    const index = this.#failed.findIndex(
      ({ request: each, body }) =>
        each.method === method && each.url === url && each.world === world && body === this.#bodyOf(id),
    );
    const [repeated] = index < 0 ? [] : this.#failed.splice(index, 1);
    if (repeated !== undefined && this.#elapsed() < repeated.notBefore)
      this.#notes.addEarlyRepeat(method, url);
    if (!hasFailed) return repeated?.failure ?? null;
    const failure = repeated?.failure ?? randomUUID();
    const notBefore = retryAfter === undefined ? 0 : this.#elapsed() + retryAfter * 1_000 - EARLY_MS;
    this.#failed.push({ failure, request, body: this.#bodyOf(id), notBefore });
    return failure;
  }

  #bodyOf(id: string): string {
    return this.#journalEntry(id).request.body;
  }

  #journalEntry(id: string): JournalEntry {
    // The control plane checks its responses against their schemas, from which the type is generated.
    return this.#control('GET', `/requests/${id}`) as JournalEntry;
  }

  /** Names this sandbox since its last reset. Two sandboxes have records with the same ids. */
  get #scope(): string {
    return `${this.#id} ${this.#resets}`;
  }

  /** Notes what a request created or undid, whatever was responded to it. */
  #noteWrites(call: string, isAffected: boolean): void {
    const { changes } = this.#journalEntry(call);
    const scope = this.#scope;
    for (const { kind, id, action, after } of changes) {
      if (action === 'updated' && after?.status === 'cancelled') this.#notes.addUndone(scope, id);
      if (action !== 'created' || !after) continue;
      const place = { id, call, isAffected, scope };
      const { partnerId, cardholderId, type } = after;
      if (kind === 'cardholder') {
        const { phoneNumber, kycSource } = after;
        const [owner, ownerName] = [String(partnerId), textOf(after, 'externalUserId')];
        const content = { phoneNumber, kycSource };
        this.#notes.addCreated({ ...place, kind, owner, ownerName, content, shape: String(kycSource) });
      } else if (kind === 'card') {
        const owner = String(cardholderId);
        const { nameOnCard, programId, limits } = after;
        const ownerName = this.#externalUserId(owner);
        const content = { nameOnCard, programId, type, limits };
        this.#notes.addCreated({ ...place, kind, owner, ownerName, content, shape: String(type) });
      } else if (kind === 'KYC session') {
        const { externalUserId, redirectUrl } = after;
        const content = { externalUserId, redirectUrl };
        const owner = String(partnerId);
        this.#notes.addCreated({ ...place, kind, owner, ownerName: owner, content, shape: '' });
      }
    }
  }

  #externalUserId(cardholderId: string): string {
    return textOf(this.#control('GET', `/cardholders/${cardholderId}`), 'externalUserId');
  }

  onDelivery(entry: DeliveryLogEntry): void {
    const armed = this.#webhookFaults.find(
      ({ fault: { kind, eventType, extra = false } }) =>
        kind === entry.fault && extra === entry.isExtra && (eventType ?? entry.eventType) === entry.eventType,
    );
    this.#strike(armed);
    const isRepeated = this.#repeatPrevious(entry);
    this.#notes.addDelivery(entry, armed !== undefined || isRepeated);
  }

  /**
   * Once a webhook has been delivered, sends the one before it again. Returns whether the delivery is such a repetition.
   */
  #repeatPrevious({ id, world, partnerId, status, isExtra }: DeliveryLogEntry): boolean {
    if (!this.#disturbance.repeatsWebhooks || isExtra || status !== 'delivered' || world !== WORLD)
      return false;
    if (this.#delivered.has(id)) return true;
    this.#delivered.add(id);
    const previous = this.#newest.get(partnerId);
    this.#newest.set(partnerId, id);
    if (previous !== undefined) this.#start('POST', `/deliveries/${previous}/redeliver`);
    return false;
  }

  attach({ isFrozen, control, start, elapsed, after, subscribe }: AttendedSandbox): void {
    this.#control = control;
    this.#start = start;
    this.#elapsed = elapsed;
    this.#after = after;
    if (isFrozen) this.#notes.addFreeze();
    subscribe(change => {
      if (change === 'freeze') return this.#notes.addFreeze();
      this.#resets += 1;
      this.#failed.length = 0;
      this.#delivered.clear();
      this.#newest.clear();
      queueMicrotask(() => this.#arm());
    });
    this.#arm();
  }

  /** Counts a strike of a fault that strikes a limited number of times, or for a time from its first strike on. */
  #strike(armed: Armed<Limits> | undefined): void {
    if (armed === undefined || this.#left(armed) === undefined || this.#lasting.has(armed)) return;
    const { fault, name, ids } = armed;
    this.#strikes.add(name);
    if (fault.lastsMs === undefined) return;
    this.#lasting.add(armed);
    this.#after(fault.lastsMs, () => this.#disarm('/faults', ids));
  }

  /** How often a fault may still strike, or begin to; undefined without a limit. */
  #left({ fault: { times, lastsMs }, name }: Armed<Limits>): number | undefined {
    const limit = lastsMs === undefined ? times : 1;
    return limit === undefined ? undefined : limit - this.#strikes.count(name);
  }

  /** Removes faults that are `present` in the sandbox. */
  #disarm(path: string, ids: ReadonlySet<string>, present = this.#idsAt(path)): void {
    for (const id of present) if (ids.has(id)) this.#control('DELETE', `${path}/${id}`);
  }

  #idsAt(path: string): readonly string[] {
    return listOf(this.#control('GET', path)).map(each => textOf(each, 'id'));
  }

  /** Adds the faults that may still strike. A reset dropped them; a restored world has them as they were. */
  #arm(): void {
    this.#armAt('/faults', this.#faults);
    this.#armAt('/webhook-faults', this.#webhookFaults);
    if (!this.#disturbance.rotatesKeys) return;
    for (const partner of listOf(this.#control('GET', '/partners'))) {
      if (this.#rotated.has(textOf(partner, 'apiKey'))) continue;
      const keys = this.#control('POST', `/partners/${textOf(partner, 'id')}/keys/rotate`, {});
      this.#rotated.add(textOf(keys, 'apiKey'));
    }
  }

  #armAt(path: string, faults: readonly Armed<Limits>[]): void {
    const present = this.#idsAt(path);
    for (const armed of faults) {
      this.#disarm(path, armed.ids, present);
      if ((this.#left(armed) ?? 1) > 0) this.#add(path, armed);
    }
  }

  #add(path: string, armed: Armed<Limits>): void {
    const left = this.#left(armed);
    const { lastsMs, ...fault } = armed.fault;
    const limited = lastsMs === undefined && left !== undefined ? { ...fault, times: left } : fault;
    // The faults of the command come first.
    const added = this.#control('POST', path, { ...limited, yields: true });
    armed.ids.add(textOf(added, 'id'));
  }

  /** Creates the crowd, silently, after the first success of an operation. */
  #crowd(operation: string, partnerId: string): void {
    const { crowd = [] } = this.#disturbance;
    if (crowd.length === 0 || this.#crowded.has(operation) || !CREATIONS.includes(operation)) return;
    this.#crowded.add(operation);
    const path = `/webhooks/config?partnerId=${encodeURIComponent(partnerId)}`;
    const config = this.#control('GET', path);
    const { subscribedEvents } = config as { readonly subscribedEvents: readonly string[] };
    if (subscribedEvents.length > 0) this.#control('PATCH', path, { subscribedEvents: [] });
    for (const person of crowd) this.#addPerson(partnerId, person);
    if (subscribedEvents.length > 0) this.#control('PATCH', path, { subscribedEvents });
  }

  #addPerson(partnerId: string, identity: Person): void {
    const cardholder = this.#control('POST', '/cardholders', { partnerId, identity });
    this.#control('POST', '/cards/issue', { partnerId, cardholderId: textOf(cardholder, 'id') });
  }
}

function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [];
}

function textOf(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return String(value);
}

/** Notes which options are set, so that misbehaviours leave them as they are. */
export function noteOwnOptions(
  options: Readonly<Partial<Record<OwnOption, unknown>>>,
  notes: Pick<RunNotes, 'addOwnOption'>,
): void {
  for (const option of OWN_OPTIONS) if (options[option] !== undefined) notes.addOwnOption(option);
}

/** An order to the sandboxes that a command creates in its own processes. */
interface PlacedOrder {
  /** The file of the order. */
  readonly file: string;
  /** The strikes in all sandboxes of the command. */
  readonly strikes: Strikes;
  /** Reads what these sandboxes noted. */
  readInto(notes: RunNotes): Promise<void>;
  /** Removes its files. */
  remove(): Promise<void>;
}

/** Writes an order to a new folder of temporary files. */
export async function placeOrder(disturbance: Disturbance): Promise<PlacedOrder> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-exam-'));
  const file = join(folder, 'order.json');
  await writeFile(file, JSON.stringify(disturbance));
  return {
    file,
    strikes: strikesIn(folder),
    async readInto(notes) {
      const names = (await readdir(folder)).filter(name => name.endsWith(NOTES)).toSorted();
      for (const name of names) {
        const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
        // A process that is killed may leave half a line.
        for (const line of lines.slice(0, -1)) add(notes, JSON.parse(line));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function add(notes: RunNotes, note: Note): void {
  if (note[0] === 'addRequest') notes.addRequest(note[1], note[2], note[3], note[4]);
  else if (note[0] === 'addEarlyRepeat') notes.addEarlyRepeat(note[1], note[2]);
  else if (note[0] === 'addDelivery') notes.addDelivery(note[1], note[2]);
  else if (note[0] === 'addCreated') notes.addCreated(note[1]);
  else if (note[0] === 'addUndone') notes.addUndone(note[1], note[2]);
  else if (note[0] === 'addOwnOption') notes.addOwnOption(note[1]);
  else if (note[0] === 'addPendingRead') notes.addPendingRead(note[1], note[2]);
  else notes[note[0]]();
}

/** Disturbs a sandbox as the order says, if its process is run by an exam, and writes notes beside the order. */
export const attendExam: Attend = (options, { [EXAM_VARIABLE]: file = '' }) => {
  if (file === '') return null;
  // The file is written by `placeOrder`.
  const disturbance = JSON.parse(readFileSync(file, 'utf8')) as Disturbance;
  const notesFile = join(dirname(file), `${process.pid}${NOTES}`);
  const write = (note: Note) => appendFileSync(notesFile, `${JSON.stringify(note)}\n`);
  const notes: RunNotes = {
    addRequest: (...parts) => write(['addRequest', ...parts]),
    addEarlyRepeat: (method, url) => write(['addEarlyRepeat', method, url]),
    addDelivery: (entry, isAffected) => write(['addDelivery', entry, isAffected]),
    addCreated: record => write(['addCreated', record]),
    addUndone: (scope, id) => write(['addUndone', scope, id]),
    addFreeze: () => write(['addFreeze']),
    addOwnOption: option => write(['addOwnOption', option]),
    addPendingRead: (...parts) => write(['addPendingRead', ...parts]),
  };
  noteOwnOptions(options, notes);
  return new Attendance(disturbance, notes, strikesIn(dirname(file)));
};
