import { RateLimiter } from '../access/rate-limit.ts';
import { Faults } from '../faults/faults.ts';
import { Events } from '../journal/events.ts';
import type { Feed } from '../journal/feed.ts';
import { Journal } from '../journal/journal.ts';
import type { Trace } from '../journal/trace.ts';
import type { NameTranslator } from '../request/names.ts';
import { Table, type TableSnapshot } from '../store/table.ts';
import type { AnyTable, Row, TableDefinition } from '../store/table-definition.ts';
import { Clock, type ClockSnapshot } from '../time/clock.ts';
import type { RealTime } from '../time/realtime.ts';
import type { TaskRunner } from '../time/task.ts';
import { Random, type StreamStates } from '../values/random.ts';
import type { Transport } from './transport.ts';

/** What a world is made with; all of it stays the same from reset to reset. */
export interface WorldOptions {
  /** Seeds every id, name and card number. */
  readonly seed: number;
  /** Sandbox time between a KYC submission and the simulated provider's decision, in milliseconds. */
  readonly kycDelayMs: number;
  /** Requests a minute and key where the partner's settings name no other number; 0 is no limit. */
  readonly rateLimitPerMinute: number;
  /** Lets webhook configurations use http:// besides https://. */
  readonly allowHttpWebhooks: boolean;
  /** Where the sandbox clock starts, in milliseconds; wall time when undefined. */
  readonly clockStart: number | undefined;
  /** Whether the sandbox clock starts frozen. */
  readonly clockFrozen: boolean;
  /** How many times shorter than published the delays between webhook attempts are. */
  readonly retrySpeed: number;
  /** Where every webhook is sent instead; null where each goes to the URL that is configured. */
  readonly forwardTo: string | null;
}

/** Why what is under way for a dropped world is called off. Made once: an error takes its time to make. */
const DROPPED = new Error('the world was dropped');

/** Code for the tasks that fall due in a world, by task kind. */
export type TaskHandlers = Readonly<Record<string, (world: World, ref: string) => void | Promise<void>>>;

/** What a world is put into: it is the same for every world of a sandbox. */
export interface WorldEnvironment {
  /** Every table there is, by its name in state documents; a world has no other. */
  readonly tables: Readonly<Record<string, AnyTable>>;
  /** Where the sandbox is reached, for example `http://127.0.0.1:4242`. Set once it listens. */
  readonly origin: () => string;
  /** Where worlds tell what happens in them. */
  readonly feed: Feed;
  readonly transport: Transport;
  readonly realTime: RealTime;
  /** What the neutral words of the interface are called on the wire; left out where they stay as they are. */
  readonly names?: NameTranslator | null;
  /** Code for what falls due in the given world. */
  readonly run: (world: World) => TaskRunner;
}

/** All that a world holds at one moment, but for its journal and its rate windows. It never changes. */
export interface WorldSnapshot {
  readonly seed: number;
  readonly clock: ClockSnapshot;
  readonly random: StreamStates;
  /** By the table's declaration; one that is missing is empty. */
  readonly tables: ReadonlyMap<AnyTable, TableSnapshot>;
}

/**
 * Everything that one run of the sandbox knows. A reset makes a new one and drops the old: nothing of it,
 * timers included, reaches into the next.
 */
export class World {
  readonly options: WorldOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly journal: Journal;
  readonly rateLimiter: RateLimiter;
  readonly faults: Faults;
  /** Where this world tells what happens in it. */
  readonly feed: Feed;
  /** Where the sandbox is reached, for example `http://127.0.0.1:4242`. Set once it listens. */
  readonly origin: () => string;
  /** Carries webhooks out. */
  readonly transport: Transport;
  /** Wall time: for what the other side holds against its own clock, and for people who wait. */
  readonly realTime: RealTime;
  /** What the neutral words of the interface are called on the wire; null where they stay as they are. */
  readonly names: NameTranslator | null;
  /** Made when it is first asked for: most worlds end before anything was under way. */
  #end: AbortController | null = null;
  #isEnded = false;
  readonly #parts = new Map<unknown, unknown>();
  readonly #listed: ReadonlySet<AnyTable>;
  readonly #from: WorldSnapshot | undefined;
  readonly #tables = new Map<AnyTable, unknown>();
  #trace: Trace | null = null;

  /** A new and empty world, or one that goes on from a snapshot. */
  constructor(
    options: WorldOptions,
    { tables, origin, feed, transport, realTime, names = null, run }: WorldEnvironment,
    from?: WorldSnapshot,
  ) {
    this.options = from === undefined ? options : { ...options, seed: from.seed };
    this.origin = origin;
    this.feed = feed;
    this.transport = transport;
    this.realTime = realTime;
    this.names = names;
    this.#listed = new Set(Object.values(tables));
    this.#from = from;
    this.clock = new Clock({
      realTime,
      run: run(this),
      startAt: options.clockStart,
      frozen: options.clockFrozen,
      from: from?.clock,
      onMove: clock => feed.publish({ kind: 'clock', clock }),
    });
    this.random = new Random(this.options.seed, from?.random);
    this.events = new Events(this.clock, this.random);
    this.events.subscribe(event => this.#trace?.events.push(event));
    this.events.subscribe(event => feed.publish({ kind: 'event', event }));
    this.journal = new Journal(this.clock, this.random);
    this.rateLimiter = new RateLimiter(this.clock, realTime);
    this.faults = new Faults(this.random);
  }

  /** This world's rows of the declared table. One that is not listed would be left out of saved states, so it throws. */
  table<R extends Row, U extends string, G extends string>(
    definition: TableDefinition<R, U, G>,
  ): Table<R, U, G> {
    const known = this.#tables.get(definition);
    // The map is keyed by the definition, whose types are those of the table stored under it.
    if (known !== undefined) return known as Table<R, U, G>;
    if (!this.#listed.has(definition)) {
      throw new Error(
        `the table of kind ${JSON.stringify(definition.kind)} is not listed in src/sandbox/tables.ts`,
      );
    }
    const from = this.#from?.tables.get(definition);
    const table = new Table(definition, change => this.#trace?.changes.push(change), from);
    this.#tables.set(definition, table);
    return table;
  }

  /** The rows of a table of which no more is known than that it is one. */
  anyTable(definition: AnyTable): Table<Row, string, string> {
    // Every declaration is made by defineTable; what is forgotten are only the types of its rows and indexes.
    return this.table(definition as TableDefinition<Row, string, string>);
  }

  /** What this world holds now. Copies no rows. */
  snapshot(): WorldSnapshot {
    return {
      seed: this.options.seed,
      clock: this.clock.snapshot(),
      random: this.random.states(),
      tables: new Map([...this.#listed].map(each => [each, this.anyTable(each).snapshot()])),
    };
  }

  /** The one thing of this world that `make` makes, made when it is first asked for. */
  part<T>(make: (world: World) => T): T {
    // The map is keyed by the function that made the value, so the value has its type.
    if (this.#parts.has(make)) return this.#parts.get(make) as T;
    const made = make(this);
    this.#parts.set(make, made);
    return made;
  }

  /** Aborted when this world is dropped: what was under way for it has nobody to report to. */
  get ended(): AbortSignal {
    if (this.#end === null) {
      this.#end = new AbortController();
      if (this.#isEnded) this.#end.abort(DROPPED);
    }
    return this.#end.signal;
  }

  /** Drops this world: its clock stops for good, and what is under way is called off. */
  end(): void {
    this.clock.stop();
    this.#isEnded = true;
    this.#end?.abort(DROPPED);
  }

  /** Runs `work` and notes in `trace` what it writes and raises. */
  traced<T>(trace: Trace, work: () => T): T {
    this.#trace = trace;
    try {
      return work();
    } finally {
      this.#trace = null;
    }
  }
}
