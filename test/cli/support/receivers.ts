import { createHmac, timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { listen } from '../../support/listen.ts';

/** The secret of all receivers. */
export const SECRET = 'a-secret-of-some-length';

/** A delivery as a receiver reads it. */
export interface ReceivedDelivery {
  readonly raw: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Undefined when there is no header. */
  readonly header: string | undefined;
}

/** How a receiver responds: true is 200, false is 401, a number is a status, an exception is 500. */
export type Check = (delivery: ReceivedDelivery) => boolean | number | Promise<boolean | number>;

export const hmac = (timestamp: string, body: string) =>
  createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
export const isFresh = ({ timestamp }: ReceivedDelivery) =>
  Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
export const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The check of a correct receiver. */
export const good: Check = delivery =>
  isSame(delivery.signature, hmac(delivery.timestamp, delivery.raw)) && isFresh(delivery);

/** Starts a receiver in this process that responds as the check decides; stops when the test ends. */
export async function receiver(check: Check, { header: name = 'x-service-signature' } = {}): Promise<string> {
  const origin = await listen(async (request, response) => {
    const raw = await text(request);
    const value = request.headers[name];
    const header = typeof value === 'string' ? value : undefined;
    const [, timestamp = '', signature = ''] = /^t=([^,]*),v1=(.*)$/.exec(header ?? '') ?? [];
    try {
      const verdict = await check({ raw, timestamp, signature, header });
      response.writeHead(verdict === true ? 200 : verdict === false ? 401 : verdict).end();
    } catch {
      response.writeHead(500).end();
    }
  });
  return `${origin}/webhooks`;
}
