import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Sandbox, startServer } from '../../../src/index.ts';
import { SECRET } from '../../support/receiver.ts';

const ATTEMPTS = 3_000;

/** Records deliveries whose next attempt is due in a minute. */
async function withRetries(sandbox: Sandbox, webhookUrl: string, count: number): Promise<void> {
  await sandbox.webhooks.configure({ webhookUrl, webhookSecret: SECRET, subscribedEvents: ['card.issued'] });
  await control(sandbox, '/webhook-faults', { kind: 'drop' });
  for (let event = 0; event < count; event++) await control(sandbox, '/events', { eventType: 'card.issued' });
  await control(sandbox, '/deliveries/settle', {});
  await sandbox.fetch('/_sandbox/webhook-faults', { method: 'DELETE' });
}

async function control(sandbox: Sandbox, path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await sandbox.fetch(`/_sandbox${path}`, init);
  expect(response.status).toBeLessThan(300);
}

/** Reads the cards of a sandbox until `work` has ended. Returns how long that took, and the longest of the reads. */
async function probeDuring(probe: () => Promise<unknown>, work: Promise<unknown>) {
  let isWorking = true;
  const startedAt = performance.now();
  const done = work.finally(() => {
    isWorking = false;
  });
  const durations: number[] = [];
  while (isWorking) {
    const probedAt = performance.now();
    await nextTurn();
    await probe();
    durations.push(performance.now() - probedAt);
  }
  await done;
  durations.sort((a, b) => a - b);
  const took = performance.now() - startedAt;
  return { took, longest: durations.at(-1) ?? took, median: durations[durations.length >> 1] ?? took };
}

const cardsOf = (sandbox: Sandbox) => () =>
  sandbox.fetch('/v1/partner/cards', { headers: { 'x-service-api-key': sandbox.apiKey } });

test('a sandbox that advances over thousands of attempts does not hold up the other one', async () => {
  await using busy = createSandbox({ rateLimit: 0, webhookReceiver: () => new Response('ok') });
  await using other = createSandbox({ rateLimit: 0 });
  await withRetries(busy, 'https://hooks.test/', ATTEMPTS);
  const { took, longest, median } = await probeDuring(cardsOf(other), busy.clock.advance('2m'));
  expect(longest).toBeLessThan(took / 3);
  expect(median).toBeLessThan(took / 20);
  expect(await busy.webhooks.list({ status: 'delivered' })).toHaveLength(ATTEMPTS);
});

test('a receiver that hangs for one sandbox of a process delays no webhook of the other one', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/polite') response.end('ok');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const options = { rateLimit: 0, freeze: true, allowHttpWebhooks: true };
  await using busy = await startServer(options);
  await using other = await startServer(options);
  await withRetries(busy, `http://127.0.0.1:${port}/hangs`, 500);
  await withRetries(other, `http://127.0.0.1:${port}/polite`, 20);
  const stuck = busy.clock.advance('2m').catch(error => error);
  await other.clock.advance('2m');
  expect(await other.webhooks.list({ status: 'delivered' })).toHaveLength(20);
  expect(await busy.webhooks.list({ status: 'delivered' })).toHaveLength(0);
  // A reset calls off the attempts in flight.
  await busy.reset();
  expect(await stuck).toMatchObject({ status: 409 });
});
