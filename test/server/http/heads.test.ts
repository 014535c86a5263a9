import { expect, test } from 'vitest';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { send } from '../../support/send.ts';

/** Headers that the HTTP server of Node.js sets, and lengths of bodies. */
const OF_RUNTIME = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

test('the status and headers of each kind of response are as they were read last', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], rateLimit: 1_000 });
  const { origin } = sandbox;
  const key = { 'x-service-api-key': ACME_KEY };
  const page = { accept: 'text/html' };
  const session = (await sandbox.api('POST', '/partner/kyc-sessions', {})).body.url;
  const { text: dashboard } = await send(`${origin}/dashboard`, { method: 'GET', headers: page });
  const [, asset = ''] = /"(\/dashboard\/assets\/[^"]+\.js)"/.exec(dashboard) ?? [];
  const requests: [method: string, target: string, headers: Record<string, string>, body?: string][] = [
    ['GET', '/v1/partner/balance', key],
    ['HEAD', '/v1/partner/balance', key],
    ['GET', '/v1/partner/balance', { ...key, origin: 'http://localhost:3000' }],
    [
      'OPTIONS',
      '/v1/partner/balance',
      { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' },
    ],
    ['GET', '/v1/partner/balance', {}],
    ['GET', '/v1/partner/nothing', key],
    ['POST', '/v1/partner/cards', { ...key, 'content-type': 'application/json' }, '{}'],
    ['GET', '/_sandbox/health', {}],
    ['GET', '/_sandbox/nothing', {}],
    ['POST', '/_sandbox/checkpoints/one', {}],
    ['DELETE', '/_sandbox/checkpoints/one', {}],
    ['GET', '/_sandbox/state', {}],
    ['GET', '/_sandbox/history/export', {}],
    ['GET', '/', page],
    ['GET', '/dashboard', page],
    ['GET', asset, {}],
    ['GET', '/dashboard/assets/nothing.js', {}],
    ['GET', new URL(session).pathname, page],
    ['GET', '/nothing', {}],
  ];
  const texts: string[] = [];
  for (const [method, target, headers, body] of requests) {
    const response = await send(origin + target, { method, headers, ...(body !== undefined && { body }) });
    const own = [...response.headers].filter(([name]) => !OF_RUNTIME.includes(name));
    const lines = own.map(([name, value]) => `${name}: ${value}`);
    texts.push([`${method} ${target} ${JSON.stringify(headers)}`, response.status, ...lines].join('\n'));
  }
  const text = texts
    .join('\n\n')
    .replaceAll(/ratelimit-reset: \d+/g, 'ratelimit-reset: SECONDS')
    .replaceAll(/nonce-\w+/g, 'nonce-NONCE')
    .replaceAll(/index-[\w-]+\.js/g, 'index-HASH.js');
  await expect(`${text}\n`).toMatchFileSnapshot('heads.txt');
});
