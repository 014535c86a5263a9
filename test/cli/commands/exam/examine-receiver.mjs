// Starts a receiver, creates a cardholder with a client that retries, and waits until its webhooks are delivered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const { CARD_SANDBOX_URL: url, SERVICE_BASE_URL: base, SERVICE_API_KEY: key } = process.env;
const [, , command, ...args] = process.argv;
const receiver = spawn(command, args, {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
while (!/receiving on \S+\n/.test(printed)) printed += (await once(receiver.stdout, 'data'))[0];
const [, webhookUrl] = /receiving on (\S+)\n/.exec(printed);

async function call(method, path, body, left = 5) {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) }).catch(
    () => null,
  );
  if (response !== null && response.status < 500 && response.status !== 429) return response.status;
  if (left === 0) throw new Error(`gave up ${method} ${path}`);
  await new Promise(resolve => setTimeout(resolve, response?.status === 429 ? 1_000 : 20));
  return call(method, path, body, left - 1);
}

const webhookSecret = process.env.SERVICE_WEBHOOK_SECRET;
const subscribedEvents = ['cardholder.created'];
await call('PATCH', '/partner/webhooks/config', { webhookUrl, webhookSecret, subscribedEvents });
// A repeated request is refused, because its token is used; the cardholder is there all the same.
await call('POST', '/partner/cardholders', {
  ...{ externalUserId: 'user_1', email: 'one@example.com', phoneNumber: '+4915123456789' },
  ...{ kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_one' },
});
const headers = { 'content-type': 'application/json' };
const filter = { eventType: 'cardholder.created', status: 'delivered', timeoutMs: 10_000 };
const waited = await fetch(`${url}/_sandbox/wait`, { method: 'POST', headers, body: JSON.stringify(filter) });
receiver.kill();
if (!waited.ok) throw new Error(`not delivered: ${await waited.text()}`);
