import type { Client, SandboxInfo } from '../../client/client.ts';
import { suggestion } from '../../core/values/nearest.ts';

/** Returns the partner with this id, or the first one of the running sandbox. Throws when it has no such partner. */
export async function findPartner(client: Client, id?: string): Promise<SandboxInfo['partners'][number]> {
  const { partners } = await client.info();
  const partner = id === undefined ? partners[0] : partners.find(each => each.id === id);
  if (partner !== undefined) return partner;
  const ids = partners.map(each => each.id);
  throw new Error(
    `no partner with id ${JSON.stringify(id)}${suggestion(id ?? '', ids) || `; partners are ${ids.join(', ')}`}`,
  );
}
