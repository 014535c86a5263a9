import type { Feed } from './feed.ts';
import type { Operation } from './operation.ts';
import type { World } from './world.ts';

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
  readonly world: World;
  /** News of this and every later world. */
  readonly feed: Feed;
  /** Swaps in a new world, seeded as at the start. */
  reset(): void;
}
