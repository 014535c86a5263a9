import { createHmac } from 'node:crypto';
import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../src/core/world/transport.ts';
import type { Json } from './sandbox.ts';

/** The secret that `subscribe` sets. */
export const SECRET = 'a-secret-of-more-than-16';
/** The webhook URL that `subscribe` sets. */
export const HOOKS = 'https://hooks.example.com/events';

/** The result of a request to a receiver: a status, or the cause of its absence. */
type Outcome = number | string;

/** A request that a receiver got. */
export interface ReceivedWebhook extends OutgoingWebhook {
  /** The body, parsed. */
  readonly event: Json;
}

/** A transport that records requests and responds as `respond` returns. */
export function fakeReceiver(
  respond: (request: ReceivedWebhook, count: number) => Outcome | Promise<Outcome> = () => 200,
) {
  const seen: ReceivedWebhook[] = [];
  const transport: Transport = {
    async send(request) {
      const received = { ...request, event: JSON.parse(request.body) };
      seen.push(received);
      const outcome = await respond(received, seen.length);
      const { url } = request;
      const failed: AttemptOutcome = { url, status: null, body: null, cause: String(outcome), durationMs: 1 };
      if (typeof outcome === 'string') return failed;
      const cause = outcome >= 200 && outcome < 300 ? null : `answered ${outcome}`;
      return { ...failed, status: outcome, body: 'thanks', cause };
    },
    close: () => undefined,
  };
  return { transport, seen };
}

/** Configures the webhooks of Acme, by default for all event types. */
export async function subscribe(
  { api }: { api(method: string, path: string, body: unknown): unknown },
  subscribedEvents: readonly string[] = ALL_TYPES,
): Promise<unknown> {
  return api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents,
  });
}

/** The event types of interface section 6.1, independent of the source. */
export const ALL_TYPES = [
  'card.transaction',
  'card.issued',
  'card.status.changed',
  'card.3ds_otp',
  'cardholder.kyc.updated',
  'cardholder.approved',
  'cardholder.created',
  'balance.low',
  'balance.alert',
  'balance.top_up',
  'kyc_session.completed',
  'kyc_session.failed',
];

/** Whether a request is signed as interface section 6.2 specifies, computed independently of the source. */
export function isSigned({ headers, body }: OutgoingWebhook, secret = SECRET): boolean {
  const [, timestamp, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['X-Service-Signature'] ?? '') ?? [];
  return hmac === createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
}
