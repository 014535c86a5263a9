import { createHash, randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';

const PATH = '/webhooks/config';

/** Returns the webhook secret of a partner, or null when none is configured. Not journalled, not rate limited. */
export async function webhookSecretOf(client: Client, partnerId: string): Promise<string | null> {
  const { body } = await client.control({ method: 'GET', path: PATH, query: { partnerId } });
  // The sandbox validates its responses against the documented shape.
  return (body as { readonly webhookSecret: string | null }).webhookSecret;
}

/** Sets the webhook secret of a partner; the rest of its configuration stays unchanged. */
export async function setWebhookSecret(
  client: Client,
  partnerId: string,
  webhookSecret: string,
): Promise<void> {
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
