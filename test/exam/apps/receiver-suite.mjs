// Tests a receiver of examples/receivers: node receiver-suite.mjs COMMAND. Each genuine webhook is handled exactly once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const APP = process.env.SAMPLE_APP;
const { Client } = await import(`${APP}/client.js`);
const { onboard } = await import(`${APP}/onboarding.js`);
const { Store } = await import(`${APP}/store.js`);
const { HANDLED_EVENTS } = await import(`${APP}/webhooks.js`);
const sandbox = await import(`${APP}/sandbox.js`);

const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET } =
  process.env;
const DEADLINE_MS = 10_000;
const [program, ...args] = process.argv.slice(2);
const receiver = spawn(program, args, {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const handled = [];

try {
  const webhookUrl = await new Promise((resolve, reject) => {
    receiver.once('error', reject);
    receiver.once('exit', code => reject(new Error(`the receiver ended with exit code ${code}`)));
    createInterface({ input: receiver.stdout }).on('line', line => {
      const [verb, ...words] = line.split(' ');
      if (verb === 'receiving') resolve(words.at(-1));
      if (verb === 'handled') handled.push(words.at(-1));
    });
  });
  const client = new Client(SERVICE_BASE_URL, () => SERVICE_API_KEY);
  const config = { webhookUrl, webhookSecret: SERVICE_WEBHOOK_SECRET, subscribedEvents: HANDLED_EVENTS };
  await client.write('PATCH', '/partner/webhooks/config', config, async () => null);
  const isVirtual = each => each.type === 'virtual';
  const user = await onboard({
    ...{
      client,
      store: new Store(),
      userId: 'user-1',
      email: 'ada@example.com',
      phoneNumber: '+4915123456789',
    },
    shareToken: 'idp1_test_approve_ada',
    programId: (await client.find('/partner/card-programs', {}, isVirtual)).id,
    pause: () => sandbox.advance('2s'),
  });
  await sandbox.settle((await sandbox.purchase(user.cardId, 20)).id);
  await sandbox.allDelivered();

  const response = await fetch(
    `${CARD_SANDBOX_URL}/_sandbox/worlds/${CARD_SANDBOX_WORLD}/deliveries?limit=100`,
  );
  const sent = (await response.json()).map(({ id }) => id);
  assert.ok(sent.length >= 7, `${sent.length} webhooks were sent`);
  // The receivers acknowledge first and process later.
  const deadline = Date.now() + DEADLINE_MS;
  while (!sent.every(id => handled.includes(id)) && Date.now() < deadline) await sleep(10);
  for (const id of sent)
    assert.equal(handled.filter(each => each === id).length, 1, `${id} was not handled once`);
} finally {
  receiver.kill();
}
