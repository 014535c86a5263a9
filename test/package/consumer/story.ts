// A program that uses the installed package: all its entry points, and everything that only fails when installed. It is
// compiled under strict, and run by every supported version of Node.js.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  connect,
  createSandbox,
  defineFixture,
  OptionError,
  type Sandbox,
  startServer,
  verifyWebhook,
  type WebhookDelivery,
} from 'card-sandbox';

const SECRET = 'a-secret-of-more-than-16';

/** Receives webhooks, and keeps the last one. */
const receiver = createServer(async (request, response) => {
  const body = await text(request);
  const { 'x-service-signature': signature } = request.headers;
  received.push({ body, signature: typeof signature === 'string' ? signature : undefined });
  response.end();
});
const received: { body: string; signature: string | undefined }[] = [];

/** Makes a sandbox send a webhook over the network. */
async function sendsWebhooks(sandbox: Sandbox): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const webhookUrl = `http://127.0.0.1:${port}/hooks`;
  await sandbox.webhooks.configure({
    webhookUrl,
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 5 });
  const delivery: WebhookDelivery = await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  const last = received.at(-1);
  assert.equal(JSON.parse(last?.body ?? '').id, delivery.id);
  assert.equal(verifyWebhook(last?.body ?? '', last?.signature, SECRET).valid, true);
}

/** Requests each kind of path that a server serves. */
async function asks({ url, apiKey }: Sandbox): Promise<void> {
  const get = (path: string) => fetch(url + path, { headers: { 'x-service-api-key': apiKey } });
  assert.equal((await get('/v1/partner/cardholders')).status, 200);
  assert.match(await (await get('/openapi.json')).text(), /"openapi": ?"3\.1/);
  const page = await (await get('/dashboard')).text();
  const asset = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
  assert.equal((await get(asset)).headers.get('content-type'), 'text/javascript; charset=utf-8');
}

async function inProcess(): Promise<void> {
  const crowd = defineFixture(async ({ cardholders, faker }) => {
    await cardholders.createMany(3, () => ({ firstName: faker.person.firstName(), kycStatus: 'approved' }));
  });
  await using sandbox = createSandbox({ fixtures: ['empty', crowd], allowHttpWebhooks: true });
  await sandbox.ready;
  const headers = { 'x-service-api-key': sandbox.apiKey };
  const list = await sandbox.fetch('/v1/partner/cardholders', { headers });
  assert.equal(((await list.json()) as { total: number }).total, 3);
  const before = await sandbox.clock.now();
  await sandbox.clock.advance('24h');
  assert.equal(Date.parse(await sandbox.clock.now()) - Date.parse(before), 24 * 60 * 60 * 1_000);
  assert.throws(() => createSandbox({ seed: -1 }), OptionError);
}

async function served(): Promise<void> {
  await using sandbox = await startServer({ allowHttpWebhooks: true });
  await sendsWebhooks(sandbox);
  await asks(sandbox);
}

/** Makes a process print each connection to another machine: the sandbox must make none. */
const WATCHED = `data:text/javascript,
  import { Socket } from 'node:net';
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    const { host } = args.flat()[0];
    if (host !== undefined && host !== '127.0.0.1') console.error('connects to ' + host);
    return connect.apply(this, args);
  };`;

/** Runs the installed command as `npx card-sandbox start` does. */
async function fromTheCommandLine(): Promise<void> {
  const program = 'node_modules/card-sandbox/bin/card-sandbox.js';
  const args = ['--import', WATCHED, program, 'start', '--port', '0', '--json', '--allow-http-webhooks'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, 'line')) as [string];
    await using sandbox = await connect({ url: (JSON.parse(first) as { url: string }).url });
    await asks(sandbox);
    await sendsWebhooks(sandbox);
    child.kill();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Uses `require`, as test runners that compile to CommonJS do. */
function required(): void {
  const exported = createRequire(import.meta.url)('card-sandbox') as Record<string, unknown>;
  assert.equal(exported.createSandbox, createSandbox);
}

receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
await inProcess();
await served();
await fromTheCommandLine();
required();
receiver.close();
console.log(`story complete on ${process.version}`);
