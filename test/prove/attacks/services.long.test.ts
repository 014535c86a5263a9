import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { listen } from '../../support/listen.ts';
import { PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY } from '../../support/sandbox.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const EVIL =
  'x\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2066\u0000\r\n| a | b |\n# heading whsec_0123456789abcdef sk_live_0123456789abcdef';
const zeros = Buffer.concat([
  Buffer.from('{"data":[],"x":"'),
  Buffer.alloc(64 * MIB, 'x'),
  Buffer.from('"}'),
]);
const gzip = gzipSync(zeros, { level: 1 });

/** What a service may do to whoever calibrates against it. */
const SERVICES = (elsewhere: string): Readonly<Record<string, RequestListener>> => ({
  'a gzip bomb': (_request, response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzip),
  'a bomb in a bomb': (_request, response) =>
    void response
      .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br, gzip' })
      .end(gzipSync(brotliCompressSync(Buffer.alloc(8 * MIB, 'x')))),
  'a body that is not what its encoding says': (_request, response) =>
    void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('{}'),
  'redirects without an end': (request, response) =>
    void response.writeHead(307, { location: `${request.url}x` }).end(),
  'redirects to another service': (_request, response) =>
    void response.writeHead(308, { location: elsewhere }).end(),
  'redirects to a file': (_request, response) =>
    void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  'control characters and secrets': (request, response) => {
    const record = {
      id: EVIL,
      status: EVIL,
      name: EVIL,
      error: EVIL,
      apiKey: EVIL,
      createdAt: EVIL,
      [EVIL]: EVIL,
    };
    response.writeHead(request.method === 'POST' ? 201 : 200, JSON_TYPE);
    response.end(JSON.stringify({ ...record, data: [record], total: 1, page: 1, limit: 20 }));
  },
  'names of prototypes': (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    response.end(
      '{"__proto__":{"data":[]},"constructor":{"prototype":{}},"data":{"__proto__":[]},"id":{"toString":1},"total":1e999}',
    );
  },
  'deep nesting': (_request, response) =>
    void response.writeHead(200, JSON_TYPE).end(`{"data":${'['.repeat(500_000)}`),
  'a million members': (_request, response) =>
    void response
      .writeHead(400, JSON_TYPE)
      .end(`{"error":{${Array.from({ length: 200_000 }, (_, index) => `"${index}":1`).join()}}}`),
  'lines instead of HTTP': request => void request.socket.end('hello\r\n\r\n'),
  'closed connections': request => void request.socket.destroy(),
});

test('calibrate: a hostile service gets a verdict, and is in no file and on no terminal as it wants to be', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  let led = 0;
  const elsewhere = await listen((_request, response) => {
    led += 1;
    response.end('{}');
  });
  const services = Object.entries(SERVICES(elsewhere));
  for (const [what, listener] of services) {
    const origin = await listen(listener);
    const folder = temporaryFolder();
    const [out, report, capture] = ['profile.yaml', 'report.md', 'capture.jsonl'].map(name =>
      join(folder, name),
    ) as [string, string, string];
    const target = [
      '--base-url',
      `${origin}/v1`,
      '--api-key',
      ACME_KEY,
      '--only',
      'balance',
      'list-order',
      'card-values',
    ];
    const { code, stdout, stderr } = await runInProcess([
      'calibrate',
      ...target,
      '--out',
      out,
      '--report',
      report,
      '--capture',
      capture,
    ]);
    expect([what, [0, 1].includes(code ?? -1)]).toEqual([what, true]);
    const files = [out, out.replace('.yaml', '.evidence.yaml'), report, capture].filter(existsSync);
    for (const text of [stdout, stderr, ...files.map(file => readFileSync(file, 'utf8'))]) {
      expect([what, text.length < 16 * MIB]).toEqual([what, true]);
      expect([what, text.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}]/u)]).toEqual([what, null]);
      expect([
        what,
        text.match(/whsec_0123|sk_live_0123|^# heading|^\| a \| b|node:internal|\bat \w+ \(/m),
      ]).toEqual([what, null]);
    }
  }
  expect(led).toBe(0);
  recordResult(
    context,
    `${services.length} services, 0 redirects followed to another one, 0 control characters and secrets in their files`,
  );
});
