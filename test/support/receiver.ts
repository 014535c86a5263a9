import { createHmac } from 'node:crypto';
import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../src/kernel/world/transport.ts';
import type { Json, TestSandbox } from './sandbox.ts';

/** The secret that `subscribe` sets. */
export const SECRET = 'a-secret-of-more-than-16';
/** Where `subscribe` has events sent. */
export const HOOKS = 'https://hooks.example.com/events';

/** How a receiver answers: a status, or why there is none. */
type Verdict = number | string;

/** A request as a receiver saw it. */
export interface Seen extends OutgoingWebhook {
  /** The body, parsed. */
  readonly event: Json;
}

/** Stands in for the network: notes what is sent and answers as `respond` says. */
export function fakeReceiver(
  respond: (request: Seen, count: number) => Verdict | Promise<Verdict> = () => 200,
) {
  const seen: Seen[] = [];
  const transport: Transport = {
    async send(request) {
      const noted = { ...request, event: JSON.parse(request.body) };
      seen.push(noted);
      const verdict = await respond(noted, seen.length);
      const { url } = request;
      const none: AttemptOutcome = { url, status: null, body: null, cause: String(verdict), durationMs: 1 };
      if (typeof verdict === 'string') return none;
      const cause = verdict >= 200 && verdict < 300 ? null : `answered ${verdict}`;
      return { ...none, status: verdict, body: 'thanks', cause };
    },
    close: () => undefined,
  };
  return { transport, seen };
}

/** Configures webhooks of Acme: all types unless named. */
export function subscribe(
  { api }: TestSandbox,
  subscribedEvents: readonly string[] = ALL_TYPES,
): Promise<unknown> {
  return api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents,
  });
}

/** The twelve event types of interface section 6.1. */
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

/** Whether a request is signed as interface section 6.2 says, worked out by itself. */
export function isSigned({ headers, body }: OutgoingWebhook, secret = SECRET): boolean {
  const [, timestamp, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['X-Service-Signature'] ?? '') ?? [];
  return hmac === createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
}
