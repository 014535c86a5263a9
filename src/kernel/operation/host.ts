import type { Partner } from '../access/partners.ts';
import type { Feed } from '../journal/feed.ts';
import type { CurrentWorld } from '../world/current-world.ts';
import type { World } from '../world/world.ts';
import type { Operation } from './operation.ts';

/** One decision where the interface is silent: what it is called, the interface section it fills, what it says. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
}

/** What holds the current world: what the control plane can ask beyond the world itself. */
export interface Host {
  readonly version: string;
  /** The options the sandbox was started with, for people to read. Never a secret. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly assumptions: readonly Assumption[];
  /** The table of all operations. */
  readonly operations: readonly Operation[];
  /** The world as it is now. */
  readonly world: World;
  /** What swaps the world for another: reset, states and checkpoints. */
  readonly worlds: CurrentWorld;
  /** News of this and every later world. */
  readonly feed: Feed;
  /** Saves the world into the state file; null when the sandbox was started without one. */
  saveState(): { readonly file: string; readonly bytes: number } | null;
  /**
   * Adds a partner with what a fixture gives it: a card program, unless another is named. Throws a 400 for a
   * fixture that is not offered.
   */
  addPartner(given: { readonly name?: string | undefined; readonly fixture?: string | undefined }): Partner;
}
