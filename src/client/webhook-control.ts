import type { Call } from './call.ts';
import type { NotDelivered, WebhookConfig, WebhookDelivery } from './feed-types.ts';
import type { EventRequest, WebhookFilter } from './inputs.ts';

/** The webhooks that the sandbox sends to partners. */
export interface WebhookControl {
  /**
   * Resolves with the first delivery that matches, past ones included. Rejects after `timeoutMs` milliseconds of wall
   * time, 5,000 by default, with a list of the deliveries that were made instead.
   */
  wait(filter?: WebhookFilter & { readonly timeoutMs?: number }): Promise<WebhookDelivery>;
  /**
   * Waits until no attempt is in flight, with `partnerId` those of that partner. Rejects with a list of the deliveries that match, if there are any. With
   * `after`, only deliveries newer than that one count.
   */
  expectNone(filter?: WebhookFilter & { readonly after?: Pick<WebhookDelivery, 'id'> }): Promise<void>;
  /** Resolves with all deliveries that match, newest first, or with at most `limit` of them. */
  list(filter?: WebhookFilter & { readonly limit?: number }): Promise<WebhookDelivery[]>;
  /**
   * Waits until no attempt is in flight, of one partner or of all. Resolves with the number of its deliveries that wait
   * for a retry.
   */
  settle(scope?: { readonly partnerId?: string }): Promise<{ readonly pending: number }>;
  /** Raises an event about an existing record, or a sample. */
  trigger(event: EventRequest): Promise<WebhookDelivery | NotDelivered>;
  /** Retries a failed delivery now. */
  retry(id: string): Promise<WebhookDelivery>;
  /** Resolves with the configuration of a partner, by default the first one. */
  config(partnerId?: string): Promise<WebhookConfig>;
  /** Changes the configuration of a partner by the rules of the API; omitted members keep their values. */
  configure(change: Partial<WebhookConfig>, partnerId?: string): Promise<WebhookConfig>;
}

/** The webhooks of the sandbox behind `call`. */
export function webhookControl(call: Call): WebhookControl {
  const list: WebhookControl['list'] = (filter = {}) => call('GET', '/deliveries', { query: filter });
  const settle: WebhookControl['settle'] = (scope = {}) =>
    call('POST', '/deliveries/settle', { body: scope });
  return {
    list,
    settle,
    wait: (filter = {}) => call('POST', '/wait', { body: filter }),
    async expectNone({ after, ...filter } = {}) {
      const { partnerId } = filter;
      await settle(partnerId === undefined ? {} : { partnerId });
      const all = await list(filter);
      const known = all.findIndex(({ id }) => id === after?.id);
      const unexpected = known === -1 ? all : all.slice(0, known);
      if (unexpected.length > 0) throw new Error(unexpectedMessage(filter, unexpected));
    },
    trigger: event => call('POST', '/events', { body: event }),
    retry: id => call('POST', `/deliveries/${encodeURIComponent(id)}/retry`),
    config: partnerId => call('GET', '/webhooks/config', { query: { partnerId } }),
    configure: (change, partnerId) =>
      call('PATCH', '/webhooks/config', { query: { partnerId }, body: change }),
  };
}

function unexpectedMessage(filter: WebhookFilter, deliveries: readonly WebhookDelivery[]): string {
  const conditions = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  const lines = deliveries.toReversed().map(({ id, eventType, status, resourceId, createdAt, cause }) => {
    const reason = cause === null ? '' : ` (${cause})`;
    return `  ${createdAt} ${eventType} about ${resourceId}, ${status}${reason}: ${id}`;
  });
  const expected = conditions === '' ? 'no webhook' : `no webhook with ${conditions}`;
  return `expected ${expected}, but got ${deliveries.length}:\n${lines.join('\n')}`;
}
