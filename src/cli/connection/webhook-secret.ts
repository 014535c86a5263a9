import type { Client } from '../../client/client.ts';

const PATH = '/webhooks/config';

/** The webhook secret of a partner; null when none is configured. Leaves no trace in journal or rate limit. */
export async function webhookSecretOf(client: Client, partnerId: string): Promise<string | null> {
  const { body } = await client.control({ method: 'GET', path: PATH, query: { partnerId } });
  // The answer is checked against the documented shape of the configuration before it leaves.
  return (body as { readonly webhookSecret: string | null }).webhookSecret;
}

/** Gives a partner a webhook secret; all else in its configuration stays. */
export async function setWebhookSecret(
  client: Client,
  partnerId: string,
  webhookSecret: string,
): Promise<void> {
  await client.control({ method: 'PATCH', path: PATH, query: { partnerId }, body: { webhookSecret } });
}
