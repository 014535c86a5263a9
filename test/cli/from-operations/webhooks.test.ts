import { expect, test } from 'vitest';
import { answerOf, receive } from '../../sandbox/transport/receiver.ts';
import { startHere } from '../../support/cli-in-process.ts';
import { startCli, startProcess } from '../../support/cli-process.ts';
import { SECRET } from '../../support/receiver.ts';
import { newCardholder } from '../../support/sandbox.ts';

const config = { webhookSecret: SECRET, subscribedEvents: ['cardholder.created'] };

test('the built command sends webhooks to where its flags say, and the built package verifies them', async () => {
  const { url, requests } = await receive(socket => socket.write(answerOf(200)));
  const sandbox = await startCli(['--forward-to', url]);
  const webhookUrl = 'https://hooks.example.com/events';
  await sandbox.ask('PATCH', '/v1/partner/webhooks/config', { ...config, webhookUrl });
  await sandbox.ask('POST', '/v1/partner/cardholders', newCardholder());
  await expect.poll(() => requests.length).toBe(1);
  const [head = '', body = ''] = requests[0]?.split('\r\n\r\n') ?? [];
  const signature = /^x-service-signature: (.*)$/im.exec(head)?.[1]?.trim();
  const script = `import { verifyWebhook } from 'card-sandbox';
    console.log(JSON.stringify(verifyWebhook(...${JSON.stringify([body, signature, SECRET])})));`;
  const verifying = startProcess(process.execPath, ['--input-type=module', '-e', script]);
  await verifying.ended;
  expect(verifying.stderr()).toBe('');
  expect(JSON.parse(verifying.stdout())).toEqual({ valid: true, timestamp: expect.any(Number) });
});

test('a webhook in flight does not delay a stop', async () => {
  const hanging = await receive(() => {});
  const sandbox = await startHere(['--allow-http-webhooks', '--assume', 'webhook-timeout=60s']);
  await sandbox.ask('PATCH', '/v1/partner/webhooks/config', { ...config, webhookUrl: hanging.url });
  await sandbox.ask('POST', '/v1/partner/cardholders', newCardholder());
  await expect.poll(() => hanging.requests.length).toBe(1);
  const startedAt = performance.now();
  expect(await sandbox.stop()).toBe(0);
  // A stop that waited for the webhook would take the 60 s after which the attempt times out.
  expect(performance.now() - startedAt).toBeLessThan(50_000);
  expect(sandbox.stderr()).toBe('');
});
