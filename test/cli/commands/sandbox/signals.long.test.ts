import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CLI_PROGRAM, type SandboxProcess, startCli, startProcess } from '../../../support/cli-process.ts';
import { size } from '../../../support/proof/proof-size.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

/** The documented two seconds, doubled for busy machines. A stop that hangs takes far longer. */
const LIMIT_MS = size(4_000, 2_000);

const REQUEST = `GET /v1/partner/cards HTTP/1.1\r\nHost: localhost\r\nx-service-api-key: ${ACME_KEY}\r\n\r\n`;
const UNFINISHED =
  'POST /v1/partner/cardholders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"externalUserId":';

/** Connects and sends a text. The response is not read unless a test listens. */
async function connected({ listening }: SandboxProcess, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  // The sandbox may reset the connection, which is irrelevant here.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function stop(sandbox: SandboxProcess, signal: NodeJS.Signals) {
  const startedAt = performance.now();
  sandbox.child.kill(signal);
  const ending = await sandbox.ended;
  return { ...ending, inTime: performance.now() - startedAt < LIMIT_MS, stderr: sandbox.stderr() };
}

const CLEAN = { code: 0, signal: null, inTime: true, stderr: '' };

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends an unused sandbox with exit code 0', async signal => {
  expect(await stop(await startCli(), signal)).toEqual(CLEAN);
});

test('idle, silent and half-sent connections do not delay a stop', async () => {
  const sandbox = await startCli();
  const idle = await connected(sandbox, REQUEST);
  await once(idle, 'data');
  await connected(sandbox, '');
  await connected(sandbox, 'GET /v1/partner/ca');
  await connected(sandbox, UNFINISHED);
  // By the time of this response, the sandbox has accepted the other connections.
  await sandbox.ask('GET', '/v1/partner/cards');
  expect(await stop(sandbox, 'SIGTERM')).toEqual(CLEAN);
});

test('streams and delayed responses do not delay a stop', async () => {
  const sandbox = await startCli();
  const stream = await connected(sandbox, 'GET /_sandbox/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(stream, 'data');
  const late = await connected(
    sandbox,
    REQUEST.replace('\r\n\r\n', '\r\nX-Sandbox-Fault: delay=60s\r\n\r\n'),
  );
  const answer = once(late, 'data');
  await sandbox.printed(/"fault":"header"/);
  stream.resume();
  expect(await stop(sandbox, 'SIGTERM')).toEqual(CLEAN);
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that never reads does not delay a stop', async () => {
  const sandbox = await startCli(['--rate-limit', '0']);
  const stuck = await connected(sandbox, '');
  stuck.pause();
  stuck.write(REQUEST.repeat(5_000));
  await sandbox.printed(/"type":"request"/);
  expect(await stop(sandbox, 'SIGTERM')).toMatchObject({ code: 0, inTime: true });
});

test('a request in flight when the signal arrives gets its response', async () => {
  const sandbox = await startCli();
  const body = JSON.stringify({ webhookUrl: null });
  const head = `PATCH /v1/partner/webhooks/config HTTP/1.1\r\nHost: localhost\r\nx-service-api-key: ${ACME_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  const socket = await connected(sandbox, head);
  // The interim response shows that the request has begun.
  await once(socket, 'data');
  sandbox.child.kill('SIGTERM');
  await refusing(sandbox);
  socket.write(body);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await sandbox.ended).toEqual({ code: 0, signal: null });
});

test('a second signal cuts short the requests in flight, and not the save', async () => {
  const file = await temporaryFile('world.json');
  const sandbox = await startCli(['--state', file, '--fixtures', 'empty']);
  const socket = await connected(sandbox, UNFINISHED);
  await sandbox.ask('POST', '/_sandbox/share-tokens', {});
  sandbox.child.kill('SIGINT');
  await refusing(sandbox);
  sandbox.child.kill('SIGTERM');
  await once(socket, 'close');
  expect(await sandbox.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(readFileSync(file, 'utf8')).counts.shareTokens).toBe(1);
});

test('each of ten pairs of signals saves the last change', async () => {
  for (let pair = 0; pair < 10; pair++) {
    const file = await temporaryFile('world.json');
    const sandbox = await startCli(['--state', file, '--fixtures', 'empty']);
    await sandbox.ask('POST', '/_sandbox/share-tokens', {});
    sandbox.child.kill('SIGTERM');
    await refusing(sandbox);
    sandbox.child.kill('SIGTERM');
    expect(await sandbox.ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(readFileSync(file, 'utf8')).counts.shareTokens).toBe(1);
  }
});

test('a closed standard output does not end the sandbox', async () => {
  const sandbox = await startCli();
  sandbox.child.stdout?.destroy();
  for (const _ of [1, 2, 3]) expect((await sandbox.ask('GET', '/v1/partner/cards')).status).toBe(200);
  expect(await stop(sandbox, 'SIGTERM')).toEqual(CLEAN);
});

test('| head -1 gets the first line, and the sandbox keeps running silently', async () => {
  const command = `'${process.execPath}' '${CLI_PROGRAM}' start --port 0 --log-format json & echo $! >&2; wait $!; echo "code $?" >&2`;
  const shell = startProcess('sh', ['-c', `{ ${command}; } | head -1`]);
  const [line] = await shell.printed(/^.*\n/);
  const [pid] = await shell.complained(/^\d+$/m);
  const { url } = JSON.parse(line);
  for (const _ of [1, 2, 3]) expect((await fetch(`${url}/v1/partner/cards`)).status).toBe(401);
  process.kill(Number(pid), 'SIGTERM');
  await shell.complained(/^code 0$/m);
  expect(shell.stderr()).toBe(`${pid}\ncode 0\n`);
  expect(shell.stdout()).toBe(line);
});

test('a reader that stops reading loses lines, but delays neither responses nor a stop', async () => {
  const sandbox = await startCli(['--rate-limit', '0']);
  sandbox.child.stdout?.pause();
  const path = `/v1/partner/cards?x=${'y'.repeat(12_000)}`;
  for (let count = 0; count < 400; count++) expect((await sandbox.ask('GET', path)).status).toBe(200);
  await sandbox.complained(/standard output is not being read; lines are dropped until it is\n/);
  const startedAt = performance.now();
  sandbox.child.kill('SIGTERM');
  // Not `close`, which waits for the unread output.
  const [code] = await once(sandbox.child, 'exit');
  expect(code).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

/** Resolves once the sandbox refuses connections, which means that it has handled the signal. */
async function refusing({ listening }: SandboxProcess): Promise<void> {
  const { port } = new URL(listening.url);
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1');
    const [outcome] = await Promise.race([
      once(socket, 'connect').then(() => ['open']),
      new Promise<[string]>(resolve => socket.once('error', () => resolve(['refused']))),
    ]);
    socket.destroy();
    if (outcome === 'refused') return;
  }
}
