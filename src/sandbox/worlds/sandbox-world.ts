import { setMaxListeners } from 'node:events';
import { type Partner, partners } from '../../core/access/partners.ts';
import { Coverage, type Sighted } from '../../core/journal/coverage.ts';
import { Feed } from '../../core/journal/feed.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import type { ServerCounts } from '../../core/journal/server-counts.ts';
import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import { VERSION } from '../../core/operation/version.ts';
import type { RealTime } from '../../core/time/realtime.ts';
import type { NameTranslator } from '../../core/values/names.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import type { Secrets } from '../../core/values/secrets.ts';
import { isoTime, Timestamp } from '../../core/values/timestamp.ts';
import { CurrentState, type StateFactory } from '../../core/world/current-state.ts';
import type { ForwardingChange, Transport } from '../../core/world/transport.ts';
import type { OwnProcess, World, WorldRegistry } from '../../core/world/world.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import { type WorldEnvironment, type WorldOptions, WorldState } from '../../core/world/world-state.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import { countDeliveries, recordDelivery } from '../../service/webhooks/sending.ts';
import { acceptedInput } from '../accepted-input.ts';
import { BuiltFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { type AddPartner, partnerAdder } from '../fixtures/load/new-partner.ts';
import { type DeliveryLogEntry, logDeliveries } from '../log-entries.ts';
import { operations } from '../operations.ts';
import { type CoreOptions, type OptionName, type ResolvedOptions, WORLD_OPTIONS } from '../options.ts';
import { toApiError } from '../state/document/state-error.ts';
import { writeState } from '../state/document/state-writer.ts';
import { writeFixtures } from '../state/kept-fixtures.ts';
import type { KeptWorld } from '../state/kept-world.ts';
import { StateLoader } from '../state/load-state.ts';
import { StateFileError } from '../state/state-file-error.ts';
import type { Part } from '../state/state-folder.ts';
import type { KeepableWorld, Saver, Storage } from '../state/storage.ts';
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
  /** Where the worlds are kept; null for nowhere. */
  readonly storage: Storage | null;
  /** Called when the file of a world turns out not to be readable. */
  readonly onUnreadable: (world: string, problem: string) => void;
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
  /** The id in links to the world; null where they name none. */
  readonly linkId: string | null;
  /** Returns the API key of this world for one from elsewhere. */
  readonly ownKey: (key: string) => string;
  /** The key of its secrets; null when they come from the seed. */
  readonly secretKey: string | null;
  /** The options that its own are made from, without defaults. */
  readonly input: CoreOptions;
  readonly options: ResolvedOptions;
  /** What it starts with, and what a reset goes back to. Default: the fixtures of its options. */
  readonly seed?: Seed | ((seeding: Seeding) => Seed | undefined) | undefined;
  /** The document that it starts with, instead of a seed. */
  readonly document?: unknown;
  /** Makes its first state where that is not the one that a reset goes back to. */
  readonly first?: ((seeding: Seeding) => Steps<WorldState>) | undefined;
  /** Wall time in milliseconds without a request after which the world ends; null for never. */
  readonly ttlMs: number | null;
  /** The process that serves the world and does nothing else; null for another one. */
  readonly process: OwnProcess | null;
  /** Where it is kept; null for nowhere. */
  readonly storage: Storage | null;
  /** Whether its first state comes from its file. */
  readonly isStored?: boolean | undefined;
  /** What its file says besides the state. */
  readonly kept?: KeptWorld | undefined;
  /** What its file is to say that nothing here says; null for `main`, whose options are those of each start. */
  readonly identity: Pick<KeptWorld, 'tag' | 'keySeed' | 'hasFixtures' | 'hasStart'> | null;
}

/** A world of a server: its state with checkpoints, its feed, and what only it uses. */
export class SandboxWorld implements World, KeepableWorld {
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
  readonly #parts: WorldParts;
  readonly #address: ServerParts['address'];
  readonly #transport: Transport;
  readonly #names: NameTranslator | null;
  readonly #first: WorldSnapshot;
  readonly #ended = new AbortController();
  readonly #realTime: RealTime;
  readonly #saver: Saver | null;
  #tokenHash: string | null;
  #lastUsedAt: number;
  #requestsInProgress = 0;
  #cancelExpiry: () => void = () => undefined;
  #addPartner: AddPartner | undefined;

  private constructor(parts: WorldParts, server: ServerParts, worlds: WorldRegistry, opened: Opened) {
    this.#parts = parts;
    this.#address = server.address;
    this.id = parts.id;
    this.worlds = worlds;
    this.settings = settingsOf(parts.options.assume).texts;
    // Every wait and every stream listens to this signal, so many listeners are not a leak.
    setMaxListeners(0, this.#ended.signal);
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
    const { kept, storage, isStored = false } = parts;
    this.createdAt = kept === undefined ? this.#realTime.now() : Date.parse(kept.createdAt);
    this.#lastUsedAt = this.#realTime.now();
    this.#tokenHash = kept?.tokenHash ?? null;
    this.#saver = storage?.add(this, !isStored) ?? null;
    if (parts.ttlMs !== null) this.#expireAfter(parts.ttlMs);
  }

  /** Starts a world, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(parts: WorldParts, server: ServerParts, worlds: WorldRegistry): Steps<SandboxWorld> {
    const forwarding = new ForwardingSetting(parts.options);
    if (parts.kept !== undefined) forwarding.change(parts.kept.forwarding);
    const transport = counted(
      server.createTransport(() => forwarding.redirection),
      worlds.counts,
    );
    const feed = new Feed();
    const make = makerOf(parts, server, { feed, transport, forwarding });
    const seeding = new Seeding(parts.options, make, parts.seed);
    if (parts.document !== undefined) {
      seeding.useDocument([Buffer.from(JSON.stringify(parts.document))], 'body.state');
    }
    const first = yield* parts.first?.(seeding) ?? seeding.steps();
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
      shard: options.shard ?? null,
    };
  }

  acceptedInput(entry: JournalEntry): readonly string[] {
    const lines = acceptedInput(entry, this.state.assumptions);
    return lines.map(line => this.#names?.text(line) ?? line);
  }

  changeForwarding(change: ForwardingChange): void {
    this.forwarding.change(change);
    this.#saver?.noteChange();
  }

  /** The options with all defaults filled in. */
  get resolved(): ResolvedOptions {
    return this.#parts.options;
  }

  /** The tag in its API keys; null for `main`. */
  get tag(): string | null {
    return this.#parts.identity?.tag ?? null;
  }

  /** The SHA-256 of its control token; null when it has none. */
  get tokenHash(): string | null {
    return this.#tokenHash;
  }

  set tokenHash(hash: string | null) {
    this.#tokenHash = hash;
    this.#saver?.noteChange();
  }

  kept(): KeptWorld | null {
    const { id, identity, options, secretKey, ttlMs } = this.#parts;
    if (identity === null) return null;
    const allowed = [...this.state.table(partners).all()].map(({ settings }) => settings.allowedOrigins);
    return {
      id,
      createdAt: isoTime(this.createdAt),
      ttlMs,
      tokenHash: this.#tokenHash,
      allowedOrigins: allowed.some(origins => origins.length === 0) ? [] : [...new Set(allowed.flat())],
      lastUsedAt: isoTime(this.#lastUsedAt),
      shard: options.shard ?? null,
      secretKey,
      options: Object.fromEntries(KEPT_OPTIONS.map(name => [name, keptValue(options[name])])),
      forwarding: this.forwarding.current,
      ...identity,
    };
  }

  parts(): ReadonlyMap<Part, Iterable<Uint8Array>> {
    const { identity, input } = this.#parts;
    const parts = new Map<Part, Iterable<Uint8Array>>();
    if (identity?.hasFixtures) parts.set('fixtures', [writeFixtures(input.fixtures ?? [])]);
    const { seed } = this.seeding;
    if (identity?.hasStart && seed.kind === 'state') parts.set('start', writeState(seed.snapshot, tables));
    return parts;
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

  /** Saves it at once if its last change has waited for too long. Returns a promise to wait for, or null. */
  saveIfLate(): Promise<void> | null {
    return this.#saver?.saveIfLate() ?? null;
  }

  async saveState(): Promise<{ readonly file: string; readonly bytes: number } | null> {
    try {
      return (await this.#saver?.save()) ?? null;
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

/** A transport whose attempts are counted. */
function counted(transport: Transport, counts: ServerCounts): Transport {
  return {
    send(webhook, signal) {
      const sent = transport.send(webhook, signal);
      void sent.then(outcome => counts.countAttempt(outcome));
      return sent;
    },
    close: () => transport.close(),
  };
}

/** The options that the file of a world says. */
export const KEPT_OPTIONS: readonly OptionName[] = [...WORLD_OPTIONS, 'map', 'worldTtl'];

/** Fixtures that are no names are in a file beside that of the world, or are those of the server. */
function keptValue(value: unknown): unknown {
  return hasContents(value) ? undefined : value;
}

/** Whether fixtures have contents instead of names. */
export function hasContents(fixtures: unknown): boolean {
  return Array.isArray(fixtures) && fixtures.some(each => each instanceof BuiltFixture);
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
  { id, linkId, ownKey, options, secretKey }: WorldParts,
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
    linkId,
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
  const loader = new StateLoader(realTime);
  return {
    seeded() {
      try {
        return runNowOrInTurns(seeding.steps(), realTime);
      } catch (error) {
        if (!(error instanceof FixtureError)) throw error;
        // The fixtures of a world that was read from its file are read only now.
        throw badRequest(assumed('state-file'), `the start of this world cannot be read: ${error.message}`);
      }
    },
    from(snapshot) {
      const state = seeding.from(snapshot);
      replaceForeignKeys(state);
      return state;
    },
    async load(content) {
      const state = await loader.load(content, snapshot => seeding.from(snapshot)).catch(toApiError);
      replaceForeignKeys(state);
      return state;
    },
    write: snapshot => wholeOrPieces(writeState(snapshot, tables), realTime),
    feed,
  };
}
