import { createHmac } from 'node:crypto';
import type { OwnProcess, OwnServer, Recording } from '../../control/own-server.ts';
import { apiKeys, type Partner } from '../../core/access/partners.ts';
import { ApiError, assumed, badRequest } from '../../core/operation/errors.ts';
import { isObject } from '../../core/request/input.ts';
import { runNowOrInTurns, type Steps } from '../../core/time/turns.ts';
import { parseDuration } from '../../core/values/duration.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { shorten } from '../../core/values/text.ts';
import { isFrozenState } from '../../core/world/state-document.ts';
import type { World } from '../../core/world/world.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import { withPlannedOptions } from '../disturbance/apply-plan.ts';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { builtInNames, isBuiltInFixture } from '../fixtures/file/source.ts';
import { type CoreOptions, OptionError, type ResolvedOptions, resolveOptions } from '../options.ts';
import { StateFileError } from '../state/state-file-error.ts';
import type { Storage } from '../state/storage.ts';
import type { NewWorld } from './operations.ts';
import { SandboxWorld } from './sandbox-world.ts';
import type { Seed } from './states.ts';
import { newTag, tagOf, worldKeyOf } from './world-keys.ts';
import type { ServerParts, WorldPlan } from './world-plan.ts';

const RULE = assumed('worlds');

/** Cap on the records that the fixtures of one request generate. Those of a start have a higher one for each record. */
const MAX_GENERATED = 100_000;

const MAX_LISTED = 8;

/** Wall time without a request after which the world of a story ends. */
const STORY_TTL_MS = 3_600_000;

export interface OwnParts {
  readonly options: ResolvedOptions;
  /** The options that the server was started with, without defaults. */
  readonly input: CoreOptions;
  /** The process, where it does nothing but serve the sandbox; otherwise null. */
  readonly process: OwnProcess | null;
  /** What keeps the state of `main` in a file, where there is one. */
  readonly storage: Storage | null;
  readonly recorded?: RecordedWorld | undefined;
}

export interface RecordedWorld
  extends Required<Pick<WorldPlan, 'id' | 'keys' | 'keepsHistory' | 'origin'>>,
    NonNullable<WorldPlan['document']> {}

export class Worlds implements OwnServer {
  readonly process: OwnProcess | null;
  recording: Recording | null = null;
  readonly #server: ServerParts;
  readonly #storage: Storage | null;
  readonly #maxWorlds: number;
  readonly #seed: number;
  #main: SandboxWorld | null = null;
  /** In the order of creation. */
  readonly #byId = new Map<string, SandboxWorld>();
  /** The worlds of stories, by their ids. They are neither listed nor counted. */
  readonly #ofStories = new Map<string, SandboxWorld>();
  /** By the tags in their keys. */
  readonly #byTag = new Map<string, SandboxWorld>();
  readonly #creating = new Set<string>();
  /** The number of the last tag. It never goes back, so that a world gets no key of an earlier one. */
  #tags = 0;
  /** The same for the worlds of stories, whose numbers are negative. */
  #storyTags = 0;

  private constructor(server: ServerParts, { options, process, storage }: OwnParts) {
    this.process = process;
    this.#server = server;
    this.#storage = storage;
    this.#maxWorlds = options.maxWorlds;
    this.#seed = options.seed;
  }

  /** Starts with `main`, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(server: ServerParts, own: OwnParts): Steps<Worlds> {
    const worlds = new Worlds(server, own);
    const { input, options, storage, recorded } = own;
    const keys = recorded?.keys ?? { tag: null, seed: options.seed, secret: server.secretKey };
    const { tag } = keys;
    const plan: WorldPlan = {
      id: recorded?.id ?? MAIN_WORLD,
      keys,
      toWorldKey: tag === null ? key => worlds.#mainKey(key) : worldKeyOf({ ...keys, tag }),
      // Other worlds do not have the forwarding of a record.
      input: recorded === undefined ? input : { ...input, forwardTo: undefined, map: [] },
      options,
      document: recorded,
      saved: storage?.read(),
      origin: recorded?.origin,
      ttlMs: null,
      keepsHistory: recorded?.keepsHistory ?? false,
    };
    worlds.#main = yield* SandboxWorld.start(plan, server, worlds);
    worlds.#byId.set(plan.id, worlds.#main);
    storage?.keep(worlds.#main);
    return worlds;
  }

  get stories(): OwnServer['stories'] {
    return this.#server.address.served?.stories;
  }

  get main(): SandboxWorld {
    if (this.#main === null) throw new Error('the server is still being started');
    return this.#main;
  }

  ofKey(key: string | undefined): SandboxWorld {
    if (this.#byTag.size === 0 || key === undefined) return this.main;
    return this.#byTag.get(tagOf(key)) ?? this.main;
  }

  find(id: string): SandboxWorld | undefined {
    return this.#byId.get(id) ?? this.#ofStories.get(id);
  }

  existing(id: string): SandboxWorld {
    const world = this.find(id);
    if (world !== undefined) return world;
    const message = `no world ${named(id)}${this.#known(id)}; idle worlds expire (--world-ttl)`;
    throw new ApiError(404, RULE, message);
  }

  all(): Iterable<SandboxWorld> {
    return this.#byId.values();
  }

  create(request: NewWorld): SandboxWorld | Promise<SandboxWorld> {
    if (this.#byId.size + this.#creating.size > this.#maxWorlds) throw this.#tooMany();
    const [number, tag] = this.#nextTag(this.#tags, 1);
    const id = request.id ?? `world_${tag}`;
    this.#checkFree(id);
    const source = this.#sourceOf(request);
    const input = {
      ...(source ?? this.main).input,
      ...source?.forwarding.options,
      state: undefined,
      // It starts frozen, which decides the default of other options.
      ...([request.state, ...(request.fixtures ?? [])].some(isFrozenState) && { freeze: true }),
      ...optionsIn(request),
      assume: { ...(source ?? this.main).input.assume, ...request.assume },
    };
    // A copy does not inherit it.
    const worldTtl = request.ttl ?? this.main.input.worldTtl;
    const created = orBadRequest(() => {
      const options = this.#resolve({ ...input, worldTtl });
      return this.#start({
        ...this.#ownPlan({ id, tag, input, options }),
        seed: this.#seedOf(request, source, options),
        document: documentOf(request),
        freeze: request.freeze,
        ttlMs: ttlOf(options),
      });
    });
    // A refused world must not change the keys of later ones.
    const before = this.#tags;
    this.#tags = number;
    if (!(created instanceof Promise)) return this.#add(created, this.#byId);
    this.#creating.add(id);
    const refused = (error: unknown) => {
      if (this.#tags === number) this.#tags = before;
      throw error;
    };
    return created
      .then(world => this.#add(world, this.#byId), refused)
      .finally(() => this.#creating.delete(id));
  }

  /**
   * Creates a world for a run of a story: neither listed nor counted, with default options, whatever the options of the
   * server are, and a frozen clock. It ends an hour after its last request. Throws and returns like `create`.
   */
  createStory(input: {
    readonly fixtures: readonly string[];
    readonly forwardTo: string;
  }): SandboxWorld | Promise<SandboxWorld> {
    // Numbers of their own: a story must not change the keys of later worlds.
    const [number, tag] = this.#nextTag(this.#storyTags, -1);
    const id = `story_${tag}`;
    const created = orBadRequest(() => {
      const options = resolveOptions({ ...input, freeze: true });
      return this.#start({
        ...this.#ownPlan({ id, tag, input, options }),
        // The story says what its world holds, without the additional records of a disturbance.
        seed: this.#server.disturbance === null ? this.main.states.sharedSeed(options) : undefined,
        ttlMs: STORY_TTL_MS,
        isStory: true,
      });
    });
    this.#storyTags = number;
    const add = (world: SandboxWorld) => this.#add(world, this.#ofStories);
    return created instanceof Promise ? created.then(add) : add(created);
  }

  async saveState(world: World): Promise<{ readonly file: string; readonly bytes: number } | null> {
    if (world !== this.main || this.#storage === null) return null;
    try {
      return await this.#storage.save();
    } catch (error) {
      if (!(error instanceof StateFileError)) throw error;
      throw new ApiError(500, assumed('state-file'), error.message);
    }
  }

  addPartner({ id }: World, partner: Parameters<OwnServer['addPartner']>[1]): Partner | Promise<Partner> {
    return this.existing(id).addPartner(partner);
  }

  #start(plan: WorldPlan): SandboxWorld | Promise<SandboxWorld> {
    return runNowOrInTurns(SandboxWorld.start(plan, this.#server, this), this.#server.realTime);
  }

  /** Options with all defaults. Those of the disturbance take the place of defaults. */
  #resolve(input: CoreOptions): ResolvedOptions {
    return resolveOptions(withPlannedOptions(input, this.#server.disturbance?.plan ?? []));
  }

  #checkFree(id: string): void {
    if (this.find(id) === undefined && !this.#creating.has(id)) return;
    throw badRequest(RULE, `body.id: there is a world ${named(id)} already; use another id, or leave it out`);
  }

  #add(world: SandboxWorld, among: Map<string, SandboxWorld>): SandboxWorld {
    if (this.main.ended.aborted) world.end();
    among.set(world.id, world);
    const { tag } = world.plan.keys;
    if (tag !== null) this.#byTag.set(tag, world);
    return world;
  }

  remove(id: string): boolean {
    const world = this.find(id);
    if (world === undefined || world === this.main) return false;
    const { tag } = world.plan.keys;
    this.#byId.delete(id);
    this.#ofStories.delete(id);
    if (tag !== null) this.#byTag.delete(tag);
    world.end();
    return true;
  }

  stop(): void {
    for (const world of [...this.#byId.values(), ...this.#ofStories.values()]) world.end();
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
    const more = ids.length > MAX_LISTED ? ` and ${ids.length - MAX_LISTED} more` : '';
    return suggestion(id, ids) || `; there are ${ids.slice(0, MAX_LISTED).join(', ')}${more}`;
  }

  #seedOf(request: NewWorld, source: SandboxWorld | undefined, options: ResolvedOptions): Seed | undefined {
    // Reading and checking fixtures takes most of the time.
    if (source === undefined) return this.main.states.sharedSeed(options, request.freeze);
    const snapshot = source.state.snapshot();
    const { freeze = snapshot.clock.frozen } = request;
    return { kind: 'state', snapshot: { ...snapshot, clock: { ...snapshot.clock, frozen: freeze } } };
  }

  #ownPlan({ tag, ...own }: Pick<WorldPlan, 'id' | 'input' | 'options'> & { readonly tag: string }) {
    const keys = { tag, seed: this.#seed, secret: this.#secretKeyOf(tag) };
    return { ...own, keys, toWorldKey: worldKeyOf(keys) };
  }

  /** A key of another world, as in a state that was exported from it, would be ambiguous in `main`. */
  #mainKey(key: string): string {
    if (!this.#byTag.has(tagOf(key))) return key;
    const { secrets, secretKey } = this.#server;
    return worldKeyOf({ tag: newTag(secrets, 0), seed: this.#seed, secret: secretKey })(key);
  }

  #nextTag(last: number, step: 1 | -1): readonly [number, string] {
    const keys = [...this.main.state.table(apiKeys).all()];
    const taken = new Set(keys.map(({ id }) => tagOf(id)));
    for (let number = last + step; ; number += step) {
      const tag = newTag(this.#server.secrets, number);
      if (!this.#byTag.has(tag) && !taken.has(tag)) return [number, tag];
    }
  }

  /** The key of a world's secrets, so that nobody can compute them from the secrets of another world. */
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

/** The state document that a new world starts with, where there is one. */
function documentOf({ state }: NewWorld): WorldPlan['document'] {
  if (state === undefined) return undefined;
  return { document: state, toError: problem => new FixtureError([`body.state: ${problem}`]) };
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

/** Throws a 400 for too many generated records. What is not a fixture is for its reader to refuse. */
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
function orBadRequest<T>(work: () => T | Promise<T>): T | Promise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(refuse) : result;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (error instanceof OptionError) {
    const member = error.option === 'worldTtl' ? 'ttl' : error.option;
    throw badRequest(RULE, `body.${member}: ${error.rule}`);
  }
  if (error instanceof FixtureError) throw badRequest(RULE, error.message);
  throw error;
}
