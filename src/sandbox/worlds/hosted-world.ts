import { setMaxListeners } from 'node:events';
import type { Steps } from '../../fixtures/load/load-progress.ts';
import { partnerAdder } from '../../fixtures/load/new-partner.ts';
import type { Partner } from '../../kernel/access/partners.ts';
import { Feed } from '../../kernel/journal/feed.ts';
import { ApiError, assumed } from '../../kernel/operation/errors.ts';
import type { Host, OwnProcess, WorldRegistry } from '../../kernel/operation/host.ts';
import { VERSION } from '../../kernel/operation/version.ts';
import { CurrentWorld, type WorldFactory } from '../../kernel/world/current-world.ts';
import type { Transport } from '../../kernel/world/transport.ts';
import { World, type WorldEnvironment } from '../../kernel/world/world.ts';
import type { WorldSnapshot } from '../../kernel/world/world-snapshot.ts';
import { recordDelivery } from '../../resources/webhooks/delivery/sending.ts';
import { writeState } from '../../state/document/state-writer.ts';
import { StateLoader } from '../../state/load-state.ts';
import { StateFileError } from '../../state/state-file-error.ts';
import { wholeOrPieces } from '../../state/turns.ts';
import { assumptions } from '../assumptions/register.ts';
import { logDeliveries } from '../delivery-log-entry.ts';
import { operations } from '../operations.ts';
import { toWorldOptions } from '../options/to-world-options.ts';
import type { CoreOptions, ResolvedOptions } from '../options.ts';
import { toApiError } from '../state-refusal.ts';
import { tables, timerTables } from '../tables.ts';
import { taskRunner } from '../tasks.ts';
import { redirectionOf } from '../webhook-transport.ts';
import { type MakeWorld, type Seed, Seeding } from './seeding.ts';
import type { ServerParts } from './server-parts.ts';
import { replaceForeignKeys } from './world-keys.ts';

/** What distinguishes a world from the others of its server. */
export interface WorldParts {
  readonly id: string;
  /** Returns the API key of this world for one from elsewhere. */
  readonly ownKey: (key: string) => string;
  /** The options that its own are made from, without defaults. */
  readonly input: CoreOptions;
  readonly options: ResolvedOptions;
  /** What it starts with, and what a reset goes back to. Default: the fixtures of its options. */
  readonly seed?: Seed | undefined;
  /** The document that it starts with, instead of a seed. */
  readonly document?: unknown;
  /** Makes its first state where that is not the one that a reset goes back to. */
  readonly first?: ((seeding: Seeding) => Steps<World>) | undefined;
  /** Wall time in milliseconds without a request after which the world ends; null for never. */
  readonly ttlMs: number | null;
  /** The process that serves the world and does nothing else; null for another one. */
  readonly process: OwnProcess | null;
  /** Saves the world to the state file. Rejects with a StateFileError. */
  readonly save?: (() => Promise<{ readonly file: string; readonly bytes: number } | null>) | undefined;
}

/** A world of a server: its state with checkpoints, its feed, and what only it uses. */
export class HostedWorld implements Host {
  readonly id: string;
  readonly version = VERSION;
  readonly assumptions = assumptions;
  readonly operations = operations;
  readonly feed: Feed;
  readonly worlds: WorldRegistry;
  readonly current: CurrentWorld;
  readonly seeding: Seeding;
  readonly createdAt: number;
  readonly #parts: WorldParts;
  readonly #server: ServerParts;
  readonly #transport: Transport;
  readonly #ended = new AbortController();
  #lastUsedAt: number;
  #requestsInProgress = 0;
  #cancelExpiry: () => void = () => undefined;

  private constructor(parts: WorldParts, server: ServerParts, worlds: WorldRegistry, opened: Opened) {
    this.#parts = parts;
    this.#server = server;
    this.id = parts.id;
    this.worlds = worlds;
    this.feed = opened.feed;
    this.seeding = opened.seeding;
    this.#transport = opened.transport;
    this.current = new CurrentWorld(factoryOf(opened, server), opened.first);
    if (server.onDelivery !== undefined) logDeliveries(this, server.onDelivery, server.onBug);
    this.createdAt = server.realTime.now();
    this.#lastUsedAt = this.createdAt;
    // Each stream and each waiting request listens to it, so many listeners are not a leak.
    setMaxListeners(0, this.#ended.signal);
    this.#awaitExpiry();
  }

  /** Starts a world, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(parts: WorldParts, server: ServerParts, worlds: WorldRegistry): Steps<HostedWorld> {
    const redirection = redirectionOf(parts.options);
    const transport = server.createTransport(() => redirection);
    const feed = new Feed();
    const seeding = new Seeding(
      parts.options,
      {
        make: makerOf(parts, server, { feed, transport }),
        rules: server.stateRules,
        adopt: replaceForeignKeys,
      },
      parts.seed,
    );
    if (parts.document !== undefined) {
      seeding.useDocument([Buffer.from(JSON.stringify(parts.document))], 'body.state');
    }
    const first = yield* parts.first?.(seeding) ?? seeding.steps();
    return new HostedWorld(parts, server, worlds, { feed, transport, seeding, first });
  }

  get process(): OwnProcess | null {
    return this.#parts.process;
  }

  get world(): World {
    return this.current.world;
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

  get options(): Readonly<Record<string, unknown>> {
    const { options } = this.#parts;
    // JSON omits undefined, so an option that is not set is null.
    return {
      ...options,
      clock: options.clock ?? null,
      state: options.state ?? null,
      forwardTo: options.forwardTo ?? null,
    };
  }

  touch(): void {
    this.#lastUsedAt = this.#server.realTime.now();
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
      return (await this.#parts.save?.()) ?? null;
    } catch (error) {
      if (!(error instanceof StateFileError)) throw error;
      throw new ApiError(500, assumed('state-file'), error.message);
    }
  }

  addPartner(partner: {
    readonly name?: string | undefined;
    readonly fixture?: string | undefined;
  }): Partner {
    const { options } = this.#parts;
    return partnerAdder(options.fixtures, options)(this.world, partner);
  }

  /** Ends the world: its timers, webhooks in flight, waiting requests and streams. */
  end(): void {
    this.#cancelExpiry();
    this.world.end();
    this.#ended.abort();
    this.#transport.close();
  }

  #awaitExpiry(): void {
    const { ttlMs } = this.#parts;
    if (ttlMs === null) return;
    const { realTime } = this.#server;
    const idleMs = this.#requestsInProgress > 0 ? 0 : realTime.now() - this.#lastUsedAt;
    if (idleMs >= ttlMs) this.worlds.remove(this.id);
    else this.#cancelExpiry = realTime.after(ttlMs - idleMs, () => this.#awaitExpiry());
  }
}

/** What a world consists of before it has its first request. */
interface Opened {
  readonly feed: Feed;
  readonly transport: Transport;
  readonly seeding: Seeding;
  readonly first: World;
}

/** Returns a function that makes states of a world, in which events become webhook deliveries. */
function makerOf(
  { id, ownKey, options }: WorldParts,
  { address, realTime, names, secretKey, onBug }: ServerParts,
  { feed, transport }: Pick<Opened, 'feed' | 'transport'>,
): MakeWorld {
  const worldOptions = toWorldOptions(options);
  const environment: WorldEnvironment = {
    id,
    ownKey,
    tables,
    timerTables,
    origin: () => address.origin,
    feed,
    transport,
    realTime,
    names,
    secretKey,
    run: taskRunner(onBug),
  };
  return (from?: WorldSnapshot) => {
    const world = new World(worldOptions, environment, from);
    world.events.subscribe(event => recordDelivery(world, event));
    return world;
  };
}

/** Returns what replaces the state of a world. */
function factoryOf({ feed, seeding }: Opened, { stateRules, realTime }: ServerParts): WorldFactory {
  const loader = new StateLoader(stateRules, realTime);
  return {
    seeded: () => seeding.world(),
    from: snapshot => seeding.from(snapshot),
    async load(content) {
      const world = await loader.load(content, snapshot => seeding.from(snapshot)).catch(toApiError);
      replaceForeignKeys(world);
      return world;
    },
    write: snapshot => wholeOrPieces(writeState(snapshot, tables), realTime),
    feed,
  };
}
