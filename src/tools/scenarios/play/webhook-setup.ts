import type { AnyResponse } from '../../../client/http.ts';
import type { WebhookReceiver } from '../../../client/webhook-receiver.ts';
import type { Scenario } from '../file/read.ts';
import type { Stage } from './stage.ts';

const PATH = '/partner/webhooks/config';

/** Returns whether a scenario expects webhooks. */
export function usesWebhooks({ steps }: Scenario): boolean {
  return steps.some(({ webhook }) => webhook !== undefined);
}

/**
 * Configures the partner's webhooks to go to the inbox, for the event types that the scenario expects. Resolves with a
 * function that restores the previous configuration, or with the reason why the server refused.
 */
export async function directWebhooks(
  scenario: Scenario,
  { api, apiKey }: Pick<Stage, 'api' | 'apiKey'>,
  inbox: WebhookReceiver,
): Promise<string | (() => Promise<void>)> {
  const change = (body: unknown): Promise<AnyResponse> =>
    api.exchange(apiKey, { method: 'PATCH', path: PATH, body });
  const before = await api.exchange(apiKey, { method: 'GET', path: PATH });
  const types = scenario.steps.flatMap(({ webhook }) => (webhook === undefined ? [] : [webhook.eventType]));
  const { status, body } = await change({
    webhookUrl: inbox.url,
    webhookSecret: inbox.secret,
    subscribedEvents: [...new Set(types)],
  });
  if (status !== 200)
    return `the server does not send webhooks to ${inbox.url}: ${refusalText(status, body)}`;
  return async () => {
    if (before.status === 200) await change(settablePart(before.body));
  };
}

/** Returns the settable part of a configuration: a secret cannot be unset. */
function settablePart(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name !== 'webhookSecret' || value !== null),
  );
}

function refusalText(status: number, body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return `${status}${typeof error === 'string' ? `, ${error}` : ''}`;
}
