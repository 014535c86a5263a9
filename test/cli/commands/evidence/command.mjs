// A command that uses its sandbox over HTTP, a world of it, a partner of its own and a sandbox in its process.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const { createSandbox } = await import(process.env.CARD_SANDBOX_INDEX);
const { CARD_SANDBOX_URL, SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const secret = 'hunter2-secret-hunter2';

const call = async (method, path, body, key = SERVICE_API_KEY) => {
  const headers = { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(SERVICE_BASE_URL + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  if (response.status >= 500 && process.env.NAIVE) return call(method, path, body, key);
  return { status: response.status, body: await response.json().catch(() => null) };
};
const control = async (method, path, body) => {
  const init = {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  };
  return (await fetch(`${CARD_SANDBOX_URL}/_sandbox${path}`, init)).json().catch(() => null);
};

const received = [];
const receiver = createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  const [, time, given] = /^t=(\d+),v1=(\w+)$/.exec(request.headers['x-service-signature'] ?? '') ?? [];
  const isGenuine = given === createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const isRefused = !isGenuine && !process.env.CREDULOUS;
  if (!isRefused) received.push(JSON.parse(body).eventType);
  response.writeHead(isRefused ? 401 : 200).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');

const webhookUrl = `http://127.0.0.1:${receiver.address().port}/hooks`;
await call('PATCH', '/partner/webhooks/config', {
  ...{ webhookUrl, webhookSecret: secret },
  subscribedEvents: ['cardholder.created', 'cardholder.approved'],
});
const person = {
  ...{ externalUserId: 'user-1', email: 'ana@example.com', phoneNumber: '+4915123456789' },
  ...{ kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_ana' },
};
const { status, body: created } = await call('POST', '/partner/cardholders', person);
const programs = await call('GET', '/partner/card-programs');
await call('POST', `/partner/cardholders/${created?.id}/kyc`, { cardProgramId: programs.body.data[0].id });
await control('POST', '/clock/advance', { duration: '3s' });
await call('GET', `/partner/cardholders/${created?.id}`);
const other = await control('POST', '/partners', { name: 'Other' });
await call('GET', '/partner/balance', undefined, other.apiKey);
const world = await control('POST', '/worlds', {});
await call('GET', '/partner/cards', undefined, world.partners[0].apiKey);
await control('DELETE', `/worlds/${world.id}`);
const sandbox = createSandbox();
await sandbox.api.cardholders.list();
await control('POST', '/rewind', { steps: 1 });
await call('GET', '/partner/usage/records');
receiver.close();
receiver.closeAllConnections();
console.log(process.cwd(), CARD_SANDBOX_URL, other.apiKey, secret);
process.exitCode = status === 201 && received.length >= 2 && !process.env.FAILS ? 0 : 1;
