import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { serve } from '../../../src/server/http/server.ts';
import { loadHandlers } from '../../../src/server/in-process/handlers.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { ACME_KEY, newCardholder, START } from '../../support/sandbox.ts';

// `npm run contract` runs this file again with MSW 3, which is in a folder of its own.
const { resolve } = createRequire(join(process.env.MSW_FOLDER ?? import.meta.dirname, 'package.json'));

async function moduleOf(text: string, file = 'handlers.mjs'): Promise<string> {
  const path = await temporaryFile(file);
  const msw = pathToFileURL(resolve('msw')).href;
  await writeFile(path, text.replace("from 'msw'", `from '${msw}'`));
  return path;
}

const IMPORT = "import { http, HttpResponse, passthrough, bypass, delay } from 'msw';\n";

async function startWithHandlers(text: string) {
  const file = await moduleOf(IMPORT + text);
  const handlers = await loadHandlers(file);
  const urls: string[] = [];
  const sandbox = createSandboxCore(
    { fixtures: ['empty'], clock: START, freeze: true },
    { onResponse: ({ url }) => urls.push(url) },
  );
  const server = await serve(sandbox, {
    port: 0,
    host: '127.0.0.1',
    trustProxy: false,
    controlToken: 'x',
    handlers,
  });
  onTestFinished(async () => {
    sandbox.stop();
    await server.close(0);
  });
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init: RequestInit = {
      method,
      headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json', ...headers },
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(server.origin + path, init);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
  };
  const journal = async () => {
    const { body: all } = await send('GET', '/_sandbox/requests');
    return (await send('GET', `/_sandbox/requests/${all[0].id}`)).body;
  };
  return { send, journal, file, urls, origin: server.origin };
}

test('a handler replaces one endpoint, and the sandbox handles the rest', async () => {
  const { send, journal, file, urls } = await startWithHandlers(
    `export const handlers = [http.get('*/v1/partner/cards', ({ request }) =>
       HttpResponse.json({ page: new URL(request.url).searchParams.get('page') }, { status: 418 }))];`,
  );
  const answer = await send('GET', '/v1/partner/cards?page=7', undefined, {
    origin: 'https://app.example.com',
  });
  expect(answer).toMatchObject({ status: 418, body: { page: '7' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  expect(await journal()).toMatchObject({
    id: answer.headers.get('x-sandbox-request'),
    operation: 'cards.list',
    partnerId: 'partner_acme',
    status: 418,
    query: 'page=7',
    response: { body: '{"page":"7"}' },
    hints: [`answered by handler GET */v1/partner/cards of ${file}`],
  });
  expect(urls).toEqual(['/v1/partner/cards?page=7']);
  expect((await send('GET', '/v1/partner/cardholders')).body).toMatchObject({ total: 0 });
  expect((await send('GET', '/_sandbox/health')).body).toMatchObject({ status: 'ok' });
});

test('the sandbox responds when a handler passes the request through', async () => {
  const { send, journal } = await startWithHandlers(
    `export default [http.post('/v1/partner/cardholders', async ({ request }) => { await request.json(); }),
       http.post('*/v1/partner/cardholders', () => passthrough())];`,
  );
  expect(await send('POST', '/v1/partner/cardholders', newCardholder())).toMatchObject({ status: 201 });
  expect(await journal()).toMatchObject({ status: 201, hints: [] });
});

test('a handler can fetch the response of the sandbox and change it', async () => {
  const { send } = await startWithHandlers(
    `export const handlers = [http.post('*/v1/partner/cardholders', async ({ request }) => {
       const true_ = await fetch(bypass(request));
       return HttpResponse.json({ ...await true_.json(), kycStatus: 'rejected' }, true_);
     })];`,
  );
  const body = newCardholder();
  const { status, body: answer, headers } = await send('POST', '/v1/partner/cardholders', body);
  expect(status).toBe(201);
  expect(answer).toMatchObject({ kycStatus: 'rejected', externalUserId: body.externalUserId });
  expect(headers.get('x-sandbox-request')).toMatch(/^req_\w+$/);
  const { body: kept } = await send('GET', `/v1/partner/cardholders/${answer.id}`);
  expect(kept.kycStatus).toBe('pending');
});

test('HttpResponse.error() drops the connection', async () => {
  const { send, journal, file } = await startWithHandlers(
    `export const handlers = [http.get('*/v1/partner/balance', () => HttpResponse.error())];`,
  );
  await expect(send('GET', '/v1/partner/balance')).rejects.toThrow('fetch failed');
  expect(await journal()).toMatchObject({
    dropped: true,
    hints: [`the connection was closed by handler GET */v1/partner/balance of ${file}`],
  });
});

test('a connection that a fault closes behind a handler is closed for the client, too', async () => {
  const { send, journal } = await startWithHandlers(
    `export const handlers = [http.get('*/v1/partner/cards', async ({ request }) =>
       HttpResponse.json(await (await fetch(bypass(request))).json()))];`,
  );
  await expect(send('GET', '/v1/partner/cards', undefined, { 'x-sandbox-fault': 'drop' })).rejects.toThrow();
  const entry = await journal();
  expect(entry).toMatchObject({ dropped: true });
  expect(entry.hints[0]).toMatch(/^the connection was closed behind handler GET /);
  expect(await send('GET', '/v1/partner/cards')).toMatchObject({ status: 200 });
});

test('a handler that fetches its own endpoint without bypass does not handle that request again', async () => {
  const { send, journal } = await startWithHandlers(
    `const add = (member, path) => async ({ request }) => {
       const response = await fetch(new URL(path, request.url), { headers: request.headers });
       return HttpResponse.json({ ...await response.json(), [member]: true });
     };
     export const handlers = [
       http.get('*/v1/partner/cards', add('own', '/v1/partner/cards')),
       http.get('*/v1/partner/usage', add('other', '/v1/partner/cards')),
     ];`,
  );
  expect((await send('GET', '/v1/partner/cards')).body).toMatchObject({ data: [], own: true });
  const { body: entries } = await send('GET', '/_sandbox/requests');
  expect(entries).toHaveLength(2);
  expect((await send('GET', '/v1/partner/usage')).body).toMatchObject({ own: true, other: true });
  expect(JSON.stringify([entries, await journal()])).not.toContain('x-sandbox-handler-run');
});

test('one-time handlers, delays, bytes and streams work as in MSW', async () => {
  const { send } = await startWithHandlers(
    `const bytes = new TextEncoder().encode('data: ü\\n\\n');
     const stream = () => new ReadableStream({ start(c) { for (const byte of bytes) c.enqueue(Uint8Array.of(byte)); c.close(); } });
     export const handlers = [
       http.get('*/v1/partner/usage/records', () => HttpResponse.json({}, { status: 503 }), { once: true }),
       http.get('*/v1/partner/balance', async () => { await delay(5); return new HttpResponse(new Uint8Array([0, 255, 128])); }),
       http.get('*/v1/partner/stream', () => new HttpResponse(stream(), { headers: { 'content-type': 'text/event-stream' } })),
       http.get('*/v1/partner/nothing', () => new HttpResponse(null, { status: 204 })),
     ];`,
  );
  const statuses = [];
  for (let count = 0; count < 2; count++)
    statuses.push((await send('GET', '/v1/partner/usage/records')).status);
  expect(statuses).toEqual([503, 200]);
  const { headers } = await send('GET', '/v1/partner/balance');
  expect(headers.get('content-length')).toBe('3');
  expect((await send('GET', '/v1/partner/stream')).text).toBe('data: ü\n\n');
  expect((await send('GET', '/v1/partner/nothing')).status).toBe(204);
});

test('a handler that throws causes a 500 that names it, and the sandbox keeps running', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const { send, file, journal } = await startWithHandlers(
    `export const handlers = [http.get('*/v1/partner/cards', () => { throw new Error('out of ideas'); })];`,
  );
  const handler = `handler GET */v1/partner/cards of ${file}`;
  expect(await send('GET', '/v1/partner/cards')).toMatchObject({
    status: 500,
    body: { success: false, error: `${handler} failed: out of ideas` },
  });
  expect((await journal()).hints).toEqual([`${handler} failed`]);
  expect(log).toHaveBeenCalledWith(
    expect.stringMatching(/failed: Error: out of ideas\n +at .*handlers\.mjs/),
  );
  expect((await send('GET', '/v1/partner/balance')).status).toBe(200);
});

test('a handler that throws a value without a text causes a 500, and the sandbox keeps running', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const { send } = await startWithHandlers(
    `const unreadable = new Proxy({}, { has() { throw new Error('no') } });
     export const handlers = [
       http.get('*/v1/partner/cards', () => { throw Object.create(null); }),
       http.get('*/v1/partner/balance', () => { throw { name: 'E', message: { code: 7 }, stack: 5 }; }),
       http.get('*/v1/partner/transactions', () => { throw unreadable; }),
     ];`,
  );
  for (const [path, text] of [
    ['cards', '[Object: null prototype] {}'],
    ['balance', '{ code: 7 }'],
    ['transactions', 'a value that cannot be read'],
  ]) {
    const { status, body } = await send('GET', `/v1/partner/${path}`);
    expect([status, body.error]).toEqual([500, expect.stringMatching(/failed: /)]);
    expect(body.error.endsWith(`failed: ${text}`)).toBe(true);
  }
  expect((await send('GET', '/v1/partner/card-programs')).status).toBe(200);
});

test('the message of a handler that throws is logged as one line without control characters', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const { send } = await startWithHandlers(
    `export const handlers = [
       http.get('*/v1/partner/cards', () => { throw new Error('no\\u001b[2J\\nerror: forged \\u202e'); }),
       http.get('*/v1/partner/balance', () => { throw '\\u001b]0;title\\u0007'; }),
     ];`,
  );
  for (const path of ['cards', 'balance'])
    expect((await send('GET', `/v1/partner/${path}`)).status).toBe(500);
  const logged = log.mock.calls.map(call => call.join(' '));
  expect(logged[0]).toContain('failed: Error: no\\u001b[2J\\u000aerror: forged \\u202e\n');
  expect(logged[1]).toMatch(/failed: \\u001b\]0;title\\u0007$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
  expect(logged.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('the sandbox handles requests that the Fetch API cannot express', async () => {
  const { origin, send } = await startWithHandlers(
    `export const handlers = [http.all('*', () => HttpResponse.json({ handled: true }))];`,
  );
  const { request } = await import('node:http');
  const status = await new Promise(done => {
    request(`${origin}/v1/partner/cards`, { method: 'TRACE' }, response => {
      response.resume();
      done(response.statusCode);
    }).end();
  });
  expect(status).toBe(401);
  const tooLong = await send('POST', '/v1/partner/cardholders', { text: 'x'.repeat(1024 * 1024) });
  expect(tooLong).toMatchObject({ status: 400 });
  expect((await send('POST', '/v1/partner/cardholders', {})).body).toEqual({ handled: true });
});

test.each([
  ['export const handlers = 1;', /exports no list of handlers; write export const handlers/],
  ['export const handlers = [() => 1];', /handler 1 of .* is not an HTTP handler of MSW 2 or 3/],
  ['throw new Error("not today");', /cannot be loaded: Error: not today/],
])('the module %j is refused', async (text, message) => {
  const file = await moduleOf(text);
  const refusal = loadHandlers(file);
  await expect(refusal).rejects.toThrow(message);
  await expect(refusal).rejects.toThrow(file);
});

test('a missing file is refused, and a CommonJS module is accepted', async () => {
  await expect(loadHandlers('nowhere.mjs')).rejects.toThrow(
    'nowhere.mjs cannot be read: there is no such file',
  );
  const file = await moduleOf(
    `const { http } = require(${JSON.stringify(resolve('msw'))}); module.exports = { handlers: [http.get('*', () => {})] };`,
    'handlers.cjs',
  );
  expect(await loadHandlers(file)).toMatchObject({ file });
});
