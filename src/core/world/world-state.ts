import { RateLimiter } from '../access/rate-limit.ts';
import type { DomainEvent, Trace } from '../journal/events.ts';
import type { Feed } from '../journal/feed.ts';
import { Journal } from '../journal/journal.ts';
import type { Table } from '../store/table.ts';
import type { AnyTable, Row, TableDefinition, Write } from '../store/table-definition.ts';
import { Clock } from '../time/clock.ts';
import type { RealTime } from '../time/realtime.ts';
import { AbortController } from '../values/builtins.ts';
import type { NameTranslator } from '../values/names.ts';
import { Random } from '../values/random.ts';
import { Secrets } from '../values/secrets.ts';
import type { AssumptionValues } from '../values/setting.ts';
import type { Disturbance } from './disturbance.ts';
import type { Forwarding, Transport } from './transport.ts';
import type { WorldSnapshot } from './world-snapshot.ts';
import { WorldTables } from './world-tables.ts';

export const MAIN_WORLD = 'main';

/** The abort reason of work in flight for a dropped world. Created once, since an Error is slow to create. */
const DROPPED = new Error('the world was dropped');

export interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** What a world runs for a row of a table at a time. */
export interface WorldTask {
  /** The table of the rows. Tasks due at the same moment run in the order of the tables of a world, then of their rows. */
  readonly table: AnyTable;
  /** Does the work for the row with this id. A returned promise means that the task is in flight until it resolves. */
  run(state: WorldState, id: string): void | Promise<void>;
}

/** How a world is set up. All its states share it, across resets. */
export interface WorldSetup {
  readonly id: string;
  /** Seeds every id, name and card number. A state from a snapshot has the seed of that one. */
  readonly seed: number;
  /** Sandbox time between a KYC submission and the simulated provider's decision, in milliseconds. */
  readonly kycDelayMs: number;
  readonly limitsRates: boolean;
  /** Default for requests per minute and key, unless the partner's settings set another; 0 is no limit. */
  readonly rateLimitPerMinute: number;
  /** The initial time of the sandbox clock in milliseconds; wall time when undefined. */
  readonly clockStart: number | undefined;
  readonly clockFrozen: boolean;
  /** The length of generated ids with their prefix; null for 16 letters after it. */
  readonly idLength: number | null;
  /** The factor by which the delays of the retry schedule are shortened. */
  readonly retrySpeed: number;
  readonly assumptions: AssumptionValues;
  /** The key of new states' secrets; null when the secrets come from the seed. */
  readonly secretKey: string | null;
  /** Returns the API key of this world for one from elsewhere. A key of this world stays as it is. */
  readonly toWorldKey: (key: string) => string;
  /** Translates the neutral names on the wire; null for no translation. */
  readonly names: NameTranslator | null;
  /** The names of generated people; undefined for the usual ones. */
  readonly people: readonly PersonName[] | undefined;
  /** What acts on requests and webhooks beside the faults of the user, which come first; null for nothing. */
  readonly disturbance: Disturbance<WorldState> | null;
  readonly tables: Readonly<Record<string, AnyTable>>;
  readonly tasks: Readonly<Record<string, WorldTask>>;
  /** Returns the origin of the sandbox, for example `http://127.0.0.1:4242`. Known once it listens. */
  readonly origin: () => string;
  readonly feed: Feed;
  readonly transport: Transport;
  readonly forwarding: () => Forwarding;
  /** Wall time: for signatures, which receivers check with their own clocks, and for clients that wait. */
  readonly realTime: RealTime;
  /** Called for each error of a task, which never stops the clock, with the place where it occurred. */
  readonly onBug: (error: unknown, where: string) => void;
  /** Called for each event: `recordDelivery` of `src/service/webhooks`, which creates the webhook delivery. */
  readonly onEvent: (state: WorldState, event: DomainEvent) => void;
}

/** The whole state of a sandbox. A reset creates a new world and drops the old one, timers included. */
export class WorldState {
  readonly setup: WorldSetup;
  /** The seed of the streams that have not been used yet. */
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The source of secrets. Everything else is random by `random`. */
  readonly secrets: Secrets;
  readonly journal: Journal;
  readonly rateLimiter: RateLimiter;
  /** Created on first use: most worlds end without work in flight. */
  #end: AbortController | null = null;
  #isEnded = false;
  readonly #memos = new Map<unknown, unknown>();
  readonly #tables: WorldTables;
  #trace: Trace | null = null;
  /** Created when it is asked for, since few sandboxes save their worlds. */
  #version: symbol | null = null;

  constructor(setup: WorldSetup, from?: WorldSnapshot) {
    const { tasks, feed, realTime, secretKey, onBug } = setup;
    this.setup = setup;
    this.seed = from?.seed ?? setup.seed;
    this.#tables = new WorldTables(
      Object.values(setup.tables),
      write => this.#onWrite(write),
      setup.assumptions,
      from?.tables,
    );
    this.clock = new Clock({
      realTime,
      run: ({ kind, ref }) => {
        const report = (error: unknown) => onBug(error, `timer ${kind} of ${ref}`);
        try {
          const task = tasks[kind];
          if (task === undefined) throw new Error('there is no function for this kind of task');
          return task.run(this, ref)?.catch(report);
        } catch (error) {
          report(error);
        }
      },
      orderOf: ({ kind, ref }) => {
        const task = tasks[kind];
        return task === undefined ? 0 : this.#tables.orderOf(task.table, ref);
      },
      startAt: setup.clockStart,
      frozen: setup.clockFrozen,
      from: from?.clock,
      onMove: clock => {
        this.#version = null;
        feed.publish({ kind: 'clock', clock });
      },
    });
    this.random = new Random(this.seed, from?.random, setup.idLength);
    const newSecrets = secretKey === null ? null : { key: secretKey, drawn: {} };
    this.secrets = new Secrets(this.random, this.seed, from?.secrets ?? newSecrets);
    this.journal = new Journal(this.clock, this.random);
    this.rateLimiter = new RateLimiter(this.clock, realTime);
  }

  get id(): string {
    return this.setup.id;
  }

  get assumptions(): AssumptionValues {
    return this.setup.assumptions;
  }

  /** Returns a table of this world. Throws for a table that is not listed, since saved states would lack it. */
  table<R extends Row, U extends string, G extends string>(
    definition: TableDefinition<R, U, G>,
  ): Table<R, U, G> {
    return this.#tables.table(definition);
  }

  anyTable(definition: AnyTable): Table<Row, string, string> {
    return this.#tables.anyTable(definition);
  }

  /** Takes a snapshot. Copies no rows. */
  snapshot(): WorldSnapshot {
    return {
      seed: this.seed,
      clock: this.clock.snapshot(),
      random: this.random.states(),
      secrets: this.secrets.state,
      tables: this.#tables.snapshots(),
    };
  }

  /** Returns the value that `make` creates for this world, created on first use. */
  memo<T>(make: (state: WorldState) => T): T {
    // The map is keyed by the function that created the value, so the value has its type.
    if (this.#memos.has(make)) return this.#memos.get(make) as T;
    const value = make(this);
    this.#memos.set(make, value);
    return value;
  }

  /** Aborted when this world is dropped, to cancel its work in flight. */
  get ended(): AbortSignal {
    if (this.#end === null) {
      this.#end = new AbortController();
      if (this.#isEnded) this.#end.abort(DROPPED);
    }
    return this.#end.signal;
  }

  /** Drops this world: stops its clock and cancels its work in flight. */
  end(): void {
    this.clock.stop();
    this.#isEnded = true;
    this.#end?.abort(DROPPED);
  }

  /** Another value after each change of this state, and a different one for each state. */
  get version(): unknown {
    this.#version ??= Symbol();
    return this.#version;
  }

  #onWrite(write: Write): void {
    this.#version = null;
    this.#trace?.changes.push(write);
    this.setup.feed.reportWrite(this, write);
  }

  /** Publishes an event and creates its webhook delivery. Call it after the last write that it reports. */
  emit(type: DomainEvent['type'], { id: resourceId, partnerId }: Row, data: unknown): DomainEvent {
    const id = this.random.id('evt');
    const createdAt = this.clock.timestamp();
    const event = Object.freeze({ id, type, partnerId, resourceId, createdAt, data });
    this.#trace?.events.push(event);
    this.setup.feed.publish({ kind: 'event', event });
    this.setup.onEvent(this, event);
    return event;
  }

  get isResponding(): boolean {
    return this.#trace !== null;
  }

  /** Delays the response to the API request that is being handled until a promise resolves. It must not reject. */
  sendResponseAfter(until: Promise<void>): void {
    if (this.#trace !== null) this.#trace.sendAfter = [...(this.#trace.sendAfter ?? []), until];
  }

  /** Runs an operation, and records its writes and events in `trace`. */
  traced<C, T>(trace: Trace, operation: { run(context: C): T }, context: C): T {
    this.#trace = trace;
    try {
      return operation.run(context);
    } finally {
      this.#trace = null;
    }
  }
}
