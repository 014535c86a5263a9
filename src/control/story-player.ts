import { assumed, badRequest } from '../core/operation/errors.ts';
import type { World, WorldRegistry } from '../core/world/world.ts';
import type { StoryPlayer } from './world/story-schema.ts';

/** The rule behind the operations on stories. */
export const RULE = assumed('stories');

/** Loads the player of a server. */
export type LoadStories = () => Promise<StoryPlayer>;

const players = new WeakMap<WorldRegistry, LoadStories>();

/** Lets the presenter play stories in the worlds of a server. */
export function provideStories(worlds: WorldRegistry, load: LoadStories): void {
  players.set(worlds, load);
}

/** Returns the player of the server of a world. Throws a 400 where no server plays stories. */
export function playerOf({ worlds }: World): Promise<StoryPlayer> {
  const load = players.get(worlds);
  if (load === undefined) {
    throw badRequest(RULE, 'a sandbox without a server plays no stories; start one with card-sandbox start');
  }
  return load();
}
