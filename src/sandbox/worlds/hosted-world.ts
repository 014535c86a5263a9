import { setMaxListeners } from 'node:events';
import { type AddPartner, partnerAdder } from '../../fixtures/load/new-partner.ts';
import type { Seed } from '../../fixtures/load/seed.ts';
import type { Partner } from '../../kernel/access/partners.ts';
import { Feed } from '../../kernel/journal/feed.ts';
import { ApiError, assumed } from '../../kernel/operation/errors.ts';
import type { Host, WorldRegistry } from '../../kernel/operation/host.ts';
import { VERSION } from '../../kernel/operation/version.ts';
import { CurrentWorld } from '../../kernel/world/current-world.ts';
import { readState } from '../../kernel/world/state-reader.ts';
import type { Transport } from '../../kernel/world/transport.ts';
import { World, type WorldEnvironment, type WorldSnapshot } from '../../kernel/world/world.ts';
import { recordDelivery } from '../../resources/webhooks/delivery/sending.ts';
import { StateFileError } from '../../state/state-file-error.ts';
import { assumptions } from '../assumptions/register.ts';
import { logDeliveries } from '../delivery-log-entry.ts';
import { operations } from '../operations.ts';
import { toWorldOptions } from '../options/to-world-options.ts';
import type { CoreOptions, ResolvedOptions } from '../options.ts';
import { tables, timerTables } from '../tables.ts';
import { taskRunner } from '../tasks.ts';
import { webhookTransport } from '../webhook-transport.ts';
import { type MakeWorld, Seeding } from './seeding.ts';
import type { ServerParts } from './server-parts.ts';
import { replaceForeignKeys } from './world-keys.ts';

/** What distinguishes a world from the others of its server. */
export interface WorldParts {
  readonly id: string;
  /** Returns the API key of this world for one from elsewhere. */
  readonly ownKey: (key: string) => string;
  /** The key of its secrets; null when they come from the seed. */
  readonly secretKey: string | null;
  /** The options that its own are made from, without defaults. */
  readonly input: CoreOptions;
  readonly options: ResolvedOptions;
  /** What it starts with, and what a reset goes back to. Default: the fixtures of its options. */
  readonly start?: Seed | WorldSnapshot | undefined;
  /** Makes its first state where that is not the one that a reset goes back to. */
  readonly first?: ((seeding: Seeding) => World) | undefined;
  /** Wall time in milliseconds without a request after which the world ends; null for never. */
  readonly ttlMs: number | null;
  /** Saves the world to the state file. Throws a StateFileError. */
  readonly save?: () => { readonly file: string; readonly bytes: number } | null;
}

/** A world of a server: its state with checkpoints, its feed, and what only it uses. */
export class HostedWorld implements Host {
  readonly id: string;
  readonly version = VERSION;
  readonly assumptions = assumptions;
  readonly operations = operations;
  readonly feed = new Feed();
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
  #addPartner: AddPartner | undefined;
  #cancelExpiry: () => void = () => undefined;

  /** Starts the world. Throws an error of the fixtures or the state that it starts with. */
  constructor(parts: WorldParts, server: ServerParts, worlds: WorldRegistry) {
    this.#parts = parts;
    this.#server = server;
    this.id = parts.id;
    this.worlds = worlds;
    // Every wait and every stream listens to this signal, so many listeners are not a leak.
    setMaxListeners(0, this.#ended.signal);
    this.#transport = server.transport ?? webhookTransport(parts.options, () => server.address.served);
    this.seeding = new Seeding(
      parts.options,
      { make: this.#maker(), rules: server.stateRules, adopt: replaceForeignKeys },
      parts.start,
    );
    const { seeding, feed } = this;
    const rules = server.stateRules;
    this.current = new CurrentWorld(
      {
        seeded: () => seeding.world(),
        from(snapshot) {
          const world = seeding.from(snapshot);
          replaceForeignKeys(world);
          return world;
        },
        load(document) {
          const world = readState(document, rules, snapshot => seeding.from(snapshot));
          replaceForeignKeys(world);
          return world;
        },
        rules,
        feed,
      },
      parts.first?.(seeding) ?? seeding.world(),
    );
    if (server.onDelivery !== undefined) logDeliveries(this, server.onDelivery, server.onBug);
    this.createdAt = server.realTime.now();
    this.#lastUsedAt = this.createdAt;
    this.#awaitExpiry();
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

  saveState(): { readonly file: string; readonly bytes: number } | null {
    try {
      return this.#parts.save?.() ?? null;
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
    this.#addPartner ??= partnerAdder(options.fixtures, options);
    return this.#addPartner(this.world, partner);
  }

  /** Ends the world: its timers, webhooks in flight, waiting requests and streams. */
  end(): void {
    this.#cancelExpiry();
    this.world.end();
    this.#ended.abort();
    if (this.#server.transport === undefined) this.#transport.close();
  }

  /** Returns a function that makes states of this world, in which events become webhook deliveries. */
  #maker(): MakeWorld {
    const { id, ownKey, options, secretKey } = this.#parts;
    const { address, realTime, names, onBug } = this.#server;
    const worldOptions = toWorldOptions(options);
    const environment: WorldEnvironment = {
      id,
      ownKey,
      tables,
      timerTables,
      origin: () => address.origin,
      feed: this.feed,
      transport: this.#transport,
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

  #awaitExpiry(): void {
    const { ttlMs } = this.#parts;
    if (ttlMs === null) return;
    const { realTime } = this.#server;
    const idleMs = this.#requestsInProgress > 0 ? 0 : realTime.now() - this.#lastUsedAt;
    if (idleMs >= ttlMs) this.worlds.remove(this.id);
    else this.#cancelExpiry = realTime.after(ttlMs - idleMs, () => this.#awaitExpiry());
  }
}
