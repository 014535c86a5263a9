import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { API_PREFIX, CONTROL_PREFIX } from '../../../src/core/values/plane.ts';
import { operations } from '../../../src/sandbox/operations.ts';
import { receive } from '../../sandbox/transport/receiver.ts';
import { CLI_PROGRAM, type ListeningLine, requester, startProcess } from '../../support/cli-process.ts';
import { sample } from '../../support/proof/proof-size.ts';
import { ACME_KEY } from '../../support/sandbox.ts';
import { HOST, open, readResponses } from './raw.ts';

const LIST_MODULES = new URL('./list-modules.js', import.meta.url);
const HOLD_DESCRIPTORS = new URL('./hold-descriptors.js', import.meta.url);
const ROOT = join(import.meta.dirname, '../../..');
/** Starts a sandbox whose process may have so many files open, with another module loaded into it. */
async function startLimited(files: number, module: URL, program = CLI_PROGRAM) {
  const command = `ulimit -n ${files}; exec "$0" --import ${module} "$1" start --port 0 --json`;
  const running = startProcess('/bin/sh', ['-c', command, process.execPath, program]);
  const [line] = await running.printed(/^.*\n/);
  const listening: ListeningLine = JSON.parse(line);
  return { ...running, origin: listening.url, ...requester(listening.url) };
}

/** A header of a page that may not call the control plane. */
const FOREIGN = 'Origin: http://evil.example\r\n';
const get = (path: string, extra = '') =>
  `GET ${path} HTTP/1.1\r\n${HOST}x-service-api-key: ${ACME_KEY}\r\n${extra}\r\n`;

/** Sends a GET on a connection, and resolves with the status of the response. */
async function statusOf(socket: Socket, path: string, extra?: string): Promise<number | undefined> {
  const responses = readResponses(socket);
  socket.write(get(path, extra));
  return (await responses)[0]?.status;
}

/** Requests every operation without a body. Resolves with the responses that no operation gives. */
async function brokenOperations(origin: string) {
  const broken: string[] = [];
  for (const { id, plane, method, path } of operations) {
    if (['stream', 'stop'].includes(id)) continue;
    const url = (plane === 'partner' ? API_PREFIX : CONTROL_PREFIX) + path.replace(/\{\w+\}/g, 'x');
    const response = await fetch(origin + url, { method, headers: { 'x-service-api-key': ACME_KEY } });
    const { status } = response;
    const text = await response.text();
    if (status === 500 || /^\{"success":false,"error":"no such operation/.test(text))
      broken.push(`${id}: ${text}`);
  }
  return broken;
}

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux).each(sample([80, 256], 1))(
  'clients that want more connections than the %i files of the process get no more, and others are served after them',
  async files => {
    const sandbox = await startLimited(files, LIST_MODULES);
    const sockets: Socket[] = [];
    for (let count = 0; count < files + 50; count++) sockets.push(await open(sandbox.origin));
    // Those that are refused have been closed once a later connection is.
    await expect
      .poll(() => sockets.filter(socket => socket.closed || socket.readableEnded).length)
      .toBeGreaterThan(50);
    const [first, second, third] = sockets;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no connections');
    first.write(get('/_sandbox/stream', FOREIGN) + get('/_sandbox/stream'));
    expect(await statusOf(second, '/_sandbox/history', FOREIGN)).toBe(403);
    for (const path of ['/v1/partner/balance', '/_sandbox/history', '/dashboard', '/openapi.json']) {
      expect([path, await statusOf(third, path)]).toEqual([path, 200]);
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => fetch(sandbox.origin).catch(() => null)).not.toBeNull();
    expect(await brokenOperations(sandbox.origin)).toEqual([]);
    expect(sandbox.stderr()).toBe('');
  },
);

test.skipIf(!isLinux).each(sample([96, 512], 1))(
  'webhooks to receivers that hang leave connections to clients when the process may open %i files',
  async files => {
    const receiver = await receive(() => undefined);
    const { ask, origin, stderr } = await startLimited(files, LIST_MODULES);
    for (let count = 0; count < 13; count++) {
      const world = { forwardTo: receiver.url, allowHttpWebhooks: true };
      const { id } = (await ask('POST', '/_sandbox/worlds', world)).body;
      const event = { eventType: 'balance.top_up' };
      for (let number = 0; number < 40; number++) {
        expect((await ask('POST', `/_sandbox/worlds/${id}/events`, event)).status).toBe(201);
      }
    }
    await expect.poll(() => receiver.open()).toBeGreaterThan(files / 20);
    const clients = await Promise.all(Array.from({ length: files / 8 }, () => open(origin)));
    const paths = ['/v1/partner/balance', '/_sandbox/history', '/dashboard', '/openapi.json'];
    for (const [index, client] of clients.entries()) {
      const path = paths[index % paths.length] ?? '';
      expect([path, await statusOf(client, path)]).toEqual([path, 200]);
    }
    expect(receiver.open()).toBeLessThanOrEqual(files / 4);
    expect(stderr()).toBe('');
  },
);

test.skipIf(!isLinux)(
  'what could not be loaded without a file descriptor is loaded when there is one',
  async () => {
    const sandbox = await startLimited(200, HOLD_DESCRIPTORS);
    const [socket, dashboard] = [await open(sandbox.origin), await open(sandbox.origin)];
    // A connection that the server has not accepted yet would need a file descriptor.
    for (const each of [socket, dashboard]) expect(await statusOf(each, '/nothing')).toBe(404);
    sandbox.child.kill('SIGUSR2');
    await sandbox.complained(/^held$/m);
    const paths = ['balance', 'usage', 'card-programs'].map(name => `/v1/partner/${name}`);
    const others = ['history', 'worlds', 'stories'].map(name => `/_sandbox/${name}`);
    const requests = [
      get('/_sandbox/stream', FOREIGN),
      ...[...paths, ...others, '/openapi.json'].map(path => get(path)),
    ];
    const responses = [readResponses(socket, requests.length), readResponses(dashboard)];
    socket.write(requests.join(''));
    dashboard.write(get('/dashboard'));
    await Promise.all(responses);
    sandbox.child.kill('SIGUSR2');
    await sandbox.complained(/^released$/m);
    expect(await brokenOperations(sandbox.origin)).toEqual([]);
    for (const path of ['/openapi.json', '/dashboard']) {
      expect([path, (await fetch(sandbox.origin + path)).status]).toEqual([path, 200]);
    }
    expect((await sandbox.ask('GET', '/_sandbox/stories')).body).not.toEqual([]);
  },
);

test.skipIf(!isLinux)(
  'a server that has run for some seconds needs none of its modules from the disk',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-modules-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['bin', 'dist', 'fixtures', 'package.json']) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    const sandbox = await startLimited(1_024, LIST_MODULES, join(folder, 'bin/card-sandbox.js'));
    const dist = join(folder, 'dist');
    // The last that it loads.
    const stories = readdirSync(dist).find(file => /^stories-.*\.cjs$/.test(file)) ?? '';
    await expect
      .poll(() => {
        sandbox.child.kill('SIGUSR2');
        const loaded: string[] = JSON.parse(sandbox.stderr().trimEnd().split('\n').at(-1) || '[]');
        return loaded;
      })
      .toContain(join(dist, stories));
    for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (/\.c?js$/.test(file) && !file.startsWith('dashboard')) rmSync(join(dist, file));
    }
    const { ask } = sandbox;
    const expectStatus = async (status: number, ...request: Parameters<typeof ask>) => {
      const response = await ask(...request);
      expect([request, response.status, response.text.slice(0, 300)]).toEqual([
        request,
        status,
        expect.anything(),
      ]);
      return response;
    };
    const receiver = await receive(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    await expectStatus(200, 'PUT', '/_sandbox/forwarding', { url: receiver.url });
    await expectStatus(200, 'POST', '/_sandbox/balance/top-up', { amount: 1 });
    await expectStatus(200, 'POST', '/_sandbox/wait', {
      eventType: 'balance.top_up',
      status: 'delivered',
      timeoutMs: 60_000,
    });
    const fixture = { cardholders: [{ generate: 3 }] };
    await expectStatus(201, 'POST', '/_sandbox/worlds', { fixtures: ['starter', fixture] });
    const state = (await expectStatus(200, 'GET', '/_sandbox/state')).body;
    await expectStatus(204, 'PUT', '/_sandbox/state', state);
    for (const path of ['/dashboard', '/openapi.json', '/openapi.yaml', '/openapi.json?plane=control']) {
      expect([path, (await fetch(sandbox.origin + path)).status]).toEqual([path, 200]);
    }
    const [story] = (await expectStatus(200, 'GET', '/_sandbox/stories')).body;
    await expectStatus(200, 'POST', `/_sandbox/stories/${story.id}/steps`, { to: 2 });
    expect(await brokenOperations(sandbox.origin)).toEqual([]);
  },
);
