import { type Client, RefusedError, UnreachableError } from '../../client/client.ts';
import { createControlCall } from '../../client/operation-calls.ts';

/**
 * Forwards all webhooks to a URL. Resolves with a function that puts the former forwarding back, unless it has been
 * changed meanwhile or the world has ended. It resolves with the URL to which the world still forwards, or null.
 */
export async function forwardMeanwhile(
  client: Client,
  forwardTo: string,
): Promise<() => Promise<string | null>> {
  const call = createControlCall(client);
  const { url, map, allowHttp } = await call('forwarding.show');
  await call('forwarding.set', { url: forwardTo, map, allowHttp });
  return async () => {
    try {
      const current = await call('forwarding.show');
      if (current.url !== forwardTo) return current.url;
      await call('forwarding.set', { url, map, allowHttp });
      return url;
    } catch (error) {
      const hasEnded =
        error instanceof UnreachableError || (error instanceof RefusedError && error.status === 404);
      if (!hasEnded) throw error;
      return null;
    }
  };
}

/** Resolves with the webhook secrets by partner id: the configured ones, or those that forwarding signs with. */
export async function webhookSecretsOf(client: Client): Promise<Readonly<Record<string, string>>> {
  const call = createControlCall(client);
  if (client.world !== 'main') return (await call('worlds.get', client.world)).webhookSecrets;
  // Calls without a world mean the first one of the list. In the opened record of a world that is this world.
  const [first] = await call('worlds.list');
  return first?.webhookSecrets ?? {};
}
