import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

const timeout = PROOF_TIMEOUT_MS;
/** In the short run each text is in every fifth place, and each place has every fifth text. */
const PLACES_STEP = size(5, 1);

/** Secrets of whoever plays an export. Their values are in no text of an attack. */
const CANARIES = {
  AWS_SECRET_ACCESS_KEY: 'canary-aws-71c2',
  X: 'canary-x-71c2',
  NPM_TOKEN: 'canary-token-71c2',
};

/** Texts that name a variable, a command or a file. `MARK` is what a command creates, `KEPT` a file to read. */
const TEXTS = [
  ...[...Object.keys(CANARIES), 'apiKey'].flatMap(name => [
    `\uFDD0${name}\uFDD1`,
    `\${${name}}`,
    `$${name}`,
    `$(printenv ${name})`,
  ]),
  ...[
    '\uFDD0\uFDD0X\uFDD1\uFDD1',
    '\uFDD1X\uFDD0',
    '\uFDD0X',
    '\uFDD0\uFDD1',
    '\uFDD0${X}\uFDD1',
    '$\uFDD0X\uFDD1',
  ],
  ...[
    '$${X}',
    '$$${X}',
    '\\${X}',
    '\\\\${X}',
    '\\$X',
    '\\\\\\$X',
    '${X:-y}',
    '${X',
    '${!X}',
    '${#X}',
    '$\u0000{X}',
  ],
  ...[
    '`printenv X`',
    '\\`printenv X\\`',
    "'$X'",
    '\'"$X"\'',
    "'\\''$X'\\''",
    '"$X"',
    '"; printenv X; "',
    "'; printenv X #",
  ],
  ...[
    '\n$X\n',
    '\r\n${X}\r\n',
    '"\n$X\n"',
    "'\n\uFDD0X\uFDD1\n'",
    '\nEOF\n$(touch MARK)\n',
    '\n...\n${X}\n---\n',
    '# ${X}',
  ],
  ...[
    '$(touch MARK)',
    '`touch MARK`',
    '"; touch MARK; "',
    "'; touch MARK; '",
    '\\"; touch MARK; \\"',
    '&& touch MARK ||',
  ],
  ...[
    "$'\\x24X'",
    '$"X"',
    '<(printenv X)',
    '~',
    '*',
    '!!',
    '{a,b}',
    '[1-3]',
    '%24%7BX%7D',
    '\\u0024{X}',
    '\u2028${X}\u2029',
  ],
  ...['@KEPT', '<KEPT', '--config KEPT', '-K KEPT', '; @KEPT', 'x=@KEPT', '*x', '&x', '!!binary x', '\\'],
];

/** Headers of one connection. */
const HOP = /^(?:host|connection|keep-alive|transfer-encoding|content-length|content-encoding|expect)$/;

/** Passes requests on to a sandbox, and keeps every byte of them. */
async function startRecorder(origin: string) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    received.push([request.method, request.url, ...request.rawHeaders, body.toString()].join('\n'));
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP.test(name)));
    const method = request.method ?? 'GET';
    const init = {
      method,
      headers: headers as Record<string, string>,
      ...(/GET|HEAD/.test(method) ? {} : { body }),
    };
    const passed = await fetch(origin + request.url, init).catch(() => null);
    if (passed === null) return void response.destroy();
    const unchanged = [...passed.headers].filter(([name]) => !HOP.test(name));
    response.writeHead(passed.status, Object.fromEntries(unchanged));
    response.end(Buffer.from(await passed.arrayBuffer()));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The server listens on a port.
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, received };
}

test('exports: no text of a client becomes a variable, a command or a file of whoever plays them', {
  timeout,
}, async context => {
  const sandbox = await startSandbox({ fixtures: ['starter'], rateLimit: 0 });
  const folder = temporaryFolder();
  const [created, secret] = [join(folder, 'created'), join(folder, 'secret')];
  writeFileSync(secret, 'canary-file-71c2');
  const texts = TEXTS.map(text => text.replaceAll('MARK', created).replaceAll('KEPT', secret));
  const send = (path: string, body: string, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(sandbox.origin + path, {
      method,
      headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json', ...headers },
      ...(method !== 'GET' && { body }),
    });
  const kyc = '/v1/partner/kyc-sessions';
  let placed = 0;
  for (const [index, text] of texts.entries()) {
    const [inUrl, inHeader] = [encodeURIComponent(text), Buffer.from(text).toString('latin1')];
    const requests = [
      () => send(kyc, JSON.stringify({ externalUserId: text, [text]: text, nested: [[{ [text]: [text] }]] })),
      () => send(kyc, text),
      () => send(kyc, `{"externalUserId": "${text}`, { 'content-type': 'text/plain' }),
      () => send(`${kyc}?${inUrl}=${inUrl}`, '{}'),
      () => send(`${kyc}/${inUrl}`, '', {}, 'GET'),
      () => send(`${kyc}?${encodeURI(text.toWellFormed()).replaceAll('#', '%23')}`, '{}'),
      () => send(kyc, '{}', { 'x-service-api-key': inHeader }),
      () => send(kyc, '{}', { 'content-type': inHeader, 'x-sandbox-fault': inHeader }),
      () => send(`/_sandbox/partners`, JSON.stringify({ name: text })),
      () => send(`/_sandbox/cards/${inUrl}/3ds`, JSON.stringify({ merchant: text })),
    ];
    for (const [place, request] of requests.entries()) {
      if ((index + place) % PLACES_STEP !== 0) continue;
      // What is no header is not sent.
      placed += await request().then(
        () => 1,
        () => 0,
      );
    }
  }
  expect(placed).toBeGreaterThan((texts.length * 8) / PLACES_STEP);
  const bytes: string[] = [];
  for (const format of ['scenario', 'curl']) {
    const second = await startSandbox({ fixtures: ['starter'], rateLimit: 0 });
    const { url, received } = await startRecorder(second.origin);
    const file = join(folder, format === 'curl' ? 'export.sh' : 'export.yaml');
    const exporting = ['history', 'export', '--url', sandbox.origin, '--format', format, file];
    expect(await runInProcess(exporting)).toMatchObject({ code: 0 });
    const address = { SERVICE_BASE_URL: `${url}/v1`, SERVICE_API_KEY: ACME_KEY, CARD_SANDBOX_URL: url };
    if (format === 'curl') {
      await new Promise(resolve =>
        execFile(
          'sh',
          [file],
          { cwd: folder, env: { ...process.env, ...CANARIES, ...address }, maxBuffer: 1e9 },
          resolve,
        ),
      );
    } else {
      const playing = [
        'run',
        file,
        '--base-url',
        address.SERVICE_BASE_URL,
        '--api-key',
        ACME_KEY,
        '--control-url',
        url,
      ];
      const played = await runInProcess(playing, CANARIES);
      expect(played.stderr).not.toMatch(/the scenario is|has no value/);
    }
    // Not every GET is in a history.
    expect(received.length).toBeGreaterThan(placed * 0.7);
    bytes.push(...received, readFileSync(file, 'utf8'));
  }
  expect(bytes.filter(each => each.includes('-71c2'))).toEqual([]);
  expect([existsSync(created), readdirSync(folder).sort()]).toEqual([
    false,
    ['export.sh', 'export.yaml', 'secret'],
  ]);
  recordResult(
    context,
    `${texts.length} texts in ${placed} requests, played as a scenario and by a shell, 0 secrets sent`,
  );
});
