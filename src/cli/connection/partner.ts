import type { Client, SandboxInfo } from '../../client/client.ts';
import { createControlCall } from '../../client/operation-calls.ts';
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

/**
 * Stores a webhook secret for a partner that has none, so that an app can configure a URL without one. The rest of its
 * configuration stays unchanged.
 */
export async function storeWebhookSecret(
  client: Client,
  partnerId: string,
  webhookSecret: string,
): Promise<void> {
  const call = createControlCall(client);
  const configured = await call('webhooks.showConfig', { partnerId });
  if (configured.webhookSecret === null)
    await call('webhooks.changeConfig', { webhookSecret }, { partnerId });
}
