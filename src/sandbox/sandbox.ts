import { type PartnerKey, partnerKeys } from '../kernel/access/partners.ts';
import { Feed } from '../kernel/journal/feed.ts';
import type { OwnProcess } from '../kernel/operation/host.ts';
import { createDispatch, type Dispatch } from '../kernel/request/dispatch.ts';
import { createNameTranslator } from '../kernel/request/names.ts';
import { type RealTime, realTime } from '../kernel/time/realtime.ts';
import { CurrentWorld } from '../kernel/world/current-world.ts';
import type { StateRules } from '../kernel/world/state-reader.ts';
import type { Transport } from '../kernel/world/transport.ts';
import { World, type WorldEnvironment, type WorldSnapshot } from '../kernel/world/world.ts';
import { kycPage } from '../resources/kyc/page.ts';
import { revealPage } from '../resources/reveal/page.ts';
import { recordDelivery } from '../resources/webhooks/delivery/sending.ts';
import { generatedSecrets } from '../resources/webhooks/records.ts';
import { Autosave } from '../state/autosave.ts';
import { type Loaded, type Saved, StateFile } from '../state/state-file.ts';
import { type DeliveryLogEntry, logDeliveries } from './delivery-log-entry.ts';
import { createHost } from './host.ts';
import { operations } from './operations.ts';
import { toWorldOptions } from './options/to-world-options.ts';
import { type CoreOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { type RequestLogEntry, toRequestLogEntry } from './request-log-entry.ts';
import { type MakeWorld, Seeding } from './seeding.ts';
import { upgradeState } from './state-upgrade.ts';
import { type ServedAddress, SurfaceAddress } from './surface-address.ts';
import { rowRules, tables, timers, timerTables } from './tables.ts';
import { taskRunner } from './tasks.ts';
import { webhookTransport } from './webhook-transport.ts';

export type { PartnerKey } from '../kernel/access/partners.ts';
export type { OwnProcess } from '../kernel/operation/host.ts';
export { API_PREFIX, CONTROL_PREFIX, planeOf } from '../kernel/operation/plane.ts';
export { VERSION } from '../kernel/operation/version.ts';
export { PRIVATE_HEADERS } from '../kernel/request/http.ts';
export { MAX_BODY_BYTES } from '../kernel/request/input.ts';
export { createNameTranslator, type Names } from '../kernel/request/names.ts';
export { StateFileError } from '../state/state-file-error.ts';
export type { ServedAddress } from './surface-address.ts';

const stateRules: StateRules = { tables, rowRules, timers, upgrade: upgradeState };

/** What a sandbox reports to, and what can be replaced in it. */
export interface CoreHooks {
  /** Called for every API request once it has its response. */
  readonly onResponse?: (request: RequestLogEntry) => void;
  /** Called for every webhook attempt that has ended, and for every event that could not be sent. */
  readonly onDelivery?: (delivery: DeliveryLogEntry) => void;
  /** Called for every internal error, with the place where it occurred. Default: prints it on standard error. */
  readonly onBug?: (error: unknown, where: string) => void;
  /** Called when the state file cannot be saved after a change, once until a save succeeds. Default: prints the error. */
  readonly onSaveError?: (error: unknown) => void;
  readonly realTime?: RealTime;
  /** The key of secrets that nobody is to compute, as 64 hexadecimal digits. Default: secrets come from the seed. */
  readonly secretKey?: string | undefined;
  /** The process, if it does nothing but serve this sandbox. The control plane can stop it. */
  readonly process?: OwnProcess | undefined;
  /** Sends webhooks. Default: over HTTP. */
  readonly transport?: Transport;
}

/** A sandbox without a surface: a world, and the functions that handle requests to it. */
export interface SandboxCore extends Dispatch {
  /** The options of the sandbox, with all defaults filled in. */
  readonly options: ResolvedOptions;
  /** The state file that the first world was loaded from; null when it comes from fixtures. */
  readonly loadedState: { readonly file: string; readonly savedAt: Date } | null;
  /** News of the current world and of every later one. */
  readonly feed: Feed;
  /** Generated webhook secrets of the partners without a webhook configuration, by partner id. */
  webhookSecrets(): Readonly<Record<string, string>>;
  /** The partners of the current world with their current keys. */
  partners(): PartnerKey[];
  /** Sets the address at which a surface serves the sandbox. Returns whether the control token is needed there. */
  serveAt(address: ServedAddress): boolean;
  /** Saves the world to the state file. Returns null if there is none. Throws a StateFileError if it cannot be saved. */
  saveState(): Saved | null;
  /**
   * Reads the fixtures again and starts a new world from them. Returns how many records of each kind had been created
   * in the old one. Throws a FixtureError, and changes nothing, if the fixtures cannot be used.
   */
  reload(): Record<string, number>;
  /** Stops the sandbox: its timers no longer fire, and webhooks in flight are cancelled. */
  stop(): void;
}

/**
 * Creates a sandbox with a world from the fixtures, or from the state file if it exists. Throws an OptionError, a
 * FixtureError or a StateFileError if one of them cannot be used.
 */
export function createSandboxCore(input: CoreOptions = {}, hooks: CoreHooks = {}): SandboxCore {
  const options = resolveOptions(input);
  const { onBug = printBug, onSaveError = printSaveError, realTime: time = realTime } = hooks;
  const stateFile = options.state === undefined ? null : new StateFile(options.state);
  const names = createNameTranslator(options.names);
  const address = new SurfaceAddress(names);
  const feed = new Feed();
  const transport = hooks.transport ?? webhookTransport(options, () => address.served);
  const makeWorld = worldMaker(options, {
    tables,
    timerTables,
    origin: () => address.origin,
    feed,
    transport,
    realTime: time,
    names,
    secretKey: hooks.secretKey ?? null,
    run: taskRunner(onBug),
  });
  const seeding = new Seeding(options, { make: makeWorld, rules: stateRules });
  const saved = stateFile?.read() ?? null;
  const worlds = new CurrentWorld(
    { seeded: () => seeding.world(), from: makeWorld, rules: stateRules, feed },
    firstWorld(seeding, stateFile, saved),
  );
  if (hooks.onDelivery !== undefined) logDeliveries(feed, worlds, hooks.onDelivery, onBug);
  const saveNow = () => stateFile?.save(worlds.state) ?? null;
  const autosave =
    stateFile === null
      ? null
      : new Autosave({
          realTime: time,
          version: () => worlds.current.version,
          save: saveNow,
          onFailure: onSaveError,
        });
  const saveState = () => {
    const result = saveNow();
    autosave?.markSaved();
    return result;
  };
  const dispatch = createDispatch({
    host: createHost({ options, feed, worlds, process: hooks.process ?? null, saveState }),
    operations,
    pages: [revealPage, kycPage],
    realTime: time,
    fence: () => address.fence,
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
    serveAt: served => address.set(served),
    loadedState:
      stateFile !== null && saved !== null ? { file: stateFile.path, savedAt: saved.savedAt } : null,
    saveState,
    reload() {
      const dropped = seeding.createdSince(worlds.current);
      seeding.reread(() => worlds.reset());
      return dropped;
    },
    stop() {
      autosave?.stop();
      worlds.current.end();
      transport.close();
    },
  };
}

/** Returns a function that makes worlds in which events become webhook deliveries. */
function worldMaker(options: ResolvedOptions, environment: WorldEnvironment): MakeWorld {
  const worldOptions = toWorldOptions(options);
  return (from?: WorldSnapshot) => {
    const world = new World(worldOptions, environment, from);
    world.events.subscribe(event => recordDelivery(world, event));
    return world;
  };
}

/** Loads the state file if it exists, and otherwise the fixtures. */
function firstWorld(seeding: Seeding, stateFile: StateFile | null, saved: Loaded | null): World {
  if (stateFile === null || saved === null) return seeding.world();
  return seeding.load(saved.document, problem => stateFile.unusable(problem));
}

function printSaveError(error: unknown): void {
  console.error('the state is not saved:', error instanceof Error ? error.message : error);
}

function printBug(error: unknown, where: string): void {
  console.error(`bug in the sandbox, in ${where}:`, error);
}
