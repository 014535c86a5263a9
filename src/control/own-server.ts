import type { Partner } from '../core/access/partners.ts';
import type { World, WorldRegistry } from '../core/world/world.ts';

/** The process that serves a sandbox and does nothing else. */
export interface OwnProcess {
  readonly pid: number;
  readonly machine: string;
  /** Differs for each process. */
  readonly instance: string;
  /** Wall time, ISO 8601. */
  readonly startedAt: string;
  /** Stops the sandbox and ends the process, as a signal does. Returns at once. */
  stop(): void;
}

export interface Recording {
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly world: string;
  readonly entry: string | null;
}

/** What plays scenario files as stories, each run in a world of its own. Control operations have the schemas of what it returns. */
export interface StoryPlayer {
  list(world: World): readonly { readonly id: string }[];
  /** Returns a story with the steps that were played in the run of a world. */
  show(world: World, id: string): unknown;
  /** Goes to the moment after a step, forward by playing and back by a rewind; 0 begins a new run. */
  goTo(world: World, id: string, step: number): Promise<unknown>;
}

/** What control operations ask of the server itself, beside its worlds. */
export interface OwnServer extends WorldRegistry {
  /** The process of `card-sandbox start`; null when the sandbox is part of another program. */
  readonly process: OwnProcess | null;
  /** The record that `open` shows; null otherwise. */
  recording: Recording | null;
  /** Loads the player of stories, where a server has one. */
  readonly stories: (() => Promise<StoryPlayer>) | undefined;
  /** Saves a world to the state file. Resolves with null when it has none. Rejects with a 500 when it cannot be saved. */
  saveState(world: World): Promise<{ readonly file: string; readonly bytes: number } | null>;
  /**
   * Adds a partner with the records of a fixture; the default is one card program. Returns a promise when that takes many
   * turns of the event loop. Throws a 400 for a fixture that is not available; rejects with a 409 when the state is
   * replaced meanwhile.
   */
  addPartner(
    world: World,
    options: { readonly name?: string | undefined; readonly fixture?: string | undefined },
  ): Partner | Promise<Partner>;
}

export function serverOf({ worlds }: World): OwnServer {
  // The registry that worlds have is the server: `src/sandbox/worlds/worlds.ts` implements the whole.
  return worlds as OwnServer;
}
