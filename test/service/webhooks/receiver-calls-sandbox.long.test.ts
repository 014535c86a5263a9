import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { transportWith } from '../../sandbox/transport/receiver.ts';
import { createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { SECRET } from '../../support/receiver.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** Much longer than the 2.5 s for which an advance waits for a receiver that may have requested it. */
const TIMEOUT_MS = 7_500;

/** A sandbox, and a receiver that calls it before it responds. */
async function receiverThatCalls(call: (sandbox: TestSandbox) => Promise<{ status: number }>) {
  const statuses: number[] = [];
  const sandbox = await startSandbox(
    { allowHttpWebhooks: true },
    { transport: transportWith({ timeoutMs: TIMEOUT_MS }) },
  );
  const server = createServer(async (_, response) => {
    statuses.push((await call(sandbox)).status);
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await sandbox.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: `http://127.0.0.1:${port}/`,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created', 'cardholder.kyc.updated'],
  });
  const deliveries = async () => {
    await sandbox.control('POST', '/deliveries/settle');
    return (await sandbox.control('GET', '/deliveries')).body;
  };
  return { sandbox, statuses, deliveries };
}

const advance = ({ control }: TestSandbox) => control('POST', '/clock/advance', { duration: '1h' });

test('a receiver that advances the clock before it responds delays only its own delivery', async () => {
  const { sandbox, statuses } = await receiverThatCalls(advance);
  await createCardholder(sandbox);
  // The first attempt times out; its advance then reaches the retry, whose own advance is refused.
  const delivery = await sandbox.control('POST', '/wait', { status: 'delivered', timeoutMs: 50_000 });
  expect(delivery).toMatchObject({ status: 200, body: { attemptCount: 2 } });
  expect((await advance(sandbox)).status).toBe(200);
  expect(statuses).toEqual([409, 200]);
});

test('an advance requested by a receiver during an advance is refused, and the first one continues', async () => {
  const { sandbox, statuses, deliveries } = await receiverThatCalls(advance);
  await sandbox.api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['cardholder.kyc.updated'] });
  await createSubmittedCardholder(sandbox);
  const advanced = await advance(sandbox);
  expect(advanced).toMatchObject({ status: 200, body: { now: '2026-03-15T11:00:00.000Z' } });
  expect(statuses).toEqual([409]);
  expect(await deliveries()).toMatchObject([{ status: 'delivered', attemptCount: 1 }]);
});

test('a receiver may make any other request before it responds', async () => {
  const { sandbox, statuses, deliveries } = await receiverThatCalls(({ control }) =>
    control('GET', '/clock'),
  );
  await createCardholder(sandbox);
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }]);
  expect(statuses).toEqual([200]);
});
