// Runs below `card-sandbox exec`, which sets the environment.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'card-sandbox';
import { eventually } from './plumbing.js';
import { Wallet } from './wallet.js';

const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET } =
  process.env;
const folder = mkdtempSync(join(tmpdir(), 'wallet-'));
let sandbox;
let wallet;
before(async () => {
  sandbox = await connect({ url: CARD_SANDBOX_URL, world: CARD_SANDBOX_WORLD });
  wallet = new Wallet({
    baseUrl: SERVICE_BASE_URL,
    apiKey: () => SERVICE_API_KEY,
    secret: SERVICE_WEBHOOK_SECRET,
    file: join(folder, 'wallet.json'),
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://wallet.test/webhooks',
    webhookSecret: SERVICE_WEBHOOK_SECRET,
    subscribedEvents: ['card.issued', 'card.status.changed'],
  });
  await sandbox.webhooks.forward({ url: await wallet.listen() });
});
after(() => {
  wallet.close();
  rmSync(folder, { recursive: true });
});

async function activeCard() {
  const { id } = await sandbox.simulate.card();
  await wallet.add(id);
  return id;
}
const shows = (id, status) => eventually(() => assert.equal(wallet.status(id), status));
const notices = (id, expected) =>
  eventually(() =>
    assert.deepEqual(wallet.notices(id).sort(), expected.map(status => `${id} ${status}`).sort()),
  );

test('a card is frozen and unfrozen', async () => {
  const id = await activeCard();
  await wallet.move(id, 'freeze', 'frozen');
  await shows(id, 'frozen');
  await wallet.move(id, 'unfreeze', 'active');
  await shows(id, 'active');
  await notices(id, ['active', 'active', 'frozen']);
});

test('a cancelled card stays cancelled', async () => {
  const id = await activeCard();
  await wallet.move(id, 'freeze', 'frozen');
  await wallet.move(id, 'cancel', 'cancelled');
  await notices(id, ['active', 'frozen', 'cancelled']);
  await shows(id, 'cancelled');
  await assert.rejects(wallet.move(id, 'unfreeze', 'active'), /400/);
});

test('a card that the issuer freezes is shown as frozen', async () => {
  const id = await activeCard();
  await sandbox.api.cards.freeze(id);
  await shows(id, 'frozen');
});

test('an unsigned webhook is refused', async () => {
  const { port } = wallet.server.address();
  const body = JSON.stringify({ id: 'evt_1', eventType: 'card.status.changed', data: { id: 'card_1' } });
  const headers = { 'x-service-signature': 't=1,v1=00' };
  const response = await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body });
  assert.equal(response.status, 401);
});
