import type { Client } from '../../client/client.ts';
import type { NewWorldRequest } from '../../client/generated/records.ts';
import type { CreateWorldOptions } from '../../client/handle.ts';
import { toPortable } from '../../sandbox/fixtures/define/build-fixtures.ts';
import { checkWorldOptions } from './check-options.ts';

/** Reads and builds fixtures, because a request names no files. Rejects with an OptionError or a FixtureError. */
export async function toWorldRequest(options: CreateWorldOptions, client: Client): Promise<NewWorldRequest> {
  checkWorldOptions(options);
  const { fixtures, from, ...others } = options;
  // A new world has the seed of main unless it is given one.
  const seed = async () => options.seed ?? (await client.inWorld('main').info()).seed;
  const start = fixtures === undefined ? {} : await toPortable(fixtures, seed);
  const source = typeof from === 'object' ? from.world : from;
  return { ...others, ...start, ...(source !== undefined && { from: source }) };
}
