// Where the tests of an app work. PLACE says it: in the world that the sandbox starts with, in a world of their own, made
// by the package or over plain HTTP, or in a sandbox of their own process. BUGS names the bugs that are planted.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const { BUGS = '', PLACE = 'main', PACKAGE, CARD_SANDBOX_URL: url, SERVICE_API_KEY } = process.env;

export const has = bug => BUGS.split(' ').includes(bug);
export const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
export const secret = 'a-secret-of-more-than-16';

export function check(condition, message) {
  if (condition) return;
  console.error(`AssertionError: ${message}`);
  process.exit(3);
}

/** Whether a header is the signature of a body, not older than five minutes. */
export function isGenuine(header, body) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (v1 === undefined || Math.abs(Date.now() / 1_000 - Number(t)) > 300) return false;
  const mac = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return timingSafeEqual(mac, Buffer.from(v1, 'hex'));
}

/**
 * Opens the place. `receive(header, body)` handles a webhook and returns a status. `send` calls the API, `control` the
 * control plane of the world.
 */
export async function openPlace(receive) {
  if (PLACE === 'in-process') {
    const { createSandbox } = await import(PACKAGE);
    const webhookReceiver = async request => {
      const body = Buffer.from(await request.arrayBuffer());
      return new Response(null, { status: receive(request.headers.get('x-service-signature'), body) });
    };
    const sandbox = createSandbox({ webhookReceiver, fixtures: ['empty'] });
    const close = () => sandbox.close();
    return placeOf(sandbox.fetch, sandbox.apiKey, '/_sandbox', 'https://app.test/', close);
  }
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(receive(request.headers['x-service-signature'] ?? null, body)).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hooks = `http://127.0.0.1:${receiver.address().port}/`;
  const send = (path, init) => fetch(url + path, init);
  const close = () => receiver.close();
  if (PLACE === 'main') return placeOf(send, SERVICE_API_KEY, '/_sandbox', hooks, close);
  if (PLACE === 'http-world') {
    const init = { method: 'POST', headers: JSON_TYPE, body: '{"fixtures":["empty"]}' };
    const { id, partners } = await (await send('/_sandbox/worlds', init)).json();
    return placeOf(send, partners[0].apiKey, `/_sandbox/worlds/${id}`, hooks, close);
  }
  const { connect } = await import(PACKAGE);
  const world = await (await connect()).worlds.create({ fixtures: ['empty'] });
  const closeBoth = async () => {
    await world.close();
    receiver.close();
  };
  return placeOf(send, world.apiKey, `/_sandbox/worlds/${world.world}`, hooks, closeBoth);
}

const JSON_TYPE = { 'content-type': 'application/json' };

function placeOf(send, key, prefix, hooks, close) {
  const headers = { ...JSON_TYPE, 'x-service-api-key': key };
  return {
    hooks,
    close,
    send: (method, path, body) =>
      send(`/v1/partner${path}`, { method, headers, body: body && JSON.stringify(body) }),
    async control(method, path, body) {
      const init = { method, headers: JSON_TYPE, body: body && JSON.stringify(body) };
      const response = await send(prefix + path, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
  };
}

/** Returns a client that sends a request until it has a response that is not about the service itself. */
export function createClient({ send }, { unavailableIsFinal = false } = {}) {
  /** `prepare` returns the body of an attempt, `find` what an uncertain one has made. */
  return async function call(method, path, prepare = () => undefined, find = async () => undefined) {
    let problem;
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      try {
        const response = await send(method, path, prepare(attempt));
        const result = { status: response.status, body: await response.json() };
        if (response.status < 500 && response.status !== 429) return result;
        if (response.status === 503 && unavailableIsFinal) return result;
        problem = response.status;
        await pause(1_000 * Number(response.headers.get('retry-after') ?? 0.04 * attempt));
      } catch (error) {
        problem = error;
        await pause(40 * attempt);
      }
      const found = await find();
      if (found !== undefined) return { status: 200, body: found };
    }
    throw new Error(`gave up ${method} ${path}`, { cause: problem });
  };
}
