import { createHash, createHmac } from 'node:crypto';
import { apiKeys, KEY_PREFIX } from '../../core/access/partners.ts';
import { ServerCounts } from '../../core/journal/server-counts.ts';
import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import { isObject } from '../../core/request/input.ts';
import { parseDuration } from '../../core/values/duration.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { shorten } from '../../core/values/text.ts';
import type { WorldRegistry } from '../../core/world/world.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { builtInNames, isBuiltInFixture } from '../fixtures/file/source.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { type CoreOptions, OptionError, type ResolvedOptions, resolveOptions } from '../options.ts';
import { runNowOrInTurns } from '../turns.ts';
import type { NewWorld } from './operations.ts';
import type { ServerParts } from './sandbox-world.ts';
import { SandboxWorld, type WorldParts } from './sandbox-world.ts';
import type { Seed } from './seeding.ts';
import { newTag, type Prefixes, prefixesOf, tagOf, WorldKeys } from './world-keys.ts';

const RULE = assumed('worlds');

/** Cap on the records that the fixtures of one request generate. Those of a start have a higher one for each record. */
const MAX_GENERATED = 100_000;

/** Cap on the worlds that a message lists. */
const MAX_LISTED = 8;

/** The worlds of a server. */
export class Worlds implements WorldRegistry {
  readonly counts = new ServerCounts();
  readonly #server: ServerParts;
  readonly #maxWorlds: number;
  readonly #prefixes: Prefixes;
  /** Names `main` in links and paths that a router must not confuse with those of other shards. */
  readonly #mainLinkId: string | null;
  readonly #byId = new Map<string, SandboxWorld>();
  readonly #byTag = new Map<string, SandboxWorld>();
  /** By the SHA-256 of their tokens. The tokens themselves are not kept. */
  readonly #byTokenHash = new Map<string, SandboxWorld>();
  /** The ids of the worlds that are being created. */
  readonly #creating = new Set<string>();
  /** The number of the last tag. It never goes back, so that a world gets no key of an earlier one. */
  #tags = 0;

  private constructor(server: ServerParts, { maxWorlds, shard }: ResolvedOptions) {
    this.#server = server;
    this.#maxWorlds = maxWorlds;
    this.#prefixes = prefixesOf(shard);
    this.#mainLinkId = shard === undefined ? null : this.#prefixes.world + MAIN_WORLD;
  }

  /** Starts with `main`, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(
    server: ServerParts,
    main: Pick<WorldParts, 'options' | 'process' | 'save' | 'first'>,
  ): Steps<Worlds> {
    const worlds = new Worlds(server, main.options);
    const ownKey = (key: string) => worlds.#mainKey(key);
    const { input, secretKey } = server;
    const linkId = worlds.#mainLinkId;
    const parts = { ...main, id: MAIN_WORLD, linkId, input, secretKey, ownKey, ttlMs: null };
    worlds.#byId.set(MAIN_WORLD, yield* SandboxWorld.start(parts, server, worlds));
    return worlds;
  }

  get main(): SandboxWorld {
    return this.existing(MAIN_WORLD);
  }

  ofKey(key: string | undefined): SandboxWorld {
    if (this.#byTag.size === 0 || key === undefined) return this.main;
    return this.#byTag.get(tagOf(key, this.#prefixes.key)) ?? this.main;
  }

  ofToken(token: string): SandboxWorld | undefined {
    return this.#byTokenHash.get(hashOf(token));
  }

  issueToken(id: string): string | null {
    const { served, fence } = this.#server.address;
    if (served === null || fence.token === null) return null;
    const world = this.existing(id);
    const token = this.#prefixes.token + served.newToken();
    this.#dropToken(world);
    this.#byTokenHash.set(hashOf(token), world);
    return token;
  }

  #dropToken(world: SandboxWorld): void {
    for (const [hash, owner] of this.#byTokenHash) if (owner === world) this.#byTokenHash.delete(hash);
  }

  find(id: string): SandboxWorld | undefined {
    return this.#byId.get(id === this.#mainLinkId ? MAIN_WORLD : id);
  }

  existing(id: string): SandboxWorld {
    const world = this.find(id);
    if (world !== undefined) return world;
    const message = `no world ${JSON.stringify(shorten(id))}${this.#known(id)}; idle worlds expire (--world-ttl)`;
    throw new ApiError(404, RULE, message);
  }

  all(): Iterable<SandboxWorld> {
    return this.#byId.values();
  }

  create(request: NewWorld): SandboxWorld | Promise<SandboxWorld> {
    if (this.#byId.size + this.#creating.size > this.#maxWorlds) throw this.#tooMany();
    const [number, tag] = this.#nextTag();
    const id = this.#withShard(request.id ?? `world_${tag}`);
    if (this.find(id) !== undefined || this.#creating.has(id)) {
      throw badRequest(
        RULE,
        `body.id: there is a world ${JSON.stringify(id)} already; use another id, or leave it out`,
      );
    }
    const source = this.#sourceOf(request);
    const input = {
      ...(source ?? this.main).input,
      ...source?.forwarding.options,
      state: undefined,
      ...optionsIn(request),
      assume: { ...(source ?? this.main).input.assume, ...request.assume },
    };
    // A copy does not inherit it.
    const worldTtl = request.ttl ?? this.main.input.worldTtl;
    const keys = new WorldKeys(this.#server.secrets, this.#prefixes.key, tag);
    const created = orBadRequest(() => {
      const options = resolveOptions({ ...input, worldTtl });
      const parts = {
        id,
        linkId: id,
        input,
        options,
        ownKey: (key: string) => keys.ownKey(key),
        secretKey: this.#secretKeyOf(tag),
        seed: this.#seedOf(request, source, options),
        document: request.freeze === false ? withRunningClock(request.state) : request.state,
        process: null,
        // The text 0 is not a duration.
        ttlMs: parseDuration(options.worldTtl) || null,
      };
      return runNowOrInTurns(SandboxWorld.start(parts, this.#server, this), this.#server.realTime);
    });
    this.#tags = number;
    if (!(created instanceof Promise)) return this.#add(created, tag);
    this.#creating.add(id);
    return created.then(world => this.#add(world, tag)).finally(() => this.#creating.delete(id));
  }

  #add(world: SandboxWorld, tag: string): SandboxWorld {
    if (this.main.ended.aborted) world.end();
    this.#byId.set(world.id, world);
    this.#byTag.set(tag, world);
    world.ended.addEventListener('abort', () => this.#byTag.delete(tag));
    return world;
  }

  remove(id: string): void {
    const world = this.#byId.get(id);
    if (world === undefined || world === this.main) return;
    this.#byId.delete(id);
    this.#dropToken(world);
    world.end();
  }

  /** Ends all worlds, `main` included. */
  stop(): void {
    for (const world of this.#byId.values()) world.end();
  }

  /** The world that a new one is copied from, if any. Throws a 400 for an unknown one. */
  #sourceOf({ from }: NewWorld): SandboxWorld | undefined {
    if (from === undefined) return undefined;
    const source = this.find(from);
    if (source !== undefined) return source;
    throw badRequest(
      RULE,
      `body.from: there is no world ${JSON.stringify(shorten(from))}${this.#known(from)}`,
    );
  }

  /** The nearest id, or some of those that exist, for a message about an unknown one. */
  #known(id: string): string {
    const ids = [...this.#byId.keys()];
    return suggestion(id, ids) || `; there are ${ids.slice(0, MAX_LISTED).join(', ')}`;
  }

  /** What a new world starts with; undefined for the fixtures of its options. */
  #seedOf(request: NewWorld, source: SandboxWorld | undefined, options: ResolvedOptions): Seed | undefined {
    // Reading and checking fixtures takes most of the time.
    if (source === undefined) return this.main.seeding.sharedSeed(options);
    const snapshot = source.state.snapshot();
    const { freeze = snapshot.clock.frozen } = request;
    return { kind: 'state', snapshot: { ...snapshot, clock: { ...snapshot.clock, frozen: freeze } } };
  }

  #withShard(id: string): string {
    const { world } = this.#prefixes;
    return id.startsWith(world) ? id : world + id;
  }

  /** A key of another world, as in a state that was exported from it, would be ambiguous in `main`. */
  #mainKey(key: string): string {
    const { secrets } = this.#server;
    const { key: prefix } = this.#prefixes;
    const own = key.startsWith(prefix) ? key : prefix + key.slice(KEY_PREFIX.length);
    const owner = this.#byTag.get(tagOf(own, prefix));
    return owner === undefined ? own : new WorldKeys(secrets, prefix, newTag(secrets, 0)).ownKey(own);
  }

  /** The number and the tag of the next world. A refused one must not change the keys of later ones. */
  #nextTag(): readonly [number, string] {
    const keys = [...this.main.state.table(apiKeys).all()];
    const taken = new Set(keys.map(({ id }) => tagOf(id, this.#prefixes.key)));
    for (let number = this.#tags + 1; ; number++) {
      const tag = newTag(this.#server.secrets, number);
      if (!this.#byTag.has(tag) && !taken.has(tag)) return [number, tag];
    }
  }

  /** The key of a world's secrets, so that nobody can compute them from those of another world. */
  #secretKeyOf(tag: string): string | null {
    const { secretKey } = this.#server;
    return secretKey === null ? null : createHmac('sha256', secretKey).update(tag).digest('hex');
  }

  #tooMany(): ApiError {
    return badRequest(
      RULE,
      `there are ${this.#maxWorlds} worlds besides main already, which is the most; end one with DELETE /_sandbox/worlds/{world}, or start the sandbox with a higher --max-worlds`,
    );
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** A state document with its clock running. What is not one stays as it is, for its reader to refuse. */
function withRunningClock(document: unknown): unknown {
  if (!isObject(document) || !isObject(document.clock)) return document;
  return { ...document, clock: { ...document.clock, mode: 'running' } };
}

/** The options in a request. Throws a 400 for fixtures that are not available or generate too many records. */
function optionsIn({
  id: _id,
  from: _from,
  state: _state,
  ttl: _ttl,
  fixtures,
  ...others
}: NewWorld): CoreOptions {
  if (fixtures === undefined) return others;
  checkGenerated(fixtures);
  return { ...others, fixtures: fixtures.map(toFixture) };
}

/** Only built-in fixtures have names here, so that a request cannot read files of the server. */
function toFixture(fixture: string | Readonly<Record<string, unknown>>, index: number): LoadableFixture {
  if (typeof fixture !== 'string') return new BuiltFixture(`body.fixtures[${index}]`, fixture);
  if (isBuiltInFixture(fixture)) return fixture;
  const names = builtInNames();
  const hint = suggestion(fixture, names) || `; built-in fixtures are ${names.join(', ')}`;
  throw badRequest(
    RULE,
    `body.fixtures[${index}]: there is no built-in fixture ${JSON.stringify(shorten(fixture))}${hint}; send the content of a file as an object`,
  );
}

/**
 * Throws a 400 when the fixtures of a request generate too many records together. What is not a fixture is for its reader
 * to refuse.
 */
function checkGenerated(fixtures: readonly unknown[]): void {
  let sum = 0;
  for (const [index, fixture] of fixtures.entries()) {
    for (const [kind, records] of Object.entries(isObject(fixture) ? fixture : {})) {
      for (const [position, record] of (Array.isArray(records) ? records : []).entries()) {
        sum += generatedBy(record);
        if (sum > MAX_GENERATED) throw tooMany(`body.fixtures[${index}].${kind}[${position}]`, record, sum);
      }
    }
  }
}

function tooMany(place: string, record: unknown, sum: number): Error {
  const member = isObject(record) && record.generate !== undefined ? '.generate' : '';
  return badRequest(
    RULE,
    `${place}${member}: brings the generated records to ${sum}; a request may generate at most ${MAX_GENERATED}; start the sandbox with a fixture file (--fixtures), or send a state document to PUT /_sandbox/worlds/{world}/state`,
  );
}

/** The records that a record of a fixture makes through `generate`, itself included. */
function generatedBy(record: unknown): number {
  if (!isObject(record)) return 0;
  if (record.generate !== undefined) return countOf(record);
  return nestedIn(record).reduce<number>((sum, nested) => sum + generatedBy(nested), 0);
}

/** The records that a record stands for, with its cards and transactions. */
function countOf(record: unknown): number {
  if (!isObject(record)) return 1;
  const { generate } = record;
  const copies = typeof generate === 'number' && generate > 0 ? generate : 1;
  return copies * nestedIn(record).reduce<number>((sum, nested) => sum + countOf(nested), 1);
}

function nestedIn({ card, transactions }: Readonly<Record<string, unknown>>): unknown[] {
  return [...(card === undefined ? [] : [card]), ...(Array.isArray(transactions) ? transactions : [])];
}

/** Calls `work`. Turns its errors about options, fixtures and states into a 400. */
function orBadRequest<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OptionError) {
      const member = error.option === 'worldTtl' ? 'ttl' : error.option;
      throw badRequest(RULE, `body.${member}: ${error.rule}`);
    }
    if (error instanceof FixtureError) throw badRequest(RULE, error.message);
    throw error;
  }
}
