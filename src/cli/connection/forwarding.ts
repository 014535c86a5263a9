import { type Client, RefusedError, UnreachableError } from '../../client/client.ts';
import type { Forwarding, World } from '../../client/generated/records.ts';

/** What can be set. */
type Setting = Omit<Forwarding, 'webhookSecrets'>;

const PATH = '/forwarding';

/** Resolves with the forwarding in force. */
export async function forwardingOf(client: Client): Promise<Setting> {
  // The sandbox validates its responses against the documented shape.
  const { url, map, allowHttp } = (await client.control({ method: 'GET', path: PATH })).body as Forwarding;
  return { url, map, allowHttp };
}

/** Changes the forwarding. What is left out is as the sandbox was started. */
export async function changeForwarding(client: Client, body: Partial<Setting>): Promise<void> {
  await client.control({ method: 'PUT', path: PATH, body });
}

/** Changes the forwarding back to how the sandbox was started. */
export async function restoreForwarding(client: Client): Promise<void> {
  await client.control({ method: 'DELETE', path: PATH });
}

/**
 * Forwards all webhooks to a URL. Resolves with a function that puts the former forwarding back, unless it has been
 * changed meanwhile or the world has ended.
 */
export async function forwardMeanwhile(client: Client, url: string): Promise<() => Promise<void>> {
  const before = await forwardingOf(client);
  await changeForwarding(client, { ...before, url });
  return async () => {
    try {
      if ((await forwardingOf(client)).url === url) await changeForwarding(client, before);
    } catch (error) {
      const hasEnded =
        error instanceof UnreachableError || (error instanceof RefusedError && error.status === 404);
      if (!hasEnded) throw error;
    }
  };
}

/** Resolves with the webhook secrets by partner id, of the partners that have one. */
export async function webhookSecretsOf(client: Client): Promise<Readonly<Record<string, string>>> {
  const path = `/worlds/${encodeURIComponent(client.world)}`;
  // The sandbox validates its responses against the schema that the type is generated from.
  return ((await client.control({ method: 'GET', path })).body as World).webhookSecrets;
}
