import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSandbox, defineFixture, RefusedError, startServer } from 'card-sandbox';
import { handlers } from 'card-sandbox/msw';
import { setupServer } from 'msw/node';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

test('the sandbox runs in process', async () => {
  const { id } = await sandbox.simulate.card();
  expect(await sandbox.simulate.authorize({ cardId: id, amount: 9.5 })).toMatchObject({
    status: 'authorized',
  });
  await sandbox.clock.advance('24h');
  await expect(sandbox.api.cards.get('none')).rejects.toBeInstanceOf(RefusedError);
});

test('MSW passes the requests of the app to the sandbox', async () => {
  const server = setupServer(...handlers(sandbox, { baseUrl: 'https://api.issuer.test/v1' }));
  server.listen({ onUnhandledRequest: 'error' });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  const response = await fetch('https://api.issuer.test/v1/partner/cards?limit=1', { headers });
  server.close();
  expect(await response.json()).toMatchObject({ page: 1, limit: 1 });
});

test('a fixture in code is built', async () => {
  const people = defineFixture(async ({ cardholders, faker }) => {
    await cardholders.createMany(3, () => ({ firstName: faker.person.firstName() }));
  });
  const other = createSandbox({ fixtures: ['empty', people] });
  await other.ready;
  expect(await other.api.cardholders.list()).toMatchObject({ total: 3 });
  await other.close();
});

test('a server sends webhooks and serves the dashboard', async () => {
  const receiver = createServer((_request, response) => response.end());
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const server = await startServer({ port: 0, allowHttpWebhooks: true });
  await server.webhooks.configure({
    webhookUrl: `http://127.0.0.1:${port}/hooks`,
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['balance.top_up'],
  });
  await server.simulate.topUp({ amount: 5 });
  await server.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  expect(await (await fetch(`${server.url}/dashboard`)).text()).toContain('assets');
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});
