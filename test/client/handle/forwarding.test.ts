import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

test('the handle forwards webhooks and sends one once more', async () => {
  const ids: string[] = [];
  await using sandbox = createSandbox({
    fixtures: ['empty'],
    webhookReceiver: async request => {
      const { id }: { id: string } = JSON.parse(await request.text());
      ids.push(id);
      return new Response();
    },
  });
  const url = 'https://app.test/webhooks';
  expect(await sandbox.webhooks.forward({ url })).toMatchObject({ url, allowHttp: false });
  expect(await sandbox.webhooks.forwarding()).toMatchObject({ url });
  await sandbox.webhooks.trigger({ eventType: 'card.issued' });
  const { id, attempts } = await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  expect(attempts[0]?.redelivery).toBeUndefined();
  const again = await sandbox.webhooks.redeliver(id);
  expect(again.attempts.map(each => each.redelivery)).toEqual([undefined, true]);
  expect(ids).toEqual([id, id]);
});
