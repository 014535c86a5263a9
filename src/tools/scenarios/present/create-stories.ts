import type { Stories, StoryServer } from './stories.ts';

type CreateStories = (server: StoryServer) => Promise<Stories>;

const load = () => import('./stories.ts');

/** Creates the player of the built-in stories. What plays stories is loaded when this is called. */
export const createStories: CreateStories = async server => new (await load()).Stories(server);

/**
 * Reads the scenario files of a partner, and resolves with what creates the player of these and of the built-in stories.
 * Rejects with a FixtureError for an invalid file, and for two of the same name.
 */
export async function readStories(files: readonly string[] = []): Promise<CreateStories> {
  if (files.length === 0) return createStories;
  const own = (await load()).readOwnStories(files);
  return async server => new (await load()).Stories(server, own);
}
