// A small integration and its test in one program. BUGS plants those of the bugs below that it names.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const {
  SERVICE_BASE_URL: base,
  SERVICE_API_KEY: key,
  SERVICE_WEBHOOK_SECRET: secret,
  CARD_SANDBOX_URL: sandbox,
  BUGS = '',
} = process.env;
const planted = BUGS.split(' ');
const has = bug => planted.includes(bug);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Sends a request until it has a response that is not about the service itself. */
async function call(method, path, body, attempt = 1) {
  const mayRetry = attempt <= 4 && !has('gives-up');
  try {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    const result = { status: response.status, body: await response.json() };
    if (response.status < 500 && response.status !== 429) return result;
    if (!mayRetry) return result;
    await pause(1_000 * Number(response.headers.get('retry-after') ?? 0.02));
  } catch (error) {
    if (!mayRetry) throw error;
    await pause(20);
  }
  return call(method, path, body, attempt + 1);
}

function isGenuine(header, body) {
  if (header === undefined && has('accepts-unsigned')) return true;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (t === undefined) return false;
  if (Math.abs(Date.now() / 1_000 - Number(t)) > 300 && !has('accepts-old')) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(expected), Buffer.from(v1));
}

const processed = new Set();
let welcomes = 0;
let hasRefused = false;
const receiver = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers['x-service-signature'], body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  if (has('strict-events') && Object.keys(event).length > 4) {
    hasRefused = true;
    return response.writeHead(422).end();
  }
  const isRepeated = processed.has(event.id);
  processed.add(event.id);
  if (event.eventType === 'cardholder.created' && (!isRepeated || has('processes-twice'))) welcomes += 1;
  response.writeHead(204).end();
});
await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve));

function check(condition, message) {
  if (!condition) {
    console.error(`AssertionError: ${message}`);
    process.exit(3);
  }
}

await call('PATCH', '/partner/webhooks/config', {
  webhookUrl: `http://127.0.0.1:${receiver.address().port}/hooks`,
  webhookSecret: secret,
  subscribedEvents: ['cardholder.created'],
});
const person = { externalUserId: 'user_1', email: 'one@example.com', phoneNumber: '+4915123456789' };
const created = await call('POST', '/partner/cardholders', {
  ...{ ...person, kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_one' },
});
if (has('blind-create')) check(created.status === 201, `creating the cardholder returned ${created.status}`);
// A lost response leaves a cardholder behind, and a share token that is used.
const found = await call('GET', '/partner/cardholders?externalUserId=user_1');
check(found.body.data?.length === 1, 'there must be one cardholder');
if (has('first-page')) {
  const all = await call('GET', '/partner/cardholders');
  check(
    all.body.data.some(each => each.externalUserId === 'user_1'),
    'the cardholder must be on the list',
  );
}
for (let round = 0; welcomes === 0 && !hasRefused && round < 1_500; round++) await pause(20);
// Until a repeated event has been delivered, too.
await fetch(`${sandbox}/_sandbox/deliveries/settle`, { method: 'POST' });
check(welcomes === 1, `expected 1 welcome, got ${welcomes}`);
receiver.close();
