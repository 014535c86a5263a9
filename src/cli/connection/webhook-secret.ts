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
