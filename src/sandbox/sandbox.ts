import { Buffer } from 'node:buffer';
import type { OwnProcess } from '../control/own-server.ts';
import { type PartnerKey, partnerKeys } from '../core/access/partners.ts';
import type { Feed } from '../core/journal/feed.ts';
import type { HandledRequest } from '../core/journal/history.ts';
import { createDispatch, type Dispatch } from '../core/request/dispatch.ts';
import { type RealTime, realTime } from '../core/time/realtime.ts';
import { runInTurns, runSteps, type Steps } from '../core/time/turns.ts';
import { createNameTranslator } from '../core/values/names.ts';
import { CONTROL_PREFIX } from '../core/values/plane.ts';
import { Random } from '../core/values/random.ts';
import { messageOf } from '../core/values/read-thrown.ts';
import { Secrets } from '../core/values/secrets.ts';
import type { Transport } from '../core/world/transport.ts';
import type { World } from '../core/world/world.ts';
import { kycPage } from '../service/kyc/page.ts';
import { revealPage } from '../service/reveal/page.ts';
import { forwardedSecrets } from '../service/webhooks/records.ts';
import { wireOf } from '../service/wire/wire.ts';
import { acceptedInput } from './accepted-input.ts';
import { serverDisturbance, withPlannedOptions } from './disturbance/apply-plan.ts';
import type { DisturbancePlan } from './disturbance/plan.ts';
import { FixtureFile } from './fixtures/file/schema.ts';
import { type DeliveryLogEntry, type RequestLogEntry, toRequestLogEntry } from './log-entries.ts';
import { controlGroups, partnerGroups } from './operation-groups.ts';
import { operations } from './operations.ts';
import { type CoreOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import type { RecordFolder } from './records/record-folder.ts';
import { type Saved, Storage } from './state/storage.ts';
import { type ServedAddress, SurfaceAddress } from './surface-address.ts';
import { readCertificates } from './transport/certificates.ts';
import type { Mapping, Redirection } from './transport/destination.ts';
import { httpTransports, loadAgents } from './transport/http-transport.ts';
import type { SandboxWorld } from './worlds/sandbox-world.ts';
import { startsFrozen } from './worlds/states.ts';
import { type RecordedWorld, Worlds } from './worlds/worlds.ts';

export type { OwnProcess } from '../control/own-server.ts';
export { isOwnOrigin } from '../core/access/access-guard.ts';
export type { PartnerKey } from '../core/access/partners.ts';
export { VERSION } from '../core/operation/version.ts';
export { MAX_BODY_BYTES, PRIVATE_HEADERS } from '../core/request/http.ts';
export { createNameTranslator, type Names } from '../core/values/names.ts';
export { API_PREFIX, CONTROL_PREFIX, planeOf } from '../core/values/plane.ts';
export { StateFileError } from './state/state-file-error.ts';
export type { Saved } from './state/storage.ts';
export type { ServedAddress } from './surface-address.ts';

/** What a sandbox reports to, and what can be replaced in it. */
export interface CoreHooks {
  /** Called for every API request once it has its response. */
  readonly onResponse?: (request: RequestLogEntry) => void;
  /** Called for every webhook attempt that has ended, and for every event that could not be sent. */
  readonly onDelivery?: (delivery: DeliveryLogEntry) => void;
  readonly records?: RecordFolder | undefined;
  /** Called for every internal error, with the place where it occurred. Default: prints it on standard error. */
  readonly onBug?: (error: unknown, where: string) => void;
  /** Called when the state cannot be saved after a change, once until a save succeeds. Default: prints the error. */
  readonly onSaveError?: (error: unknown) => void;
  readonly realTime?: RealTime;
  /** The key of unpredictable secrets, as 64 hexadecimal digits. Default: secrets come from the seed. */
  readonly secretKey?: string | undefined;
  /** The process, if it does nothing but serve this sandbox. The control plane can stop it. */
  readonly process?: OwnProcess | undefined;
  readonly transport?: Transport;
  /** Returns what sends the webhooks of a world: of `main` first. `http` sends them over HTTP. */
  readonly wrapTransport?: ((http: Transport, redirection: () => Redirection) => Transport) | undefined;
  /** The world of a record, which takes the place of `main`. */
  readonly recorded?: RecordedWorld | undefined;
  /** Called when a call of the control plane begins to wait. Its response waits for the promise, too. Default: it does not. */
  readonly holdResponse?: (() => Promise<void>) | undefined;
  /** What disturbs its worlds, where no fault of their user acts. */
  readonly disturbance?: DisturbancePlan | undefined;
}

/** A sandbox without a surface: a world, and the functions that handle requests to it. */
export interface SandboxCore extends Dispatch {
  readonly options: ResolvedOptions;
  /** The state file that the first world was loaded from; null when it comes from fixtures. */
  readonly loadedState: { readonly file: string; readonly savedAt: Date } | null;
  readonly stateFile: string | null;
  readonly feed: Feed;
  readonly onBug: (error: unknown, where: string) => void;
  /** Each loads some of the modules that a start does not need and a request may need. */
  readonly loaders: readonly (() => unknown)[];
  /** Returns the mappings of webhook URLs that are in force in `main`. */
  mappings(): readonly Mapping[];
  /** Webhook secrets of the partners whose webhooks are forwarded without a webhook URL of their own, by partner id. */
  webhookSecrets(): Readonly<Record<string, string>>;
  /** Returns the worlds, without the worlds of stories. */
  worlds(): Iterable<World>;
  readonly main: SandboxWorld;
  /** Creates a world for the run of a story. Throws and returns like `createStory` of a server. */
  createStory: Worlds['createStory'];
  endWorld(id: string): void;
  partners(): PartnerKey[];
  /** Returns the values of the settings in a world. Throws the 404 when there is none. */
  settingsOf(world: string): SandboxWorld['settings'];
  /** Sets the address at which a surface serves the sandbox. Returns whether the control token is needed there. */
  serveAt(address: ServedAddress): boolean;
  /** Saves for the last time. Resolves once it is durable; null without a file. Rejects with a StateFileError. */
  saveState(): Promise<Saved | null>;
  /**
   * Reads the fixtures again and starts a new world from them, which is a reset in the history. Returns how many records
   * of each kind had been created in the old one. A world that came from the state file stays until its next reset: then
   * returns null. Throws a FixtureError, and changes nothing, if the fixtures cannot be used.
   */
  reload(): Record<string, number> | null;
  /** Stops timers, cancels webhooks in flight, and lets another process have the state file. */
  stop(): void;
}

/** Throws an OptionError, a FixtureError or a StateFileError for what cannot be used. */
export function createSandboxCore(input: CoreOptions = {}, hooks: CoreHooks = {}): SandboxCore {
  return runSteps(sandboxSteps(input, hooks));
}

/** Loads in turns of the event loop, and calls `onProgress` with the number of steps taken so far. */
export function startSandboxCore(
  input: CoreOptions,
  hooks: CoreHooks,
  onProgress: (steps: number) => void,
): Promise<SandboxCore> {
  return runInTurns(sandboxSteps(input, hooks), hooks.realTime ?? realTime, onProgress);
}

function* sandboxSteps(own: CoreOptions, hooks: CoreHooks): Steps<SandboxCore> {
  const resolve = (each: CoreOptions) => resolveOptions(withPlannedOptions(each, hooks.disturbance ?? []));
  const asPassed = resolve(own);
  // A clock that starts frozen decides the default of other options.
  const isFrozenByState = !asPassed.freeze && asPassed.fixtures.some(startsFrozen);
  const input = isFrozenByState ? { ...own, freeze: true } : own;
  const options = isFrozenByState ? resolve(input) : asPassed;
  const { onBug = printBug, onSaveError = printSaveError, realTime: time = realTime } = hooks;
  const { secretKey = null } = hooks;
  const names = createNameTranslator(options.names);
  const address = new SurfaceAddress(names, options.publicUrl ?? null);
  const storage =
    options.state === undefined ? null : new Storage(options.state, { realTime: time, onSaveError });
  let worlds: Worlds;
  try {
    worlds = yield* Worlds.start(
      {
        realTime: time,
        names,
        address,
        disturbance: hooks.disturbance === undefined ? null : serverDisturbance(hooks.disturbance),
        limitsRates: hooks.recorded === undefined,
        secrets: new Secrets(
          new Random(options.seed),
          options.seed,
          secretKey === null ? null : { key: secretKey, drawn: {} },
        ),
        secretKey,
        createTransport:
          hooks.transport === undefined
            ? wrapped(
                httpTransports({
                  egress: options.egress,
                  ca: options.webhookCa === undefined ? undefined : readCertificates(options.webhookCa),
                  insecureTls: options.insecureWebhookTls,
                  ownAddress: () => address.listening,
                }),
                hooks.wrapTransport,
              )
            : shareTransport(hooks.transport),
        records: hooks.records,
        onDelivery: hooks.onDelivery,
        onBug,
      },
      { options, input, process: hooks.process ?? null, storage, recorded: hooks.recorded },
    );
  } catch (error) {
    storage?.close();
    throw error;
  }
  const { main } = worlds;
  const dispatch = createDispatch({
    worlds,
    partnerGroups,
    controlGroups,
    pages: [revealPage, kycPage],
    realTime: time,
    names,
    wireOf,
    accessGuard: () => address.accessGuard,
    linkOrigin: request => address.linkOrigin(request),
    documentedOnly: options.documentedOnly,
    holdResponse: hooks.holdResponse,
    onResponse(entry, { id, feed }) {
      feed.publish({ kind: 'request', entry });
      hooks.onResponse?.(toRequestLogEntry(entry, id));
    },
    onBug,
  });
  return {
    ...dispatch,
    options,
    feed: main.feed,
    onBug,
    loaders: [
      ...[...partnerGroups, ...controlGroups].map(group => group.operations),
      () => operations,
      // For fixtures in requests.
      () => FixtureFile,
      // For requests that were refused.
      () => acceptedInput,
      loadAgents,
    ],
    main,
    worlds: () => worlds.all(),
    createStory: options => worlds.createStory(options),
    endWorld: id => void worlds.remove(id),
    partners: () => partnerKeys(main.state),
    mappings: () => main.forwarding.redirection.map,
    webhookSecrets: () => forwardedSecrets(main.state),
    settingsOf: world => worlds.existing(world).settings,
    serveAt: served => address.set(served),
    stateFile: storage?.path ?? null,
    loadedState: storage?.loaded ?? null,
    saveState: () => storage?.saveLast() ?? Promise.resolve(null),
    reload: () => reload(main),
    stop() {
      storage?.close();
      worlds.stop();
      hooks.transport?.close();
    },
  };
}

function reload(main: SandboxWorld): Record<string, number> | null {
  const { states, current, history } = main;
  if (states.initial === null) {
    states.readFixtures();
    return null;
  }
  const dropped = states.createdSince(main.state);
  const next = states.reread();
  main.state.clock.hold(() => {
    const addToHistory = history.begin();
    current.replace(next, states.initial);
    addToHistory(RELOAD);
  });
  return dropped;
}

/** The entry of a reload. A record plays it as a reset to the state that it carries. */
const RELOAD: HandledRequest = {
  plane: 'control',
  requestId: null,
  request: {
    method: 'POST',
    path: `${CONTROL_PREFIX}/reset`,
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
  },
  requestBody: '',
  response: { status: 204, headers: {}, body: '' },
  summary: 'Reload the fixtures',
};

/** All worlds send through an injected transport, which none of them closes. */
function shareTransport(transport: Transport): () => Transport {
  return () => ({ send: (request, signal) => transport.send(request, signal), close: () => undefined });
}

function wrapped(
  create: (redirection: () => Redirection) => Transport,
  wrap: CoreHooks['wrapTransport'] = http => http,
): (redirection: () => Redirection) => Transport {
  return redirection => wrap(create(redirection), redirection);
}

function printSaveError(error: unknown): void {
  console.error('the state is not saved:', messageOf(error));
}

function printBug(error: unknown, where: string): void {
  console.error(`bug in the sandbox, in ${where}:`, error);
}
