import { expect, test } from 'vitest';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { receive } from '../../sandbox/transport/receiver.ts';
import { connectHere } from '../../server/mcp/mcp-client.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY, type Json } from '../../support/sandbox.ts';

const timeout = PROOF_TIMEOUT_MS;

/** Spellings of `..`, `/` and whole addresses that URL parsers, routers and proxies resolve. */
const WAYS_OUT = [
  ...[
    '/..',
    '/%2e%2e',
    '/%2E%2E',
    '/.%2e',
    '/%2e.',
    '/.\t.',
    '/\t..',
    '/..\t',
    '/.\n.',
    '/.\r\n.',
    '\t/..',
    '\n/..',
  ],
  ...[
    '/partner/../..',
    '/partner/%2e%2e/%2e%2e',
    '/./..',
    '/%2e/..',
    '//../..',
    '/x/y/../../..',
    '/..//..',
    '/../..',
  ],
  ...[
    '\\..',
    '/..\\',
    '/partner\\..\\..',
    '/%5c..',
    '/..%5c',
    '/..%2f',
    '/%2e%2e%2f',
    '/%252e%252e',
    '/..;',
    '/..;/..',
  ],
  ...[
    '/..?',
    '/..#',
    '/../?',
    '/%c0%ae%c0%ae',
    '/\u2025',
    '/\uff0e\uff0e',
    '/..\u0000',
    '/..%00',
    '/\u200b..',
  ],
  ...[
    'http://HOST',
    '//HOST',
    '\\\\HOST',
    '/\\HOST',
    '@HOST',
    ':80@HOST',
    'HTTP:HOST',
    '/%2f%2fHOST',
    '.HOST',
    ' /..',
  ],
];
/** What is asked for behind them. */
const TARGETS = ['/_sandbox/state', '/_sandbox/stop', '/_sandbox/info'];
/** What only the control plane says. */
const LEAK = /cardNumbers|"secretKey"|controlPlane|sk_test_globex/;

test('call_api: no spelling of a path leaves /v1, and the sandbox goes on', { timeout }, async context => {
  const { call } = await connectHere();
  let calls = 0;
  for (const way of WAYS_OUT) {
    for (const target of TARGETS) {
      for (const prefix of ['/v1', '']) {
        for (const method of ['GET', 'POST']) {
          const path = prefix + way.replace('HOST', '127.0.0.1:1') + target;
          const answer = await call('call_api', { method, path });
          expect([path, answer.isError]).toEqual([path, true]);
          expect(answer.texts.join('\n')).not.toMatch(LEAK);
          calls += 1;
        }
      }
    }
  }
  for (const query of [{ x: '/../../_sandbox/stop' }, { '../': '..' }, { '#': '#/../_sandbox/state' }]) {
    const answer = await call('call_api', { method: 'GET', path: '/v1/partner/balance', query });
    expect([query, answer.isError]).toEqual([query, false]);
  }
  for (const method of [
    'get\r\nX: y',
    'GET /_sandbox/state HTTP/1.1\r\n',
    'CONNECT',
    'TRACE',
    '__proto__',
    '',
  ]) {
    expect((await call('call_api', { method, path: '/v1/partner/balance' })).isError).toBe(true);
    calls += 1;
  }
  for (const partnerId of ['../state', '__proto__', 'partner_acme/../../state', '']) {
    const args = { method: 'GET', path: '/v1/partner/balance', partnerId };
    expect((await call('call_api', args)).isError).toBe(true);
    calls += 1;
  }
  const balance = await call('call_api', { method: 'GET', path: '/v1/partner/balance' });
  expect(balance.json.status).toBe(200);
  recordResult(context, `${WAYS_OUT.length} spellings in ${calls} calls, 0 outside`);
});

test('run: no spelling of a path in a step leaves its prefix, written out or in a variable', {
  timeout,
}, async context => {
  const service = await receive(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
  const { origin } = new URL(service.url);
  const steps: Json[] = [];
  const variables: Record<string, string> = {};
  for (const [index, way] of WAYS_OUT.entries()) {
    const path = `${way.replace('HOST', new URL(origin).host)}/_sandbox/stop`;
    if (/^\/\S*$/.test(path) && !path.includes('\u0000')) steps.push({ request: `POST ${path}` });
    variables[`way${index}`] = way;
    steps.push({ request: `POST /\${way${index}}/_sandbox/stop` });
  }
  steps.push({ request: 'GET /partner/balance', expect: { status: 200 } });
  const file = fixtureFile(JSON.stringify({ name: 'Ways out', variables, steps }));
  const target = ['--base-url', `${origin}/v1`, '--api-key', ACME_KEY, '--json'];
  const { stdout, stderr } = await runInProcess(['run', file, ...target]);
  expect(stderr).not.toMatch(/the scenario is/);
  const report = JSON.parse(stdout);
  expect(report.steps).toHaveLength(steps.length);
  expect(report.steps.at(-1).status).toBe('passed');
  const paths = service.requests.map(request => request.split(' ', 2)[1] ?? '');
  // As a router sees them that resolves escapes once.
  const resolved = paths.map(path => new URL(origin + path).pathname);
  expect([...paths, ...resolved].filter(path => !path.startsWith('/v1/'))).toEqual([]);
  recordResult(context, `${steps.length} steps, 0 outside`);
});
