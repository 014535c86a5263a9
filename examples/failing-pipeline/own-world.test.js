// A world of the sandbox of `exec` for this file: the receiver answers 500 to every webhook.
import { createServer } from 'node:http';
import { sandboxTest } from 'card-sandbox/vitest';
import { expect } from 'vitest';

const test = sandboxTest({ connect: {}, freeze: true });

test('a top-up is announced', async ({ sandbox }) => {
  const receiver = createServer((_, response) => response.writeHead(500).end('cannot store the event'));
  await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve));
  try {
    await sandbox.webhooks.forward({ url: `http://127.0.0.1:${receiver.address().port}/webhooks` });
    await sandbox.simulate.topUp({ amount: 250 });
    await sandbox.webhooks.settle();
    const [delivery] = await sandbox.webhooks.list({ eventType: 'balance.top_up' });
    expect(delivery?.status).toBe('delivered');
  } finally {
    receiver.close();
  }
});
