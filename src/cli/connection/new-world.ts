import type { Client } from '../../client/client.ts';
import type { World } from '../../client/generated/records.ts';
import type { CreateWorldOptions } from '../../client/handle.ts';
import { resolveOptions } from '../../sandbox/options.ts';
import { toWorldRequest } from '../../server/in-process/world-request.ts';

/** Creates a world of the running sandbox. Rejects with an OptionError, and with a FixtureError for its fixtures. */
export async function createWorld(client: Client, options: CreateWorldOptions): Promise<World> {
  const { fixtures: _fixtures, id: _id, from: _from, state: _state, ttl: _ttl, ...shared } = options;
  // Invalid flags are wrong usage, which the server could not say.
  resolveOptions(shared);
  const body = await toWorldRequest(options, client);
  const response = await client.control({ method: 'POST', path: '/worlds', body });
  // The sandbox checks its responses against its schemas, from which the type is generated.
  return response.body as World;
}
