import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { signWebhook } from '../../../../src/core/values/signature.ts';
import { launchHere, runInProcess, sharedSandbox, startPrettyHere } from '../../../support/cli-in-process.ts';
import { runCli } from '../../../support/cli-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const NAMES = 'service=acme,idp1=checkly';
const { running, run, json } = sharedSandbox(['--names', NAMES]);
const named = { 'x-acme-api-key': ACME_KEY };
const { resolve } = createRequire(import.meta.url);
const [msw, mswNode] = ['msw', 'msw/node'].map(name => pathToFileURL(resolve(name)).href);

async function handlers(text: string): Promise<string> {
  const file = await temporaryFile('handlers.mjs');
  await writeFile(file, text);
  return file;
}

test('a sandbox with names uses them below /v1, and the control commands keep the neutral words', async () => {
  const body = { externalUserId: 'u', email: 'u@example.com', phoneNumber: '+4915123456789' };
  const token = { kycSource: 'checkly', checklyShareToken: 'checkly_test_approve_1' };
  const created = await running().ask('POST', '/v1/partner/cardholders', { ...body, ...token }, named);
  expect(created).toMatchObject({ status: 201, body: { kycSource: 'checkly' } });
  expect(await json('cardholders', 'show', created.body.id)).toMatchObject({ kycSource: 'idp1' });
  const refused = await running().ask(
    'POST',
    '/v1/partner/cardholders',
    { ...body, kycSource: 'checkly' },
    named,
  );
  const { stdout } = await run('requests', 'explain', refused.headers.get('x-sandbox-request') ?? '');
  expect(stdout).toMatch(/body\.checklyShareToken/);
  expect(stdout).not.toMatch(/idp1/);
  const unknown = await running().ask('GET', '/v1/partner/cards');
  const explained = await run('requests', 'explain', unknown.headers.get('x-sandbox-request') ?? '');
  expect(explained.stdout).toMatch(/the header x-acme-api-key with the current key/);
  expect(await json('simulate', 'card', 'ch_mia_approved', '--partner-id', 'partner_acme')).toHaveProperty(
    'last4',
  );
});

test('the first call of the banner works when pasted', async () => {
  const { banner } = await startPrettyHere(['--names', NAMES]);
  expect(banner).toMatch(/-H "x-acme-api-key: sk_test_acme_0123456789abcdef"/);
});

test('openapi and listen use the names', async () => {
  const { stdout } = await runInProcess(['openapi', '--names', NAMES]);
  expect(JSON.parse(stdout).components.securitySchemes.ApiKey.name).toBe('x-acme-api-key');
  const secret = 'a-secret-of-some-length';
  const receiver = launchHere(['listen', '--port', '0', '--json', '--secret', secret, '--names', NAMES]);
  const [line] = await receiver.printed(/^.*\n/);
  const signature = signWebhook('{}', secret, Math.floor(Date.now() / 1000));
  const headers = { 'X-Acme-Signature': signature, 'X-Acme-Event': 'card.issued' };
  const { status } = await fetch(JSON.parse(line).url, { method: 'POST', body: '{}', headers });
  expect(status).toBe(200);
  await receiver.printed(/"eventType":"card.issued","attempt":1,"signature":"valid"/);
});

test('names and settings that are passed one by one add up, and a word that is passed twice is refused', async () => {
  const { stdout } = await runInProcess(['openapi', '--names', 'service=acme', '--names', 'idp1=checkly']);
  const { components } = JSON.parse(stdout);
  expect(components.securitySchemes.ApiKey.name).toBe('x-acme-api-key');
  expect(stdout).toContain('checklyShareToken');
  const twice = await runInProcess(['openapi', '--names', 'idp1=a', '--names', 'idp1=b']);
  expect([twice.code, twice.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining('each word at most once'),
  ]);
});

test.each([
  ['acme', /It must be comma-separated WORD=NAME pairs, each word at most once: service, idp1, idp2\./],
  ['sevice=acme', /It must be comma-separated WORD=NAME pairs/],
  ['idp1=a,idp1=b', /It must be comma-separated WORD=NAME pairs/],
  ['service=a b', /The name of service must be valid in a header name/],
  ['idp1=', /The name of idp1 must be valid in a field name/],
  ['idp1=same,idp2=same', /The name of idp1 must differ from the name of idp2/],
])('--names %s is wrong usage', async (names, message) => {
  const { code, stderr } = await runInProcess(['start', '--port', '0', '--names', names]);
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
});

test('exec runs handlers first, and the log names them', async () => {
  const file = await handlers(
    `import { http, HttpResponse } from '${msw}';
     export const handlers = [http.get('*/v1/partner/balance', () => HttpResponse.json({ bent: true }))];`,
  );
  const script =
    'fetch(process.env.SERVICE_BASE_URL + "/partner/balance").then(r => r.text()).then(console.log)';
  const words = ['exec', '--handlers', file, '--log-format', 'pretty', '--', process.execPath, '-e', script];
  const { code, stdout, stderr } = await runCli(words);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"bent":true}\n' });
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    `hint: answered by handler GET */v1/partner/balance of ${file}`,
  );
});

test('a handler whose module intercepts requests of its own can fetch the response of the sandbox', async () => {
  const file = await handlers(
    `import { bypass, http, HttpResponse } from '${msw}';
     import { setupServer } from '${mswNode}';
     setupServer(http.get('https://bank.test/rate', () => HttpResponse.json(2))).listen({ onUnhandledRequest: 'bypass' });
     export const handlers = [http.get('*/v1/partner/balance', async ({ request }) => {
       const { currency } = await (await fetch(bypass(request))).json();
       return HttpResponse.json([currency, await (await fetch('https://bank.test/rate')).json()]);
     })];`,
  );
  const script =
    'fetch(process.env.SERVICE_BASE_URL + "/partner/balance", { headers: { "x-service-api-key": process.env.SERVICE_API_KEY } }).then(r => r.text()).then(console.log)';
  const { code, stdout } = await runCli(['exec', '--handlers', file, '--', process.execPath, '-e', script]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '["EUR",2]\n' });
});

test.each([
  ['export const handlers = [', /cannot be loaded: SyntaxError: Unexpected end of input/],
  [
    "import 'msw';",
    /cannot be loaded: it needs msw, which is not installed beside it; npm install --save-dev msw/,
  ],
  ['export const handlers = {};', /exports no list of handlers; write export const handlers = \[/],
])('a start with the handlers %j fails with one line that names the file', async (text, message) => {
  const file = await handlers(text);
  const { code, stdout, stderr } = await runCli(['start', '--port', '0', '--handlers', file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stderr).toContain(file);
  expect(stderr).toMatch(message);
});
