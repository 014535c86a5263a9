import { parseTimestamp, timeOf } from '../core/values/timestamp.ts';
import type { ControlApi } from './generated/control-api.ts';
import type {
  EventRequest,
  Forwarding,
  ForwardingRequest,
  NotDelivered,
  WebhookConfig,
  WebhookDelivery,
  WebhookFilter,
} from './generated/records.ts';
import { type CallControl, controlMethods } from './operation-calls.ts';

/** A delivery, or its id; in `after` also an ISO 8601 moment, or `'now'`. */
export type DeliveryReference = string | Pick<WebhookDelivery, 'id'>;

/** Which delivery to wait for, from when on, and for how long. */
export interface WaitFilter extends WebhookFilter {
  /** Only deliveries recorded after this count: a delivery or its id, an ISO 8601 moment, or `'now'`. Default: all. */
  readonly after?: DeliveryReference;
  /** Timeout in milliseconds of wall time. Default: 2,000. */
  readonly timeoutMs?: number;
}

/** The webhooks that the sandbox sends to partners. */
export interface WebhookControl {
  /**
   * Resolves with the first delivery that matches. Past ones count, so a second equal wait resolves with the same one:
   * pass `after` with the previous delivery to wait for the next, or `'now'` for one that is not recorded yet. Rejects
   * after `timeoutMs` milliseconds of wall time, 2,000 by default, and names the deliveries that come nearest.
   *
   * @example
   * await sandbox.webhooks.wait({ eventType: 'card.issued', status: 'delivered', resourceId: cardId });
   */
  wait(filter?: WaitFilter): Promise<WebhookDelivery>;
  /**
   * Waits until no attempt is in flight; with `partnerId`, none of that partner. Rejects if deliveries match, and lists
   * them. With `after`, only deliveries count that were recorded after it, as in `wait`.
   */
  expectNone(filter?: WebhookFilter & { readonly after?: DeliveryReference }): Promise<void>;
  /** Resolves with all deliveries that match, newest first, or with at most `limit` of them. */
  list(filter?: WebhookFilter & { readonly limit?: number }): Promise<WebhookDelivery[]>;
  /**
   * Waits until no attempt is in flight, of one partner or of all. Resolves with the number of its deliveries that wait
   * for a retry.
   */
  settle(scope?: { readonly partnerId?: string | undefined }): Promise<{ readonly pending: number }>;
  /** Raises an event about an existing record, or a sample. */
  trigger(event: EventRequest): Promise<WebhookDelivery | NotDelivered>;
  /** Retries a failed delivery now. */
  retry(id: string): Promise<WebhookDelivery>;
  /** Sends a delivery of any status once more. Resolves with it once the attempt has ended. */
  redeliver(id: string): Promise<WebhookDelivery>;
  /** Resolves with where webhooks are forwarded. */
  forwarding(): Promise<Forwarding>;
  /** Changes where webhooks are forwarded, until it is changed again; omitted members are as at the start. */
  forward(request: ForwardingRequest): Promise<Forwarding>;
  /** Resolves with the configuration of a partner, by default the first one. */
  config(partnerId?: string): Promise<WebhookConfig>;
  /** Changes the configuration of a partner by the rules of the API; omitted members keep their values. */
  configure(change: Partial<WebhookConfig>, partnerId?: string): Promise<WebhookConfig>;
}

export function createWebhookControl(call: CallControl): WebhookControl {
  return {
    ...controlMethods(call, {
      list: 'deliveries.list',
      settle: 'deliveries.settle',
      trigger: 'events.raise',
      retry: 'deliveries.retry',
      redeliver: 'deliveries.redeliver',
      forwarding: 'forwarding.show',
      forward: 'forwarding.set',
    }),
    wait: async ({ after, ...filter } = {}) =>
      call('deliveries.wait', { ...filter, after: after === undefined ? undefined : idOf(after) }),
    async expectNone({ after: given, ...filter } = {}) {
      const reference = given === undefined ? undefined : idOf(given);
      const after = reference === 'now' ? (await call('deliveries.list', { limit: 1 }))[0]?.id : reference;
      await call('deliveries.settle', { partnerId: filter.partnerId });
      const matching = await call('deliveries.list', filter);
      const isNewer = after === undefined ? () => true : newerThan(await call('deliveries.list'), after);
      const unexpected = matching.filter(isNewer);
      if (unexpected.length > 0) throw new Error(unexpectedMessage(filter, unexpected));
    },
    config: partnerId => call('webhooks.showConfig', { partnerId }),
    configure: (change, partnerId) =>
      // The sandbox refuses a secret of null, which only a response can have.
      call('webhooks.changeConfig', change as Parameters<ControlApi['webhooks.changeConfig']>[0], {
        partnerId,
      }),
  };
}

/** Throws a TypeError for what has no id, such as an event that was not delivered: without one, every delivery would count. */
function idOf(reference: DeliveryReference): string {
  const id: unknown = typeof reference === 'string' ? reference : reference?.id;
  if (typeof id === 'string') return id;
  throw new TypeError("after: must be a delivery, its id, an ISO 8601 moment as text, or 'now'");
}

/**
 * Whether a delivery was recorded after another, by their order in the list of all, or after a moment; every one was after
 * an unknown id.
 */
function newerThan(
  newestFirst: readonly WebhookDelivery[],
  after: string,
): (other: WebhookDelivery) => boolean {
  const moment = parseTimestamp(after);
  if (moment !== null) return ({ createdAt }) => timeOf(createdAt) > moment;
  const at = newestFirst.findIndex(each => each.id === after);
  const newer = new Set(newestFirst.slice(0, at === -1 ? undefined : at).map(each => each.id));
  return ({ id }) => newer.has(id);
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
