import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../../src/client/verify-webhook.ts';
import { realTime } from '../../../src/core/time/realtime.ts';
import { RandomStream } from '../../../src/core/values/random.ts';
import type { Transport } from '../../../src/core/world/transport.ts';
import { transportWith } from '../../sandbox/transport/receiver.ts';
import { type InProcess, startInProcess } from '../../support/in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { SECRET } from '../../support/receiver.ts';
import type { Json } from '../../support/sandbox.ts';

const EVENTS = size(300, 5_000);
const MOST_ATTEMPTS = 6;
/** Short, so that a hanging receiver does not slow the test down. */
const TIMEOUT_MS = 1_000;
/** Header with the number of an attempt: on a busy machine an attempt may time out before the receiver sees it. */
const ATTEMPT_HEADER = 'x-attempt';

type Verdict = 'taken' | 'reset' | 'redirect' | 'error' | 'hang';

/** How the receiver responds to an attempt: 60 % fail, determined only by the event and the attempt. */
function verdictOn(id: string, attempt: number): Verdict {
  const chance = new RandomStream(7, `${id} ${attempt}`);
  if (chance.next() / 2 ** 32 >= 0.6) return 'taken';
  const kind = chance.next() % 180;
  return kind === 0 ? 'hang' : ((['reset', 'redirect', 'error'] as const)[kind % 3] ?? 'error');
}

function act(verdict: Verdict, response: ServerResponse): void {
  if (verdict === 'taken') response.end('{"ok":true}');
  else if (verdict === 'redirect') response.writeHead(302, { location: '/events' }).end();
  else if (verdict === 'error') response.writeHead(500).end();
  else if (verdict === 'reset') response.socket?.resetAndDestroy();
}

/** A transport that numbers the attempts of each event. */
function numbering(transport: Transport): Transport {
  const made = new Map<string, number>();
  return {
    send(request, signal) {
      const { id } = JSON.parse(request.body);
      const number = (made.get(id) ?? 0) + 1;
      made.set(id, number);
      return transport.send(
        { ...request, headers: { ...request.headers, [ATTEMPT_HEADER]: String(number) } },
        signal,
      );
    },
    close: () => transport.close(),
  };
}

/** A receiver that fails most of the time, and the attempts that it saw of each event. */
async function flakyReceiver() {
  const seen = new Map<string, number[]>();
  const problems: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const signed = verifyWebhook(body, String(request.headers['x-service-signature']), SECRET);
      if (!signed.valid) problems.push(signed.reason);
      const { id } = JSON.parse(body);
      const number = Number(request.headers[ATTEMPT_HEADER]);
      seen.set(id, [...(seen.get(id) ?? []), number]);
      act(verdictOn(id, number), response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, seen, problems };
}

/** Whether an attempt was seen and recorded correctly; on a busy machine any attempt may time out. */
function isCorrect({ status, cause }: Json, verdict: Verdict, timesSeen: number): boolean {
  if (cause?.startsWith('timed out')) return status === null && timesSeen <= 1;
  const statuses = { taken: 200, redirect: 302, error: 500, reset: null, hang: undefined } as const;
  return status === statuses[verdict] && timesSeen === 1;
}

async function subscribed(sandbox: InProcess, webhookUrl: string): Promise<void> {
  const config = { webhookUrl, webhookSecret: SECRET, subscribedEvents: ['card.issued'] };
  expect(sandbox.api('PATCH', '/partner/webhooks/config', config).status).toBe(200);
}

test(
  'thousands of deliveries to a receiver that fails most of the time end exactly as it responded',
  async context => {
    const receiver = await flakyReceiver();
    const transport = numbering(transportWith({ timeoutMs: TIMEOUT_MS }));
    const sandbox = startInProcess({ retrySpeed: 1, allowHttpWebhooks: true }, { transport, realTime });
    await subscribed(sandbox, receiver.url);
    for (let count = 0; count < EVENTS; count++) {
      await sandbox.control('POST', '/events', { eventType: 'card.issued' });
    }
    await sandbox.control('POST', '/clock/advance', { duration: '2d' });

    expect(receiver.problems).toEqual([]);
    const { body: deliveries } = await sandbox.control('GET', '/deliveries');
    expect(deliveries).toHaveLength(EVENTS);
    let failed = 0;
    for (const { id, status, attempts } of deliveries) {
      const seen = receiver.seen.get(id) ?? [];
      for (const [index, attempt] of attempts.entries()) {
        const timesSeen = seen.filter(number => number === index + 1).length;
        expect([attempt, isCorrect(attempt, verdictOn(id, index + 1), timesSeen)]).toEqual([attempt, true]);
      }
      expect(Math.max(0, ...seen)).toBeLessThanOrEqual(attempts.length);
      const isDelivered = attempts.at(-1).status === 200;
      expect([status, isDelivered || attempts.length === MOST_ATTEMPTS]).toEqual([
        isDelivered ? 'delivered' : 'failed',
        true,
      ]);
      if (!isDelivered) failed += 1;
    }
    // 0.6 to the power of 6 are expected to fail; far fewer would mean that the receiver does not fail as intended.
    expect(failed).toBeGreaterThan(EVENTS * 0.03);
    recordResult(
      context,
      `${EVENTS} events over HTTP, ${failed} failed permanently, each as its receiver responded`,
    );
  },
  PROOF_TIMEOUT_MS,
);
