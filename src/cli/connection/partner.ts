import type { Client, SandboxInfo } from '../../client/client.ts';
import { suggestion } from '../../kernel/values/nearest.ts';

/** The partner with this id, or the first, as the running sandbox knows it; throws when there is none. */
export async function partnerOf(client: Client, id?: string): Promise<SandboxInfo['partners'][number]> {
  const { partners } = await client.info();
  const partner = id === undefined ? partners[0] : partners.find(each => each.id === id);
  if (partner !== undefined) return partner;
  if (id === undefined) throw new Error('this sandbox has no partner; its fixture should name one');
  const ids = partners.map(each => each.id);
  throw new Error(
    `no partner with id ${JSON.stringify(id)}${suggestion(id, ids) || `; there are ${ids.join(', ')}`}`,
  );
}

/** The API key of a partner. */
export async function partnerKey(client: Client, id?: string): Promise<string> {
  return (await partnerOf(client, id)).apiKey;
}
