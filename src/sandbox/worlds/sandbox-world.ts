import type { Partner } from '../../core/access/partners.ts';
import { Coverage, type Sighted } from '../../core/journal/coverage.ts';
import { Feed } from '../../core/journal/feed.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { ApiError, assumed } from '../../core/operation/errors.ts';
import { VERSION } from '../../core/operation/version.ts';
import type { RealTime } from '../../core/time/realtime.ts';
import { AbortController } from '../../core/values/builtins.ts';
import type { NameTranslator } from '../../core/values/names.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import type { Secrets } from '../../core/values/secrets.ts';
import { Timestamp } from '../../core/values/timestamp.ts';
import { CurrentState, type StateFactory } from '../../core/world/current-state.ts';
import type { ForwardingChange, Transport } from '../../core/world/transport.ts';
import type { OwnProcess, World, WorldRegistry } from '../../core/world/world.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import { type WorldEnvironment, type WorldOptions, WorldState } from '../../core/world/world-state.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import { countDeliveries, recordDelivery } from '../../service/webhooks/sending.ts';
import { acceptedInput } from '../accepted-input.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { type AddPartner, partnerAdder } from '../fixtures/load/new-partner.ts';
import { type DeliveryLogEntry, logDeliveries } from '../log-entries.ts';
import { operations } from '../operations.ts';
import type { CoreOptions, ResolvedOptions } from '../options.ts';
import { toApiError } from '../state/document/state-error.ts';
import { writeState } from '../state/document/state-writer.ts';
import { loadState } from '../state/load-state.ts';
import { StateFileError } from '../state/state-file-error.ts';
import type { Storage } from '../state/storage.ts';
import type { SurfaceAddress } from '../surface-address.ts';
import { tables } from '../tables.ts';
import { tasks } from '../tasks.ts';
import type { Redirection } from '../transport/destination.ts';
import { runNowOrInTurns, wholeOrPieces } from '../turns.ts';
import { ForwardingSetting } from './forwarding-setting.ts';
import { type MakeWorld, type Seed, Seeding } from './seeding.ts';
import { replaceForeignKeys } from './world-keys.ts';

/** What the worlds of a server share. Nothing in it changes with what happens in a world. */
export interface ServerParts {
  /** The options that the server was started with, without defaults. */
  readonly input: CoreOptions;
  readonly realTime: RealTime;
  readonly names: NameTranslator | null;
  readonly address: SurfaceAddress;
  readonly people: WorldEnvironment['people'];
  /** The source of the API keys of all worlds but `main`. */
  readonly secrets: Secrets;
  /** The key of unpredictable secrets; null when they come from the seed. */
  readonly secretKey: string | null;
  /** Creates the transport of a world. The redirection is read for each send. */
  readonly createTransport: (redirection: () => Redirection) => Transport;
  readonly onSighting: ((sighted: Sighted) => void) | undefined;
  readonly onDelivery: ((delivery: DeliveryLogEntry) => void) | undefined;
  /** Called for each world that ends before the server does, before it ends. Stories are left out. */
  readonly onWorldEnd: ((world: World) => void) | undefined;
  readonly onBug: (error: unknown, where: string) => void;
}

/** What distinguishes a world from the others of its server. */
export interface WorldParts {
  readonly id: string;
  /** The tag in its API keys; null for `main`. */
  readonly tag: string | null;
  /** Returns the API key of this world for one from elsewhere. */
  readonly ownKey: (key: string) => string;
  /** The key of its secrets; null when they come from the seed. */
  readonly secretKey: string | null;
  /** The options that its own are made from, without defaults. */
  readonly input: CoreOptions;
  readonly options: ResolvedOptions;
  /** What it starts with, and what a reset goes back to. Default: the fixtures of its options. */
  readonly seed?: Seed | undefined;
  /** The document that it starts with, instead of a seed. */
  readonly document?: unknown;
  /** Makes its first state where that is not the one that a reset goes back to. */
  readonly first?: ((seeding: Seeding) => Steps<WorldState>) | undefined;
  /** Wall time in milliseconds without a request after which the world ends; null for never. */
  readonly ttlMs: number | null;
  /** The process that serves the world and does nothing else; null for another one. */
  readonly process: OwnProcess | null;
  /** What keeps its state in a file; null for a world that is not kept. */
  readonly storage: Storage | null;
}

/** What a world needs after its start. A document would keep all its rows in memory. */
type LastingParts = Omit<WorldParts, 'seed' | 'document' | 'first'>;

/** A world of a server: its state with checkpoints, its feed, and what only it uses. */
export class SandboxWorld implements World {
  readonly id: string;
  readonly version = VERSION;
  readonly assumptions = assumptions;
  readonly settings: World['settings'];
  readonly feed: Feed;
  readonly worlds: WorldRegistry;
  readonly current: CurrentState;
  readonly coverage: Coverage;
  readonly seeding: Seeding;
  readonly forwarding: ForwardingSetting;
  readonly createdAt: number;
  readonly #parts: LastingParts;
  readonly #address: ServerParts['address'];
  readonly #transport: Transport;
  readonly #names: NameTranslator | null;
  readonly #first: WorldSnapshot;
  readonly #ended = new AbortController();
  readonly #realTime: RealTime;
  #lastUsedAt: number;
  #requestsInProgress = 0;
  #cancelExpiry: () => void = () => undefined;
  #addPartner: AddPartner | undefined;

  private constructor(parts: LastingParts, server: ServerParts, worlds: WorldRegistry, opened: Opened) {
    this.#parts = parts;
    this.#address = server.address;
    this.id = parts.id;
    this.worlds = worlds;
    this.settings = settingsOf(parts.options.assume).texts;
    this.feed = opened.feed;
    this.seeding = opened.seeding;
    this.forwarding = opened.forwarding;
    this.#transport = opened.transport;
    this.#names = server.names;
    this.#first = opened.first.snapshot();
    this.coverage = new Coverage(server.onSighting);
    this.current = new CurrentState(factoryOf(opened, server), opened.first);
    countDeliveries(this);
    if (server.onDelivery !== undefined) logDeliveries(this, server.onDelivery, server.onBug);
    this.#realTime = server.realTime;
    this.createdAt = this.#realTime.now();
    this.#lastUsedAt = this.createdAt;
    parts.storage?.keep(this);
    if (parts.ttlMs !== null) this.#expireAfter(parts.ttlMs);
  }

  /** Starts a world, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(
    { seed, document, first: makeFirst, ...parts }: WorldParts,
    server: ServerParts,
    worlds: WorldRegistry,
  ): Steps<SandboxWorld> {
    const forwarding = new ForwardingSetting(parts.options);
    const transport = server.createTransport(() => forwarding.redirection);
    const feed = new Feed();
    const make = makerOf(parts, server, { feed, transport, forwarding });
    const seeding = new Seeding(parts.options, make, seed);
    if (document !== undefined) seeding.useDocument(document, 'body.state');
    const first = yield* makeFirst?.(seeding) ?? seeding.steps();
    return new SandboxWorld(parts, server, worlds, { feed, transport, forwarding, seeding, first });
  }

  get process(): OwnProcess | null {
    return this.#parts.process;
  }

  get stories(): World['stories'] {
    return this.#address.served?.stories;
  }

  get state(): WorldState {
    return this.current.state;
  }

  get operations(): World['operations'] {
    return operations;
  }

  get start(): World['start'] {
    const { seeding, forwarding } = this;
    return { snapshot: seeding.initial ?? this.#first, forwarding: forwarding.atStart };
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The options that its own are made from, without defaults. */
  get input(): CoreOptions {
    return this.#parts.input;
  }

  get documentedOnly(): boolean {
    return this.#parts.options.documentedOnly;
  }

  get options(): Readonly<Record<string, unknown>> {
    const { options } = this.#parts;
    // JSON omits undefined, so an option that is not set is null.
    return {
      ...options,
      clock: options.clock ?? null,
      state: options.state ?? null,
      forwardTo: options.forwardTo ?? null,
      publicUrl: options.publicUrl ?? null,
    };
  }

  acceptedInput(entry: JournalEntry): readonly string[] {
    const lines = acceptedInput(entry, this.state.assumptions);
    return lines.map(line => this.#names?.text(line) ?? line);
  }

  changeForwarding(change: ForwardingChange): void {
    this.forwarding.change(change);
  }

  /** The tag in its API keys; null for `main`. */
  get tag(): string | null {
    return this.#parts.tag;
  }

  touch(): void {
    this.#lastUsedAt = this.#realTime.now();
  }

  use(): () => void {
    this.touch();
    this.#requestsInProgress += 1;
    return () => {
      this.touch();
      this.#requestsInProgress -= 1;
    };
  }

  async saveState(): Promise<{ readonly file: string; readonly bytes: number } | null> {
    try {
      return (await this.#parts.storage?.save()) ?? null;
    } catch (error) {
      if (!(error instanceof StateFileError)) throw error;
      throw new ApiError(500, assumed('state-file'), error.message);
    }
  }

  addPartner(partner: {
    readonly name?: string | undefined;
    readonly fixture?: string | undefined;
  }): Partner | Promise<Partner> {
    const { options } = this.#parts;
    this.#addPartner ??= partnerAdder(options.fixtures, options);
    return runNowOrInTurns(this.#addPartner(this.state, partner), this.#realTime);
  }

  /** Ends the world: its timers, webhooks in flight, waiting requests and streams. */
  end(): void {
    this.#cancelExpiry();
    this.state.end();
    this.#ended.abort();
    this.#transport.close();
  }

  /** Ends the world after a time without use. */
  #expireAfter(ttlMs: number): void {
    const idleMs = this.#requestsInProgress > 0 ? 0 : this.#realTime.now() - this.#lastUsedAt;
    if (idleMs >= ttlMs) this.worlds.remove(this.id);
    else this.#cancelExpiry = this.#realTime.after(ttlMs - idleMs, () => this.#expireAfter(ttlMs));
  }
}

/** What a world consists of before it has its first request. */
interface Opened {
  readonly feed: Feed;
  readonly transport: Transport;
  readonly forwarding: ForwardingSetting;
  readonly seeding: Seeding;
  readonly first: WorldState;
}

/** Returns a function that makes states of a world, in which events become webhook deliveries. */
function makerOf(
  { id, ownKey, options, secretKey }: LastingParts,
  { address, realTime, names, people, onBug }: ServerParts,
  { feed, transport, forwarding }: Pick<Opened, 'feed' | 'transport' | 'forwarding'>,
): MakeWorld {
  const worldOptions: WorldOptions = {
    seed: options.seed,
    kycDelayMs: Duration.parse(options.kycDelay),
    rateLimitPerMinute: options.rateLimit,
    clockStart: options.clock === undefined ? undefined : Timestamp.parse(options.clock),
    clockFrozen: options.freeze,
    retrySpeed: options.retrySpeed,
    idLength: options.idLength ?? null,
    assumptions: settingsOf(options.assume).values,
  };
  const environment: WorldEnvironment = {
    id,
    ownKey,
    tables,
    tasks,
    origin: () => address.origin,
    feed,
    transport,
    forwarding: () => forwarding.current,
    realTime,
    names,
    people,
    secretKey,
    onBug,
    onEvent: recordDelivery,
  };
  return (from?: WorldSnapshot) => new WorldState(worldOptions, environment, from);
}

/** Returns what replaces the state of a world. */
function factoryOf({ feed, seeding }: Opened, { realTime }: ServerParts): StateFactory {
  return {
    seeded: () => runNowOrInTurns(seeding.steps(), realTime),
    from(snapshot) {
      const state = seeding.from(snapshot);
      replaceForeignKeys(state);
      return state;
    },
    async load(document) {
      const make = (snapshot: WorldSnapshot) => seeding.from(snapshot);
      const state = await loadState(document, make, realTime).catch(toApiError);
      replaceForeignKeys(state);
      return state;
    },
    write: snapshot => wholeOrPieces(writeState(snapshot, tables), realTime),
    feed,
  };
}
