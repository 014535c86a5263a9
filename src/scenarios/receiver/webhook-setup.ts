import type { AnyResponse } from '../../client/client.ts';
import type { Scenario } from '../file/read.ts';
import type { Stage } from '../play/stage.ts';
import type { Inbox } from './inbox.ts';

const PATH = '/partner/webhooks/config';

/** Whether a scenario looks at webhooks at all. */
export function usesWebhooks({ steps }: Scenario): boolean {
  return steps.some(({ webhook }) => webhook !== undefined);
}

/**
 * Has the partner's webhooks sent to the inbox, only the types that the scenario looks at. Answers with the way
 * back to what was configured before, or says in words why it cannot be done.
 */
export async function directWebhooks(
  scenario: Scenario,
  { api, apiKey }: Pick<Stage, 'api' | 'apiKey'>,
  inbox: Inbox,
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
  if (status !== 200) return `the server does not send webhooks to ${inbox.url}: ${refusalIn(status, body)}`;
  return async () => {
    if (before.status === 200) await change(restorable(before.body));
  };
}

/** A configuration as it can be set again: a secret that there was not cannot be taken away. */
function restorable(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name !== 'webhookSecret' || value !== null),
  );
}

function refusalIn(status: number, body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return `${status}${typeof error === 'string' ? `, ${error}` : ''}`;
}
