// A script with assertions, without a test runner. The server is in this process, on a port.
const assert = require('node:assert/strict');
const http = require('node:http');
const { promisify } = require('node:util');
const { startServer } = require('card-sandbox');
const { createLegacy } = require('./legacy.cjs');

async function main() {
  const secret = 'the-secret-of-the-legacy-app';
  const sandbox = await startServer({ port: 0, allowHttpWebhooks: true });
  const app = createLegacy({ baseUrl: sandbox.baseUrl, readKey: () => sandbox.apiKey, secret });
  const server = http.createServer(app.webhook);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  await sandbox.webhooks.configure({
    webhookUrl: `http://127.0.0.1:${server.address().port}/`,
    webhookSecret: secret,
    subscribedEvents: ['card.status.changed'],
  });
  const order = promisify(app.order);
  const freeze = promisify(app.freeze);
  const customer = async () => {
    const { token } = await sandbox.mintShareToken();
    const name = `customer-${token.slice(-8)}`;
    const { id } = await sandbox.api.cardholders.create({
      externalUserId: name,
      email: `${name}@example.com`,
      phoneNumber: '+4915123456789',
      kycSource: 'idp1',
      idp1ShareToken: token,
    });
    await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
    await sandbox.kyc.approve(id);
    return id;
  };
  const shows = async (person, status) => {
    for (const end = Date.now() + 20000; person.status !== status && Date.now() < end; ) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.equal(person.status, status);
  };

  const anna = await order(await customer());
  assert.equal(anna.status, 'active', 'a customer gets an active card');
  assert.equal(anna.nameOnCard, anna.name, 'the card has the name of the customer');

  await freeze(anna);
  assert.equal(anna.status, 'frozen', 'the app freezes a card');

  const boris = await order(await customer());
  await sandbox.api.cards.freeze(boris.cardId);
  await shows(boris, 'frozen');

  const suspended = await customer();
  await sandbox.cardholders.setStatus(suspended, 'suspended');
  assert.equal((await order(suspended)).status, 'refused', 'a suspended customer gets no card');

  server.close();
  server.closeAllConnections();
  await sandbox.close();
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
