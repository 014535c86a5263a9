import { createHash, createHmac } from 'node:crypto';
import { apiKeys, KEY_PREFIX } from '../../core/access/partners.ts';
import { ServerCounts } from '../../core/journal/server-counts.ts';
import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import { isObject } from '../../core/request/input.ts';
import type { ClockSnapshot } from '../../core/time/clock.ts';
import { parseDuration } from '../../core/values/duration.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { Random } from '../../core/values/random.ts';
import { Secrets } from '../../core/values/secrets.ts';
import { shorten } from '../../core/values/text.ts';
import type { UnreadWorld, WorldRegistry } from '../../core/world/world.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { builtInNames, isBuiltInFixture } from '../fixtures/file/source.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import { type CoreOptions, OptionError, type ResolvedOptions, resolveOptions } from '../options.ts';
import { StateError, stateProblem } from '../state/document/state-error.ts';
import { readFixtures } from '../state/kept-fixtures.ts';
import { type KeptWorld, readKeptWorld } from '../state/kept-world.ts';
import { readPieces } from '../state/state-file.ts';
import { explainFileError } from '../state/state-file-error.ts';
import { keysOfAnother, type StoredWorld } from '../state/state-folder.ts';
import type { Storage } from '../state/storage.ts';
import { runNowOrInTurns } from '../turns.ts';
import type { NewWorld } from './operations.ts';
import {
  hasContents,
  KEPT_OPTIONS,
  SandboxWorld,
  type ServerParts,
  type WorldParts,
} from './sandbox-world.ts';
import type { Seed, Seeding } from './seeding.ts';
import { newTag, type Prefixes, prefixesOf, tagOf, WorldKeys } from './world-keys.ts';

const RULE = assumed('worlds');

/** Cap on the records that the fixtures of one request generate. Those of a start have a higher one for each record. */
const MAX_GENERATED = 100_000;

/** Cap on the worlds that a message lists. */
const MAX_LISTED = 8;

/** Wall time without a request after which the world of a story ends. */
const STORY_TTL_MS = 3_600_000;

/** A world whose file was not read yet. */
class StoredPlace implements UnreadWorld {
  stored: StoredWorld;
  /** Resolves when its file is read; null while nobody reads it. */
  loading: Promise<void> | null = null;

  constructor(stored: StoredWorld) {
    this.stored = stored;
  }

  get id(): string {
    return this.stored.id;
  }

  get createdAt(): number {
    return Date.parse(this.stored.world?.createdAt ?? this.stored.lastUsedAt);
  }

  get lastUsedAt(): number {
    return Date.parse(this.stored.lastUsedAt);
  }

  get allowedOrigins(): readonly string[] {
    return this.stored.world?.allowedOrigins ?? [];
  }

  get problem(): string | null {
    return this.stored.problem;
  }
}

/** The worlds of a server. */
export class Worlds implements WorldRegistry {
  readonly counts = new ServerCounts();
  readonly #server: ServerParts;
  readonly #storage: Storage | null;
  readonly #maxWorlds: number;
  readonly #prefixes: Prefixes;
  /** Names `main` in links and paths that a router must not confuse with those of other shards. */
  readonly #mainLinkId: string | null;
  /** In the order of creation. */
  readonly #byId = new Map<string, SandboxWorld | StoredPlace>();
  /** The worlds of stories, by their ids. They are neither listed, counted nor stored. */
  readonly #ofStories = new Map<string, SandboxWorld>();
  /** The ids of worlds by the tags in their keys. */
  readonly #byTag = new Map<string, string>();
  /** The ids of worlds by the SHA-256 of their tokens. The tokens themselves are not kept. */
  readonly #byTokenHash = new Map<string, string>();
  /** The ids of the worlds that are being created. */
  readonly #creating = new Set<string>();
  /** The number of the last tag. It never goes back, so that a world gets no key of an earlier one. */
  #tags: number;
  /** The same for the worlds of stories, whose numbers are negative. */
  #storyTags = 0;
  #cancelExpiry: () => void = () => undefined;

  private constructor(server: ServerParts, { maxWorlds, shard }: ResolvedOptions) {
    this.#server = server;
    this.#storage = server.storage;
    this.#maxWorlds = maxWorlds;
    this.#prefixes = prefixesOf(shard);
    this.#mainLinkId = shard === undefined ? null : this.#prefixes.world + MAIN_WORLD;
    this.#tags = server.storage?.tags ?? 0;
  }

  /** Starts with `main`, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(
    server: ServerParts,
    main: Pick<WorldParts, 'options' | 'process' | 'first' | 'isStored'>,
  ): Steps<Worlds> {
    const worlds = new Worlds(server, main.options);
    const { input, secretKey, storage } = server;
    const stored = [...(storage?.unread ?? [])];
    // The keys of main must be none of theirs.
    for (const each of stored) worlds.#noteKeys(each);
    const ownKey = (key: string) => worlds.#mainKey(key);
    const ids = { id: MAIN_WORLD, linkId: worlds.#mainLinkId, identity: null, ttlMs: null };
    const parts = { ...main, ...ids, input, secretKey, ownKey, storage };
    worlds.#byId.set(MAIN_WORLD, yield* SandboxWorld.start(parts, server, worlds));
    for (const each of stored) worlds.#byId.set(each.id, new StoredPlace(each));
    worlds.#expireUnread();
    return worlds;
  }

  get main(): SandboxWorld {
    // It is the first world and never ends.
    return this.#byId.get(MAIN_WORLD) as SandboxWorld;
  }

  idOfKey(key: string | undefined): string {
    if (this.#byTag.size === 0 || key === undefined) return MAIN_WORLD;
    return this.#byTag.get(tagOf(key, this.#prefixes.key)) ?? MAIN_WORLD;
  }

  ofKey(key: string | undefined): SandboxWorld {
    return this.find(this.idOfKey(key)) ?? this.main;
  }

  idOfToken(token: string): string | undefined {
    return this.#byTokenHash.get(hashOf(token));
  }

  issueToken(id: string): string | null {
    const { served, fence } = this.#server.address;
    if (served === null || fence.token === null) return null;
    const world = this.existing(id);
    const token = this.#prefixes.token + served.newToken();
    this.#dropTokens(id);
    world.tokenHash = hashOf(token);
    this.#byTokenHash.set(world.tokenHash, id);
    return token;
  }

  #dropTokens(id: string): void {
    for (const [hash, owner] of this.#byTokenHash) if (owner === id) this.#byTokenHash.delete(hash);
  }

  find(id: string): SandboxWorld | undefined {
    const found = this.#byId.get(id === this.#mainLinkId ? MAIN_WORLD : id);
    if (!(found instanceof StoredPlace)) return found ?? this.#ofStories.get(id);
    if (this.prepare(id) !== null)
      throw new ApiError(503, RULE, `the world ${named(id)} is being read; send the request again`);
    const read = this.#byId.get(id);
    if (!(read instanceof StoredPlace)) return read;
    throw new ApiError(
      503,
      RULE,
      `the world ${named(id)} cannot be read: ${read.problem}. The file was not changed; repair or replace it, or end the world with DELETE /_sandbox/worlds/${id}`,
    );
  }

  existing(id: string): SandboxWorld {
    const world = this.find(id);
    if (world !== undefined) return world;
    const message = `no world ${named(id)}${this.#known(id)}; idle worlds expire (--world-ttl)`;
    throw new ApiError(404, RULE, message);
  }

  *all(): Iterable<SandboxWorld> {
    for (const each of this.#byId.values()) if (each instanceof SandboxWorld) yield each;
  }

  list(): Iterable<SandboxWorld | UnreadWorld> {
    return this.#byId.values();
  }

  prepare(id: string): Promise<void> | null {
    const place = this.#byId.get(id);
    if (!(place instanceof StoredPlace)) return place?.saveIfLate() ?? null;
    if (place.loading !== null) return place.loading;
    const stored = this.#storage?.look(place.stored) ?? null;
    // Somebody has removed the file.
    if (stored === null) {
      this.remove(id);
      return null;
    }
    // It was looked at already, and is the same.
    if (stored === place.stored && stored.problem !== null) return null;
    place.stored = stored;
    const end = (world: SandboxWorld) => void this.#add(world);
    const fail = (error: unknown) => this.#noteProblem(place, error);
    const owner = stored.world === null ? id : (this.#byTag.get(stored.world.tag) ?? id);
    // A copy of the file of another world, put here since the start.
    if (owner !== id) {
      fail(new StateError([keysOfAnother(owner)]));
      return null;
    }
    this.#noteKeys(stored);
    if (stored.problem !== null) return null;
    try {
      const reading = runNowOrInTurns(this.#read(stored), this.#server.realTime);
      if (reading instanceof Promise) {
        place.loading = reading.then(end).catch(fail);
        return place.loading;
      }
      end(reading);
    } catch (error) {
      fail(error);
    }
    return null;
  }

  #noteProblem(place: StoredPlace, error: unknown): void {
    const { id } = place;
    const file = `${id}.json`;
    const reason = error instanceof ApiError || error instanceof OptionError ? error.message : null;
    const problem = `${file}: ${stateProblem(error) ?? reason ?? explainFileError(error, file)}`;
    place.loading = null;
    place.stored = { ...place.stored, problem };
    this.#storage?.noteProblem(id, problem);
    this.#server.onUnreadable(id, problem);
  }

  /** Reads the file of a world, in steps. Throws what is wrong with it. */
  *#read(stored: StoredWorld): Steps<SandboxWorld> {
    const { id } = stored;
    const { path } = this.#storage?.file(id) ?? { path: '' };
    const kept = readKeptWorld(path);
    const { main } = this;
    // The options are checked below.
    const ofWorld: CoreOptions = Object.fromEntries(
      kept === null ? [] : KEPT_OPTIONS.map(name => [name, kept.options[name]]),
    );
    const own = kept?.hasFixtures
      ? readFixtures(this.#storage?.file(id, 'fixtures')?.path ?? '')
      : ofWorld.fixtures;
    const fixtures = own ?? main.input.fixtures;
    const input: CoreOptions = { ...main.input, state: undefined, ...ofWorld, fixtures };
    const options = resolveOptions(input);
    const [number, tag] = kept === null ? this.#nextTag(this.#tags, 1) : [this.#tags, kept.tag];
    const identity = {
      tag,
      keySeed: kept?.keySeed ?? main.resolved.seed,
      hasFixtures: kept?.hasFixtures ?? false,
      hasStart: kept?.hasStart ?? false,
    };
    const secretKey = kept === null ? this.#secretKeyOf(tag) : kept.secretKey;
    this.#useTags(number);
    return yield* SandboxWorld.start(
      {
        ...this.#partsOf({ id, identity, input, options, secretKey }),
        storage: this.#storage,
        kept: kept ?? undefined,
        isStored: kept !== null,
        ttlMs: kept === null ? ttlOf(options) : kept.ttlMs,
        seed: seeding => this.#storedSeed(seeding, id, identity.hasStart, options),
        first: seeding =>
          seeding.load(
            readPieces(path),
            problem => new StateError([problem]),
            clock => goOn(clock, stored.now),
          ),
      },
      this.#server,
      this,
    );
  }

  /** What a world that was read from its file goes back to on a reset. */
  #storedSeed(seeding: Seeding, id: string, hasStart: boolean, options: ResolvedOptions): Seed | undefined {
    if (!hasStart) return this.main.seeding.sharedSeed(options);
    const path = this.#storage?.file(id, 'start')?.path ?? '';
    try {
      return seeding.seedOf(
        readPieces(path),
        problem => `${id}.start.json: ${problem}`,
        () => ({}),
      );
    } catch (error) {
      if (error instanceof FixtureError) throw error;
      throw new FixtureError([`${id}.start.json: ${explainFileError(error, path)}`]);
    }
  }

  create(request: NewWorld): SandboxWorld | Promise<SandboxWorld> {
    const loading = request.from === undefined ? null : this.prepare(request.from);
    if (loading !== null) return loading.then(() => this.create(request));
    if (this.#byId.size + this.#creating.size > this.#maxWorlds) throw this.#tooMany();
    const [number, tag] = this.#nextTag(this.#tags, 1);
    const id = this.#withShard(request.id ?? `world_${tag}`);
    this.#checkFree(id);
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
    const secretKey = this.#secretKeyOf(tag);
    const identity = {
      tag,
      keySeed: this.main.resolved.seed,
      hasFixtures: input.fixtures !== this.main.input.fixtures && hasContents(input.fixtures),
      hasStart: source !== undefined || request.state !== undefined,
    };
    const created = orBadRequest(() => {
      const options = resolveOptions({ ...input, worldTtl });
      const parts = {
        ...this.#partsOf({ id, identity, input, options, secretKey }),
        storage: this.#storage,
        seed: this.#seedOf(request, source, options),
        document: request.freeze === false ? withRunningClock(request.state) : request.state,
        ttlMs: ttlOf(options),
      };
      return runNowOrInTurns(SandboxWorld.start(parts, this.#server, this), this.#server.realTime);
    });
    this.#useTags(number);
    if (!(created instanceof Promise)) return this.#add(created);
    this.#creating.add(id);
    return created.then(world => this.#add(world)).finally(() => this.#creating.delete(id));
  }

  createStory(input: Pick<CoreOptions, 'fixtures' | 'forwardTo'>): SandboxWorld | Promise<SandboxWorld> {
    // Numbers of their own: a story must not change the keys of later worlds.
    const [number, tag] = this.#nextTag(this.#storyTags, -1);
    const id = this.#withShard(`story_${tag}`);
    const secretKey = this.#secretKeyOf(tag);
    const identity = { tag, keySeed: this.main.resolved.seed, hasFixtures: false, hasStart: false };
    // What a story shows says nothing about an app.
    const server = { ...this.#server, onSighting: undefined };
    const created = orBadRequest(() => {
      const options = resolveOptions({ ...input, freeze: true });
      const parts = {
        ...this.#partsOf({ id, identity, input, options, secretKey }),
        storage: null,
        seed: this.main.seeding.sharedSeed(options),
        ttlMs: STORY_TTL_MS,
      };
      return runNowOrInTurns(SandboxWorld.start(parts, server, this), server.realTime);
    });
    this.#storyTags = number;
    const add = (world: SandboxWorld) => this.#add(world, this.#ofStories);
    return created instanceof Promise ? created.then(add) : add(created);
  }

  /** Throws a 400 for an id that is taken. Some file systems do not distinguish the case of names. */
  #checkFree(id: string): void {
    const others = [
      ...this.#byId.keys(),
      ...this.#ofStories.keys(),
      ...this.#creating,
      this.#mainLinkId ?? MAIN_WORLD,
    ];
    const isSame = (other: string) =>
      other === id || (this.#storage?.keepsAll && other.toLowerCase() === id.toLowerCase());
    const taken = others.find(isSame);
    if (taken === undefined) return;
    const why = taken === id ? '' : ', whose file has the same name on some systems';
    throw badRequest(
      RULE,
      `body.id: there is a world ${named(taken)} already${why}; use another id, or leave it out`,
    );
  }

  #add(world: SandboxWorld, among: Map<string, SandboxWorld | StoredPlace> = this.#byId): SandboxWorld {
    if (this.main.ended.aborted) world.end();
    among.set(world.id, world);
    if (world.tag !== null) this.#byTag.set(world.tag, world.id);
    return world;
  }

  #noteKeys({ id, world }: StoredWorld): void {
    if (world === null) return;
    this.#byTag.set(world.tag, id);
    if (world.tokenHash !== null) this.#byTokenHash.set(world.tokenHash, id);
  }

  remove(id: string): boolean {
    const place = this.#byId.get(id) ?? this.#ofStories.get(id);
    if (place === undefined || place === this.main) return false;
    if (place instanceof StoredPlace && place.loading !== null) {
      void place.loading.then(() => this.remove(id));
      return true;
    }
    this.#byId.delete(id);
    this.#dropTokens(id);
    const tag = place instanceof StoredPlace ? place.stored.world?.tag : place.tag;
    if (tag != null && this.#byTag.get(tag) === id) this.#byTag.delete(tag);
    const isOfStory = this.#ofStories.delete(id);
    if (place instanceof SandboxWorld) {
      if (!isOfStory) this.#server.onWorldEnd?.(place);
      place.end();
    }
    if (!isOfStory) this.#storage?.remove(id);
    return true;
  }

  /** Ends the worlds that nobody has called for their time to live, whether or not the server ran, and waits for the next. */
  #expireUnread(): void {
    const now = this.#server.realTime.now();
    let next = Number.POSITIVE_INFINITY;
    for (const place of this.#byId.values()) {
      // A file that cannot be read is left for somebody to repair.
      if (!(place instanceof StoredPlace) || place.problem !== null || place.loading !== null) continue;
      const { world } = place.stored;
      const ttlMs = world === null ? ttlOf(this.main.resolved) : world.ttlMs;
      if (ttlMs === null) continue;
      const leftMs = place.lastUsedAt + ttlMs - now;
      if (leftMs <= 0) this.remove(place.id);
      else next = Math.min(next, leftMs);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelExpiry = this.#server.realTime.after(next, () => this.#expireUnread());
  }

  /** Ends all worlds, `main` included. Their files stay. */
  stop(): void {
    this.#cancelExpiry();
    for (const world of [...this.all(), ...this.#ofStories.values()]) world.end();
  }

  /** The world that a new one is copied from, if any. Throws a 400 for an unknown one. */
  #sourceOf({ from }: NewWorld): SandboxWorld | undefined {
    if (from === undefined) return undefined;
    const source = this.find(from);
    if (source !== undefined) return source;
    throw badRequest(RULE, `body.from: there is no world ${named(from)}${this.#known(from)}`);
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

  /** What every world but `main` is made of. */
  #partsOf(
    given: Pick<WorldParts, 'id' | 'input' | 'options' | 'secretKey'> & {
      readonly identity: NonNullable<WorldParts['identity']>;
    },
  ) {
    const { id, identity, secretKey } = given;
    return { ...given, linkId: id, process: null, ownKey: this.#keysOf(identity, secretKey) };
  }

  /** Returns what gives a world its API keys. */
  #keysOf(
    { tag, keySeed }: Pick<KeptWorld, 'tag' | 'keySeed'>,
    secretKey: string | null,
  ): (key: string) => string {
    const from = secretKey === null ? null : { key: secretKey, drawn: {} };
    const secrets = new Secrets(new Random(keySeed), keySeed, from);
    const keys = new WorldKeys(secrets, this.#prefixes.key, tag);
    return key => keys.ownKey(key);
  }

  /** A key of another world, as in a state that was exported from it, would be ambiguous in `main`. */
  #mainKey(key: string): string {
    const { secrets } = this.#server;
    const { key: prefix } = this.#prefixes;
    const own = key.startsWith(prefix) ? key : prefix + key.slice(KEY_PREFIX.length);
    const owner = this.#byTag.get(tagOf(own, prefix));
    return owner === undefined ? own : new WorldKeys(secrets, prefix, newTag(secrets, 0)).ownKey(own);
  }

  /** Notes the number of the last tag. A refused world must not change the keys of later ones. */
  #useTags(number: number): void {
    this.#tags = number;
    if (this.#storage !== null) this.#storage.tags = number;
  }

  /** The number and the tag of the next world after that of a number. */
  #nextTag(last: number, step: 1 | -1): readonly [number, string] {
    const keys = [...this.main.state.table(apiKeys).all()];
    const taken = new Set(keys.map(({ id }) => tagOf(id, this.#prefixes.key)));
    for (let number = last + step; ; number += step) {
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

function named(id: string): string {
  return JSON.stringify(shorten(id));
}

/** Wall time in milliseconds without a request after which a world ends; null for never. */
function ttlOf({ worldTtl }: ResolvedOptions): number | null {
  // The text 0 is not a duration.
  return parseDuration(worldTtl) || null;
}

/** The clock of a file, which has gone on since the file was saved when it runs. */
export function goOn({ now, frozen }: ClockSnapshot, until: string | undefined): Partial<ClockSnapshot> {
  return frozen || until === undefined ? {} : { now: Math.max(now, Date.parse(until)) };
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
