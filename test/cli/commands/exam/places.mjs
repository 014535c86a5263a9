// An integration and its test in one program. PLACE says where it works: in the world that the sandbox starts with, in a
// world of its own made by the package or over plain HTTP, or in a sandbox of its own process. BUGS plants those of the bugs
// below that it names.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const { BUGS = '', PLACE = 'main', PACKAGE, CARD_SANDBOX_URL: url, SERVICE_API_KEY } = process.env;
const planted = BUGS.split(' ');
const has = bug => planted.includes(bug);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const secret = 'a-secret-of-more-than-16';
const post = body => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const processed = new Set();
let welcomes = 0;

/** Handles a webhook. Returns the status of the response. */
function receive(header, body) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  const mac = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  const isGenuine = v1 !== undefined && timingSafeEqual(mac, Buffer.from(v1, 'hex'));
  if (!isGenuine && !(header === null && has('accepts-unsigned'))) return 401;
  if (isGenuine && Math.abs(Date.now() / 1_000 - Number(t)) > 300) return 401;
  const { id, eventType } = JSON.parse(body);
  if (eventType === 'cardholder.created' && (!processed.has(id) || has('processes-twice'))) welcomes += 1;
  processed.add(id);
  return 204;
}

async function openPlace() {
  if (PLACE === 'in-process') {
    const { createSandbox } = await import(PACKAGE);
    const webhookReceiver = async request =>
      new Response(null, {
        status: receive(request.headers.get('x-service-signature'), Buffer.from(await request.arrayBuffer())),
      });
    const sandbox = createSandbox({ webhookReceiver, fixtures: ['empty'] });
    const send = (path, init) => sandbox.fetch(path, init);
    return { send, key: sandbox.apiKey, hooks: 'https://app.test/', close: () => sandbox.close() };
  }
  const receiver = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(receive(request.headers['x-service-signature'] ?? null, Buffer.concat(chunks))).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hooks = `http://127.0.0.1:${receiver.address().port}/`;
  const send = (path, init) => fetch(url + path, init);
  const close = () => receiver.close();
  if (PLACE === 'main') return { send, key: SERVICE_API_KEY, hooks, control: '/_sandbox', close };
  if (PLACE === 'http-world') {
    const created = await fetch(`${url}/_sandbox/worlds`, post({ fixtures: ['empty'] }));
    const { id, partners } = await created.json();
    return { send, key: partners[0].apiKey, hooks, control: `/_sandbox/worlds/${id}`, close };
  }
  const { connect } = await import(PACKAGE);
  const world = await (await connect()).worlds.create({ fixtures: ['empty'] });
  const closeBoth = async () => {
    await world.close();
    receiver.close();
  };
  return { send, key: world.apiKey, hooks, settle: () => world.webhooks.settle(), close: closeBoth };
}

const { send, key, hooks, control = '/_sandbox', settle, close } = await openPlace();

/** Sends a request until it has a response that is not about the service itself. */
async function call(method, path, body, attempt = 1) {
  const mayRetry = attempt <= 4 && !has('gives-up');
  try {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const response = await send(`/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const result = { status: response.status, body: await response.json() };
    if ((response.status < 500 && response.status !== 429) || !mayRetry) return result;
    await pause(1_000 * Number(response.headers.get('retry-after') ?? 0.02));
  } catch (error) {
    if (!mayRetry) throw error;
    await pause(20);
  }
  return call(method, path, body, attempt + 1);
}

function check(condition, message) {
  if (condition) return;
  console.error(`AssertionError: ${message}`);
  process.exit(3);
}

async function list() {
  const first = await call('GET', '/partner/cardholders?page=1');
  const all = [...first.body.data];
  for (let page = 2; all.length < first.body.total && !has('first-page'); page += 1)
    all.push(...(await call('GET', `/partner/cardholders?page=${page}`)).body.data);
  return all;
}

let tokens = 0;
/** Submits the KYC of the user, with a token that is new unless the bug says otherwise. */
async function submit(attempt = 1) {
  const isAgain = tokens > 0;
  if (!(has('sends-used-token') && attempt > 1)) tokens += 1;
  const person = { externalUserId: 'user_1', email: 'one@example.com', phoneNumber: '+4915123456789' };
  const body = { ...person, kycSource: 'idp1', idp1ShareToken: `idp1_test_approve_${tokens}` };
  try {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const response = await send('/v1/partner/cardholders', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (response.status < 500 && response.status !== 429) return { status: response.status, isAgain };
    await pause(1_000 * Number(response.headers.get('retry-after') ?? 0.02));
  } catch {
    await pause(20);
  }
  return attempt > 4 ? { status: 0, isAgain } : submit(attempt + 1);
}

const types = ['cardholder.created', 'card.issued'];
await call('PATCH', '/partner/webhooks/config', {
  webhookUrl: hooks,
  webhookSecret: secret,
  subscribedEvents: types,
});
const created = await submit();
check(
  created.status === 201 || created.status === 200 || created.status === 400,
  `created: ${created.status}`,
);
if (!has('no-reimport')) {
  const corrected = await submit();
  check(corrected.status === 200, `the correction was refused: ${corrected.status}`);
}
const all = await list();
const mine = all.find(each => each.externalUserId === 'user_1');
check(mine !== undefined, 'the cardholder must be on the list');
if (has('expects-phones'))
  check(
    all.every(each => each.phoneNumber.startsWith('+')),
    'a phone',
  );
if (has('short-ids')) check(mine.id.length < 40, 'the id does not fit its column');
if (has('sees-year')) check(!mine.createdAt.startsWith('2028'), 'the year is wrong');
for (let round = 0; welcomes === 0 && round < 500; round++) await pause(20);
await (settle?.() ?? (PLACE === 'in-process' || send(`${control}/deliveries/settle`, { method: 'POST' })));
await pause(50);
check(welcomes === 1, `expected 1 welcome, got ${welcomes}`);
await close();
