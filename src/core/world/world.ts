import type { Coverage } from '../journal/coverage.ts';
import type { Feed } from '../journal/feed.ts';
import type { History } from '../journal/history.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Cause, Fidelity } from '../operation/errors.ts';
import type { OpenResponses } from '../request/after-response.ts';
import type { Plane } from '../values/plane.ts';
import type { Setting, SettingValue } from '../values/setting.ts';
import type { CurrentState } from './current-state.ts';
import type { Forwarding, ForwardingChange } from './transport.ts';
import type { WorldSnapshot } from './world-snapshot.ts';
import type { WorldState } from './world-state.ts';

/** A decision where the interface is silent: its id, the interface section it completes, and its text. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
  /** What it can be set to, where the interface leaves room. */
  readonly setting?: Setting;
}

export interface OperationRoute {
  readonly id: string;
  readonly plane: Plane;
  readonly method: string;
  readonly path: string;
  readonly fidelity: Fidelity;
  readonly responses: Readonly<Record<number, unknown>>;
  readonly causes: readonly Cause[];
}

/** What decides the future of a world beside its state. */
export interface RecordedOptions {
  readonly origin: string;
  readonly keys: KeySource;
  /** The options of the sandbox, by their names. */
  readonly [option: string]: unknown;
}

/** What makes the API keys of a world, and secrets that nobody can compute. */
export interface KeySource {
  /** The tag in its API keys; null for `main`. */
  readonly tag: string | null;
  /** The seed of the server, from which keys come without a secret. */
  readonly seed: number;
  /** 64 hexadecimal digits; null when secrets come from the seed. */
  readonly secret: string | null;
}

export interface WorldRegistry {
  /** The world that the server starts with. It never ends. */
  readonly main: World;
  /** The world that an API key belongs to; `main` for a key that belongs to none. */
  ofKey(key: string | undefined): World;
  find(id: string): World | undefined;
  /** Returns the world with an id. Throws the 404 when there is none. */
  existing(id: string): World;
  /** All worlds except the worlds of stories, in the order of creation, `main` first. */
  all(): Iterable<World>;
  /** Throws a 400 for options that cannot be used. Returns a promise when it takes many turns of the event loop. */
  create(options: Readonly<Record<string, unknown>>): World | Promise<World>;
  /** Ends a world other than `main`, and its keys with it. Returns whether there was one. */
  remove(id: string): boolean;
}

/** One world of a server, as control operations reach it. */
export interface World {
  readonly id: string;
  /** Wall time in milliseconds at which the world was created, and of the last request to it. */
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Aborted when the world ends. */
  readonly ended: AbortSignal;
  touch(): void;
  /** Notes a request that waits or streams. Returns a function to call when it is over. */
  use(): () => void;
  readonly version: string;
  /** Whether operations that rest on an assumption respond with 404. */
  readonly documentedOnly: boolean;
  /** The options of the sandbox, for people to read. Holds no secret. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What decides the future of the world, with a forwarding, for its record: see `src/control/history/record/format.ts`. */
  recordedOptions(forwarding: Forwarding): RecordedOptions;
  /** What no record holds: the token of the control plane; null for none, or one too short to be told from other text. */
  readonly controlToken: string | null;
  /** Whether every sandbox has a fixture of this name. */
  hasBuiltInFixture(name: string): boolean;
  readonly assumptions: readonly Assumption[];
  /** The values of the settable assumptions in this world, as people write them. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  readonly operations: readonly OperationRoute[];
  readonly state: WorldState;
  readonly current: CurrentState;
  readonly history: History;
  /** The conditions of the interface that it has seen. */
  readonly coverage: Coverage;
  readonly start: { readonly snapshot: WorldSnapshot; readonly forwarding: Forwarding };
  readonly worlds: WorldRegistry;
  /** The responses that are not out yet. */
  readonly responses: OpenResponses;
  readonly feed: Feed;
  /** Returns what would have been accepted instead of a refused request, a line each, in the names of its caller. */
  acceptedInput(entry: JournalEntry): readonly string[];
  /** Changes the forwarding of the world. Throws a 400, and changes nothing, for an invalid URL. */
  changeForwarding(change: ForwardingChange): void;
}
