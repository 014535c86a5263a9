import type { Partner } from '../access/partners.ts';
import type { Feed } from '../journal/feed.ts';
import type { CurrentWorld } from '../world/current-world.ts';
import type { World } from '../world/world.ts';
import type { Plane } from './plane.ts';

/** A decision where the interface is silent: its id, the interface section it completes, and its text. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
}

/** The address of an operation: its method and its path below the prefix of its plane. */
export interface OperationRoute {
  readonly id: string;
  readonly plane: Plane;
  readonly method: string;
  readonly path: string;
}

/** The process that serves a sandbox and does nothing else. */
export interface OwnProcess {
  readonly pid: number;
  /** Name of the machine that it runs on. */
  readonly machine: string;
  /** Differs for each process. */
  readonly instance: string;
  /** Stops the sandbox and ends the process, as a signal does. Returns at once. */
  stop(): void;
}

/** What a control operation can reach beyond the current world. */
export interface Host {
  readonly version: string;
  /** The options of the sandbox, for people to read. Holds no secret. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly assumptions: readonly Assumption[];
  /** The routes of all operations. */
  readonly operations: readonly OperationRoute[];
  /** The current world. */
  readonly world: World;
  /** Replaces the current world: reset, states and checkpoints. */
  readonly worlds: CurrentWorld;
  /** Messages of the current world and of every later one. */
  readonly feed: Feed;
  /** The process of `card-sandbox start`; null when the sandbox is part of another program. */
  readonly process: OwnProcess | null;
  /** Saves the world to the state file. Returns null when the sandbox has none. */
  saveState(): { readonly file: string; readonly bytes: number } | null;
  /**
   * Adds a partner with the records of a fixture; the default is one card program. Throws a 400 for a fixture that is
   * not available.
   */
  addPartner(options: { readonly name?: string | undefined; readonly fixture?: string | undefined }): Partner;
}
