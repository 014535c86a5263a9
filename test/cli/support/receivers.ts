import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** The secret that all of them verify with. */
export const SECRET = 'a-secret-of-some-length';

/** A delivery as a receiver looks at it. */
export interface Given {
  readonly raw: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Undefined where there is no header. */
  readonly header: string | undefined;
}

/** How a receiver decides: true is 200, false is 401; it may throw, or name a status. */
export type Check = (given: Given) => boolean | number | Promise<boolean | number>;

export const hmac = (timestamp: string, body: string) =>
  createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
export const isFresh = ({ timestamp }: Given) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
export const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The check of a receiver that does everything right. */
export const good: Check = given =>
  isSame(given.signature, hmac(given.timestamp, given.raw)) && isFresh(given);

/** A receiver in this process that decides as the check says; ends with the test. */
export async function receiver(check: Check, { header: name = 'x-service-signature' } = {}): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const value = request.headers[name];
    const header = typeof value === 'string' ? value : undefined;
    const [, timestamp = '', signature = ''] = /^t=([^,]*),v1=(.*)$/.exec(header ?? '') ?? [];
    try {
      const verdict = await check({ raw: Buffer.concat(chunks).toString(), timestamp, signature, header });
      response.writeHead(verdict === true ? 200 : verdict === false ? 401 : verdict).end();
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/webhooks`;
}
