import { partnerAdder } from '../fixtures/load/new-partner.ts';
import type { FenceOptions } from '../kernel/access/fence.ts';
import { isLoopback } from '../kernel/access/ip-ranges.ts';
import { type PartnerKey, partnerKeys } from '../kernel/access/partners.ts';
import { Feed } from '../kernel/journal/feed.ts';
import { ApiError, assumed } from '../kernel/operation/errors.ts';
import type { Host } from '../kernel/operation/host.ts';
import { VERSION } from '../kernel/operation/version.ts';
import { createDispatch, type Dispatch } from '../kernel/request/dispatch.ts';
import { createNameTranslator } from '../kernel/request/names.ts';
import { type RealTime, realTime } from '../kernel/time/realtime.ts';
import { Duration } from '../kernel/values/duration.ts';
import { Timestamp } from '../kernel/values/timestamp.ts';
import { CurrentWorld } from '../kernel/world/current-world.ts';
import type { StateRules } from '../kernel/world/state-reader.ts';
import type { Transport } from '../kernel/world/transport.ts';
import {
  World,
  type WorldEnvironment,
  type WorldOptions,
  type WorldSnapshot,
} from '../kernel/world/world.ts';
import { kycPage } from '../resources/kyc/page.ts';
import { revealPage } from '../resources/reveal/page.ts';
import { deliveries } from '../resources/webhooks/deliveries.ts';
import { generatedSecrets } from '../resources/webhooks/records.ts';
import { recordDelivery } from '../resources/webhooks/sending.ts';
import { type Saved, StateFile, StateFileError } from '../state/file.ts';
import { assumptions } from './assumptions.ts';
import { type DeliveryLogEntry, toDeliveryLogEntry } from './delivery-log-entry.ts';
import { operations } from './operations.ts';
import { type CoreOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { type RequestLogEntry, toRequestLogEntry } from './request-log-entry.ts';
import { Seeding } from './seeding.ts';
import { rowRules, tables, timers } from './tables.ts';
import { taskRunner } from './tasks.ts';
import { webhookTransport } from './webhook-transport.ts';

export type { PartnerKey } from '../kernel/access/partners.ts';
export { API_PREFIX, CONTROL_PREFIX, planeOf } from '../kernel/operation/plane.ts';
export { VERSION } from '../kernel/operation/version.ts';
export { createNameTranslator, type Names } from '../kernel/request/names.ts';
export { StateFileError } from '../state/file.ts';

const stateRules: StateRules = { tables, rowRules, timers };

/** Who listens to a sandbox, and where it takes the time from. */
export interface CoreHooks {
  /** Told of every answered API request. */
  readonly onResponse?: (request: RequestLogEntry) => void;
  /** Told of every webhook attempt that has ended, and of every event that could not be sent. */
  readonly onDelivery?: (delivery: DeliveryLogEntry) => void;
  /** Told of every fault of our own, with the place it happened in. */
  readonly onBug?: (error: unknown, where: string) => void;
  readonly realTime?: RealTime;
  /** Carries webhooks out; HTTP of our own unless given. */
  readonly transport?: Transport;
}

/** Where a sandbox is reached, once it is. */
export interface ServedAddress {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** The host that it listens on; anything but loopback makes the control token needed. Null when it does not listen. */
  readonly host: string | null;
  /** Other names and addresses under which it is reached, in lower case. */
  readonly ownNames: readonly string[];
  readonly controlToken: string;
}

/** A sandbox without a surface: a world, and the way to ask it. */
export interface SandboxCore extends Dispatch {
  /** The options it was made with, defaults filled in. */
  readonly options: ResolvedOptions;
  /** News of the current world and of every later one. */
  readonly feed: Feed;
  /** Secrets that were made up for partners without a webhook configuration, by partner id. */
  webhookSecrets(): Readonly<Record<string, string>>;
  /** The partners of the world as it is now, with their current keys. */
  partners(): PartnerKey[];
  /** Tells the sandbox under which address a surface serves it; answers whether the control token is needed there. */
  serveAt(address: ServedAddress): boolean;
  /** Saves the world into the state file; null when there is none. Throws a StateFileError when it cannot be saved. */
  saveState(): Saved | null;
  /**
   * Reads the fixtures again and begins anew with them; answers how many records of which kind had been created
   * since, which are gone. Throws a FixtureError, with everything left as it is, when they cannot be used.
   */
  reload(): Record<string, number>;
  /** Ends the sandbox: no timer of it fires any more, and no webhook of it is under way. */
  stop(): void;
}

/**
 * Builds a sandbox and seeds its first world, or loads it from the state file. Throws an OptionError for an
 * option that cannot be used, a FixtureError for fixtures and a StateFileError for a state file that is wrong.
 */
export function createSandboxCore(given: CoreOptions = {}, hooks: CoreHooks = {}): SandboxCore {
  const options = resolveOptions(given);
  const addPartner = partnerAdder(options.fixtures, options);
  const stateFile = options.state === undefined ? null : new StateFile(options.state);
  const onBug = hooks.onBug ?? ((error, where) => console.error(`bug in the sandbox, in ${where}:`, error));
  const time = hooks.realTime ?? realTime;
  let origin = 'http://127.0.0.1';
  let address: ServedAddress | null = null;
  let fence: FenceOptions = { ownNames: [], token: null };

  const feed = new Feed();
  const translator = createNameTranslator(options.names);
  const transport = hooks.transport ?? webhookTransport(options, () => address);
  const worldOptions: WorldOptions = {
    seed: options.seed,
    kycDelayMs: Duration.parse(options.kycDelay),
    rateLimitPerMinute: options.rateLimit,
    allowHttpWebhooks: options.allowHttpWebhooks,
    clockStart: Timestamp.optional().parse(options.clock),
    clockFrozen: options.freeze,
    retrySpeed: options.retrySpeed,
    forwardTo: options.forwardTo ?? null,
  };
  const surroundings: WorldEnvironment = {
    tables,
    origin: () => origin,
    feed,
    transport,
    realTime: time,
    names: translator,
    run: taskRunner(onBug),
  };
  const newWorld = (from?: WorldSnapshot) => {
    const made = new World(worldOptions, surroundings, from);
    made.events.subscribe(event => recordDelivery(made, event));
    return made;
  };

  const { clockStart } = worldOptions;
  const seeding = new Seeding(options, { make: newWorld, rules: stateRules, clockStart, realTime: time });
  const saved = stateFile?.read() ?? null;
  const first =
    saved === null || stateFile === null
      ? seeding.world()
      : seeding.load(saved, problem => stateFile.refused(problem));
  const worlds = new CurrentWorld(
    { seeded: () => seeding.world(), from: newWorld, rules: stateRules, feed },
    first,
  );
  const saveState = () => stateFile?.save(worlds.state) ?? null;
  const host: Host = {
    version: VERSION,
    options: {
      ...options,
      clock: options.clock ?? null,
      state: options.state ?? null,
      forwardTo: options.forwardTo ?? null,
    },
    assumptions,
    operations,
    feed,
    worlds,
    get world() {
      return worlds.current;
    },
    saveState() {
      try {
        return saveState();
      } catch (error) {
        throw error instanceof StateFileError
          ? new ApiError(500, assumed('state-file'), error.message)
          : error;
      }
    },
    addPartner: given => addPartner(worlds.current, given),
  };
  feed.subscribe(news => {
    const row = news.kind === 'delivery' ? worlds.current.table(deliveries).get(news.id) : undefined;
    const isNews = news.kind === 'delivery' && (news.step === 'attempted' || row?.status === 'failed');
    if (row === undefined || !isNews) return;
    try {
      hooks.onDelivery?.(toDeliveryLogEntry(row));
    } catch (error) {
      onBug(error, 'a listener to deliveries');
    }
  });
  const dispatch = createDispatch({
    host,
    operations,
    pages: [revealPage, kycPage],
    realTime: time,
    fence: () => fence,
    documentedOnly: options.documentedOnly,
    onResponse(entry) {
      feed.publish({ kind: 'request', entry });
      hooks.onResponse?.(toRequestLogEntry(entry));
    },
    onBug,
  });
  return {
    ...dispatch,
    options,
    feed,
    partners: () => partnerKeys(worlds.current),
    webhookSecrets: () => generatedSecrets(worlds.current),
    serveAt(served) {
      const { host } = served;
      const isLocal = host === null || host === 'localhost' || isLoopback(host);
      address = served;
      origin = served.origin;
      fence = { ownNames: served.ownNames, token: isLocal ? null : served.controlToken };
      return !isLocal;
    },
    saveState,
    reload() {
      const dropped = seeding.createdSince(worlds.current);
      seeding.reread(() => worlds.reset());
      return dropped;
    },
    stop() {
      worlds.current.end();
      transport.close();
    },
  };
}
