import { partnerAdder } from '../fixtures/load/new-partner.ts';
import type { Feed } from '../kernel/journal/feed.ts';
import { ApiError, assumed } from '../kernel/operation/errors.ts';
import type { Host, OwnProcess } from '../kernel/operation/host.ts';
import { VERSION } from '../kernel/operation/version.ts';
import type { CurrentWorld } from '../kernel/world/current-world.ts';
import type { Saved } from '../state/state-file.ts';
import { StateFileError } from '../state/state-file-error.ts';
import { assumptions } from './assumptions/register.ts';
import { operations } from './operations.ts';
import type { ResolvedOptions } from './options.ts';

/** The parts of a sandbox that its control plane drives. */
export interface HostParts {
  readonly options: ResolvedOptions;
  readonly feed: Feed;
  readonly worlds: CurrentWorld;
  readonly process: OwnProcess | null;
  /** Saves the world to the state file, if there is one. Throws a StateFileError. */
  readonly saveState: () => Saved | null;
}

/** Creates what the control plane sees of a sandbox. */
export function createHost({ options, feed, worlds, process, saveState }: HostParts): Host {
  const addPartner = partnerAdder(options.fixtures, options);
  return {
    version: VERSION,
    // JSON omits undefined, so an option that is not set is null.
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
    process,
    get world() {
      return worlds.current;
    },
    saveState() {
      try {
        return saveState();
      } catch (error) {
        if (!(error instanceof StateFileError)) throw error;
        throw new ApiError(500, assumed('state-file'), error.message);
      }
    },
    addPartner: partner => addPartner(worlds.current, partner),
  };
}
