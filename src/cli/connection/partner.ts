import { createHash, randomBytes } from 'node:crypto';
import type { Client, SandboxInfo } from '../../client/client.ts';
import { suggestion } from '../../core/values/nearest.ts';

/** Returns the partner with this id, or the first one of the running sandbox. Throws when there is none. */
export async function findPartner(client: Client, id?: string): Promise<SandboxInfo['partners'][number]> {
  const { partners } = await client.info();
  const partner = id === undefined ? partners[0] : partners.find(each => each.id === id);
  if (partner !== undefined) return partner;
  if (id === undefined) throw new Error('this sandbox has no partner; add one to its fixture');
  const ids = partners.map(each => each.id);
  throw new Error(
    `no partner with id ${JSON.stringify(id)}${suggestion(id, ids) || `; partners are ${ids.join(', ')}`}`,
  );
}

const PATH = '/webhooks/config';

/** Returns the webhook secret of a partner, or null when none is configured. Not journalled, not rate limited. */
async function webhookSecretOf(client: Client, partnerId: string): Promise<string | null> {
  const { body } = await client.control({ method: 'GET', path: PATH, query: { partnerId } });
  // The sandbox validates its responses against the documented shape.
  return (body as { readonly webhookSecret: string | null }).webhookSecret;
}

/** Sets the webhook secret of a partner; the rest of its configuration stays unchanged. */
async function setWebhookSecret(client: Client, partnerId: string, webhookSecret: string): Promise<void> {
  await client.control({ method: 'PATCH', path: PATH, query: { partnerId }, body: { webhookSecret } });
}

/** Returns the webhook secret of a partner. Configures one when there is none: the same for the same seed, else random. */
export async function ensureWebhookSecret(client: Client, partnerId: string, seed?: number): Promise<string> {
  const configured = await webhookSecretOf(client, partnerId);
  if (configured !== null) return configured;
  const hash = seed === undefined ? randomBytes(32) : createHash('sha256').update(String(seed)).digest();
  const secret = `whsec_test_${hash.toString('hex').slice(0, 32)}`;
  await setWebhookSecret(client, partnerId, secret);
  return secret;
}
