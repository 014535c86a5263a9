import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../../src/kernel/world/transport.ts';
import { isSigned } from '../../support/receiver.ts';
import type { Delivery, Payment } from './state.ts';

const HOOKS = 'https://hooks.example.com/';

/** The webhook URL of a partner. */
export function webhookUrlOf(partner: number): string {
  return `${HOOKS}${partner}`;
}

/** Whether the receiver accepts a delivery at a time. Depends only on its arguments, so that the model can predict it. */
export function receiverAccepts(
  { partner, type, subject, createdAt }: Pick<Delivery, 'partner' | 'type' | 'subject' | 'createdAt'>,
  at: number,
  failurePercent: number,
): boolean {
  return hash(`${partner} ${type} ${subject} ${createdAt} ${at}`) % 100 >= failurePercent;
}

/** What an event about a payment says about it. */
export function paymentSubject({ id, status, amount }: Pick<Payment, 'id' | 'status' | 'amount'>): string {
  return `${id} ${status} ${amount}`;
}

/** The event in a webhook body, as the model describes it. */
export function readEvent(text: string): Pick<Delivery, 'type' | 'subject' | 'createdAt'> {
  const { eventType: type, createdAt, data } = JSON.parse(text);
  const subject =
    data.merchant === undefined
      ? (data.id ?? String(Math.round(data.available * 100)))
      : paymentSubject({ ...data, amount: Math.round(data.amount * 100) });
  return { type, subject, createdAt: Date.parse(createdAt) };
}

/**
 * A transport to such receivers. `now` returns the sandbox time. Requests with a wrong signature or label are added to
 * `problems`.
 */
export function receivers(
  failurePercent: () => number,
  now: () => Promise<number>,
  problems: string[],
): Transport {
  return {
    async send(request: OutgoingWebhook): Promise<AttemptOutcome> {
      const { url, body, headers } = request;
      const event = readEvent(body);
      if (!isSigned(request)) problems.push(`wrong signature: ${body}`);
      if (headers['X-Service-Event'] !== event.type) problems.push(`wrong event header: ${body}`);
      const partner = Number(url.slice(HOOKS.length));
      const isAccepted = receiverAccepts({ ...event, partner }, await now(), failurePercent());
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
