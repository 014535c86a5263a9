import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../../src/core/world/transport.ts';
import { isSigned } from '../../support/receiver.ts';
import { type Assumed, hundredthsIn, USUAL } from './settings.ts';
import type { Delivery, Payment } from './state.ts';

const HOOKS = 'https://hooks.example.com/';

/** The webhook URL of a partner. */
export function webhookUrlOf(partner: number): string {
  return `${HOOKS}${partner}`;
}

/** Whether the receiver accepts a delivery at a time. Depends only on its arguments, so that the model can predict it. */
export function receiverAccepts(
  { partner, type, subject }: Pick<Delivery, 'partner' | 'type' | 'subject'>,
  at: number,
  failurePercent: number,
): boolean {
  return hash(`${partner} ${type} ${subject} ${at}`) % 100 >= failurePercent;
}

/** What an event about a payment says about it. */
export function paymentSubject({ id, status, amount }: Pick<Payment, 'id' | 'status' | 'amount'>): string {
  return `${id} ${status} ${amount}`;
}

/** The event in a webhook body, as the model describes it. Without an envelope, type and time are null. */
export function readEvent(
  text: string,
  assumed: Assumed,
): { readonly type: string | null; readonly subject: string; readonly createdAt: number | null } {
  const body = JSON.parse(text);
  const isAlone = assumed['webhook-envelope'] === 'data';
  const { eventType: type = null, createdAt, data } = isAlone ? { createdAt: null, data: body } : body;
  const subject =
    data.merchant === undefined
      ? (data.id ?? String(hundredthsIn(assumed, data.available)))
      : paymentSubject({ ...data, amount: hundredthsIn(assumed, data.amount) });
  return { type, subject, createdAt: createdAt === null ? null : Date.parse(createdAt) };
}

/**
 * A transport to such receivers. `now` returns the sandbox time. Requests with a wrong signature or label are added to
 * `problems`.
 */
export function receivers(
  failurePercent: () => number,
  now: () => Promise<number>,
  problems: string[],
  assumed: Assumed = USUAL,
): Transport {
  return {
    async send(request: OutgoingWebhook): Promise<AttemptOutcome> {
      const { url, body, headers, timeoutMs } = request;
      const { subject, ...event } = readEvent(body, assumed);
      const type = headers['X-Service-Event'] ?? '';
      if (!isSigned(request)) problems.push(`wrong signature: ${body}`);
      if ((event.type ?? type) !== type) problems.push(`wrong event header: ${body}`);
      if (timeoutMs !== assumed['webhook-timeout']) problems.push(`wrong timeout: ${timeoutMs}`);
      const digits = assumed['signature-timestamp'] === 'seconds' ? 10 : 13;
      const [, timestamp = ''] = /^t=(\d+)/.exec(headers['X-Service-Signature'] ?? '') ?? [];
      if (timestamp.length !== digits) problems.push(`wrong time in a signature: ${timestamp}`);
      const partner = Number(url.slice(HOOKS.length));
      const isAccepted = receiverAccepts({ type, subject, partner }, await now(), failurePercent());
      const cause = isAccepted ? null : 'answered 500';
      return { url, status: isAccepted ? 200 : 500, body: 'thanks', cause, durationMs: 0 };
    },
    close: () => undefined,
  };
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  }
  value = Math.imul(value ^ (value >>> 15), 2_246_822_507);
  return (value ^ (value >>> 13)) >>> 0;
}
