import { isDeepStrictEqual } from 'node:util';
import type { Partner } from '../../core/access/partners.ts';
import { Coverage } from '../../core/journal/coverage.ts';
import { Feed } from '../../core/journal/feed.ts';
import { History } from '../../core/journal/history.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { VERSION } from '../../core/operation/version.ts';
import { OpenResponses } from '../../core/request/after-response.ts';
import { runNowOrInTurns, type Steps } from '../../core/time/turns.ts';
import { AbortController } from '../../core/values/builtins.ts';
import { CurrentState } from '../../core/world/current-state.ts';
import type { Forwarding, ForwardingChange, Transport } from '../../core/world/transport.ts';
import type { RecordedOptions, World, WorldRegistry } from '../../core/world/world.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import { followAttempts } from '../../service/webhooks/attempts.ts';
import { acceptedInput } from '../accepted-input.ts';
import { isBuiltInFixture } from '../fixtures/file/source.ts';
import { addPartner, type NewPartner, type OpenedFixtures } from '../fixtures/load/new-partner.ts';
import { logDeliveries } from '../log-entries.ts';
import { operations } from '../operations.ts';
import { type CoreOptions, RECORDED_OPTIONS } from '../options.ts';
import { ForwardingSetting, forwardingOf } from './forwarding-setting.ts';
import { WorldStates } from './states.ts';
import { type ServerParts, setUp, type WorldPlan } from './world-plan.ts';

/** A shorter control token could be a part of any text. */
const MIN_TOKEN_LENGTH = 8;

/** What is left of a plan once a world has started. A document would keep all its rows in memory. */
type LastingPlan = Omit<WorldPlan, 'seed' | 'document' | 'saved'>;

interface Parts {
  readonly forwarding: ForwardingSetting;
  readonly responses: OpenResponses;
  readonly transport: Transport;
  readonly states: WorldStates;
  readonly first: WorldState;
}

export class SandboxWorld implements World {
  readonly version = VERSION;
  readonly assumptions = assumptions;
  readonly plan: LastingPlan;
  readonly settings: World['settings'];
  readonly worlds: WorldRegistry;
  readonly forwarding: ForwardingSetting;
  readonly responses: OpenResponses;
  readonly states: WorldStates;
  readonly current: CurrentState;
  readonly history: History;
  readonly coverage = new Coverage();
  readonly createdAt: number;
  readonly #server: ServerParts;
  readonly #transport: Transport;
  readonly #ended = new AbortController();
  readonly #opened: OpenedFixtures = new Map();
  #lastUsedAt: number;
  #requestsInProgress = 0;
  #cancelExpiry: () => void = () => undefined;

  /** Starts a world as its plan says, in steps. Throws an error of the fixtures or the state that it starts with. */
  static *start(plan: WorldPlan, server: ServerParts, worlds: WorldRegistry): Steps<SandboxWorld> {
    const { seed: _seed, document, saved, ...lasting } = plan;
    const forwarding = new ForwardingSetting(plan.options);
    const responses = new OpenResponses();
    const transport = afterResponses(
      responses,
      server.createTransport(() => forwarding.redirection),
    );
    const own = { feed: new Feed(), transport, forwarding: () => forwarding.current };
    const disturbance = plan.isStory ? null : server.disturbance;
    const setup = setUp(plan, server, disturbance, own);
    const states = new WorldStates(plan.options, setup, plan, disturbance?.fixtures);
    if (document !== undefined) yield* states.useDocument(document);
    const first = yield* saved ? states.loadSteps(saved.document, saved.toError) : states.steps();
    return new SandboxWorld(lasting, server, worlds, { forwarding, responses, transport, states, first });
  }

  private constructor(plan: LastingPlan, server: ServerParts, worlds: WorldRegistry, parts: Parts) {
    this.plan = plan;
    this.history = new History(this, plan.keepsHistory);
    this.worlds = worlds;
    this.settings = settingsOf(plan.options.assume).texts;
    this.forwarding = parts.forwarding;
    this.responses = parts.responses;
    this.states = parts.states;
    this.current = new CurrentState(parts.states, parts.first);
    this.#transport = parts.transport;
    this.#server = server;
    followAttempts(this);
    if (!plan.isStory) server.records?.follow(this);
    if (server.onDelivery !== undefined) logDeliveries(this, server.onDelivery, server.onBug);
    this.createdAt = server.realTime.now();
    this.#lastUsedAt = this.createdAt;
    if (plan.ttlMs !== null) this.#expireAfter(plan.ttlMs);
  }

  /** Read on demand: the table is loaded then. */
  get operations(): World['operations'] {
    return operations;
  }

  get id(): string {
    return this.plan.id;
  }

  get state(): WorldState {
    return this.current.state;
  }

  get feed(): Feed {
    return this.states.feed;
  }

  get start(): World['start'] {
    return { snapshot: this.states.initial ?? this.current.first, forwarding: this.forwarding.atStart };
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The options that its own are made from, without defaults. */
  get input(): CoreOptions {
    return this.plan.input;
  }

  get documentedOnly(): boolean {
    return this.plan.options.documentedOnly;
  }

  get options(): Readonly<Record<string, unknown>> {
    const { options } = this.plan;
    // An opened record has dropped that of its options.
    const { url, map } = this.forwarding.atStart;
    // JSON omits undefined, so an option that is not set is null.
    return {
      ...options,
      clock: options.clock ?? null,
      state: options.state ?? null,
      forwardTo: url,
      map: Object.entries(map).map(pair => pair.join('=')),
      publicUrl: options.publicUrl ?? null,
    };
  }

  recordedOptions(forwarding: Forwarding): RecordedOptions {
    const { options, keys } = this.plan;
    const own = Object.fromEntries(RECORDED_OPTIONS.map(name => [name, options[name]]));
    // What a change of it leaves out is as at the start.
    const hasChanged = !isDeepStrictEqual(forwarding, forwardingOf(options));
    return {
      ...own,
      ...(hasChanged && { forwarding }),
      origin: this.plan.origin ?? this.#server.address.origin,
      keys,
    };
  }

  get controlToken(): string | null {
    const { controlToken = '' } = this.#server.address.served ?? {};
    return controlToken.length >= MIN_TOKEN_LENGTH ? controlToken : null;
  }

  hasBuiltInFixture(name: string): boolean {
    return isBuiltInFixture(name);
  }

  acceptedInput(entry: JournalEntry): readonly string[] {
    const lines = acceptedInput(entry, this.state.assumptions);
    return lines.map(line => this.#server.names?.text(line) ?? line);
  }

  changeForwarding(change: ForwardingChange): void {
    this.forwarding.change(change);
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

  /** Adds a partner with the records of a fixture. Throws a 400 for one that is not available; rejects with a 409 when the state is replaced meanwhile. */
  addPartner(partner: NewPartner): Partner | Promise<Partner> {
    const steps = addPartner(this.state, partner, this.plan.options, this.#opened);
    return runNowOrInTurns(steps, this.#server.realTime);
  }

  end(): void {
    this.#cancelExpiry();
    this.state.end();
    this.#ended.abort();
    this.#transport.close();
  }

  #expireAfter(ttlMs: number): void {
    const { realTime } = this.#server;
    const idleMs = this.#requestsInProgress > 0 ? 0 : realTime.now() - this.#lastUsedAt;
    if (idleMs >= ttlMs) this.worlds.remove(this.id);
    else this.#cancelExpiry = realTime.after(ttlMs - idleMs, () => this.#expireAfter(ttlMs));
  }
}

/** Sends a webhook after the response to the request that raised it. */
function afterResponses(responses: OpenResponses, transport: Transport): Transport {
  return {
    async send(request, signal) {
      await responses.untilOut();
      return transport.send(request, signal);
    },
    close: () => transport.close(),
  };
}
