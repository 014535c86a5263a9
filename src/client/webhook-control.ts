import type { Call } from './call.ts';
import type {
  NotDelivered,
  WebhookConfig,
  WebhookDelivery,
  WebhookFault,
  WebhookFaultKind,
  WebhookStatus,
} from './feed-types.ts';
import type { EventType } from './records.ts';

/** Which deliveries are meant; what is left out fits any. */
export interface WebhookFilter {
  readonly eventType?: EventType;
  readonly status?: WebhookStatus;
  /** The record that the event is about. */
  readonly resourceId?: string;
  readonly partnerId?: string;
}

/** What the sandbox sends to partners. */
export interface WebhookControl {
  /** Waits for the first delivery that fits, past ones included. Rejects after `timeoutMs` (default 5,000) and says what came instead. */
  wait(filter?: WebhookFilter & { readonly timeoutMs?: number }): Promise<WebhookDelivery>;
  /**
   * Waits until no attempt is under way, then rejects with a list of what came if any delivery fits. With `after`,
   * only what is newer than that delivery counts.
   */
  expectNone(filter?: WebhookFilter & { readonly after?: Pick<WebhookDelivery, 'id'> }): Promise<void>;
  /** Every delivery that fits, newest first, with every attempt. */
  list(filter?: WebhookFilter & { readonly limit?: number }): Promise<WebhookDelivery[]>;
  /** Waits until no attempt is under way; `pending` deliveries wait for a retry. */
  settle(): Promise<{ readonly pending: number }>;
  /** Raises an event about an existing record, or a sample. */
  trigger(event: {
    readonly eventType: EventType;
    readonly partnerId?: string;
    readonly resourceId?: string;
    /** Members of its data to tell otherwise. */
    readonly data?: Readonly<Record<string, unknown>>;
  }): Promise<WebhookDelivery | NotDelivered>;
  /** Retries a failed delivery at once. */
  retry(id: string): Promise<WebhookDelivery>;
  /** A partner's configuration, the first partner's unless another is named. */
  config(partnerId?: string): Promise<WebhookConfig>;
  /** Changes a partner's configuration under the rules of the partner's own operation; what is left out stays. */
  configure(change: Partial<WebhookConfig>, partnerId?: string): Promise<WebhookConfig>;
}

/** Faults of webhook deliveries. */
export interface WebhookFaultControl {
  /** Bends coming deliveries. */
  add(fault: {
    readonly kind: WebhookFaultKind;
    readonly eventType?: EventType;
    readonly times?: number;
    readonly delayMs?: number;
  }): Promise<WebhookFault>;
  /** The faults that bend deliveries. */
  list(): Promise<WebhookFault[]>;
  /** Ends all of them. */
  clear(): Promise<void>;
}

/** Webhooks as a test looks at them. */
export function webhookControl(call: Call): WebhookControl {
  const list: WebhookControl['list'] = (filter = {}) => call('GET', '/deliveries', { query: filter });
  const settle: WebhookControl['settle'] = () => call('POST', '/deliveries/settle');
  return {
    list,
    settle,
    wait: (filter = {}) => call('POST', '/wait', { body: filter }),
    async expectNone({ after, ...filter } = {}) {
      await settle();
      const all = await list(filter);
      const known = all.findIndex(({ id }) => id === after?.id);
      const came = known === -1 ? all : all.slice(0, known);
      if (came.length > 0) throw new Error(unexpected(filter, came));
    },
    trigger: event => call('POST', '/events', { body: event }),
    retry: id => call('POST', `/deliveries/${encodeURIComponent(id)}/retry`),
    config: partnerId => call('GET', '/webhooks/config', { query: { partnerId } }),
    configure: (change, partnerId) =>
      call('PATCH', '/webhooks/config', { query: { partnerId }, body: change }),
  };
}

/** Webhook faults as a test sets them. */
export function webhookFaultControl(call: Call): WebhookFaultControl {
  return {
    add: fault => call('POST', '/webhook-faults', { body: fault }),
    list: () => call('GET', '/webhook-faults'),
    clear: () => call('DELETE', '/webhook-faults'),
  };
}

function unexpected(filter: WebhookFilter, came: readonly WebhookDelivery[]): string {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const words = wanted.map(([name, value]) => `${name} ${value}`).join(', ');
  const lines = came.toReversed().map(({ id, eventType, status, resourceId, createdAt, cause }) => {
    const why = cause === null ? '' : ` (${cause})`;
    return `  ${createdAt} ${eventType} about ${resourceId}, ${status}${why}: ${id}`;
  });
  const what = words === '' ? 'no webhook' : `no webhook with ${words}`;
  return `expected ${what}, but ${came.length === 1 ? 'this one' : `these ${came.length}`} came:\n${lines.join('\n')}`;
}
