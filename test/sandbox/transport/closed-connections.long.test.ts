import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startCli } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');
const TLS = { key: file('key.pem'), cert: file('certificate.pem') };
const CLOSING = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
/** Attempts to send a webhook. */
const WEBHOOKS = size(10_000, 50_000);
/** MiB of heap. A connection that stays in memory takes 14 kB. */
const HEAP = size(100, 200);
const AT_ONCE = 20;
/** Short, because many attempts wait for it. */
const TIMEOUT = '500ms';
/** Fast, so that what cannot be delivered ends: what is still to be retried is kept. */
const RETRY_SPEED = 1_000_000;
/** The attempts of a delivery that fails. */
const ATTEMPTS = 6;
/** The share of events whose receiver never responds: each of their attempts takes the whole timeout. */
const HANGING = 0.1;

/** Listens on loopback until the test ends. Returns the port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const onData = (answer: (socket: Socket) => void) => (socket: Socket) => {
  socket.on('error', () => undefined).once('data', () => answer(socket));
};

test('a small heap survives many webhooks to receivers that close, reset, refuse, hang up, never respond and speak TLS', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const close = onData(socket => socket.end(CLOSING));
  const accepting = [
    `http://127.0.0.1:${await listen(createServer(close))}/`,
    `https://127.0.0.1:${await listen(createTlsServer(TLS, close))}/`,
  ];
  const failing = [
    `http://127.0.0.1:${await listen(createServer(onData(socket => socket.resetAndDestroy())))}/`,
    'http://127.0.0.1:1/',
    `http://127.0.0.1:${await listen(createServer(socket => socket.destroy()))}/`,
  ];
  const hanging = `http://127.0.0.1:${await listen(createServer(onData(() => undefined)))}/`;
  const urls = [...accepting, ...failing, hanging];
  const { ask } = await startCli(
    [
      ...['--rate-limit', '0', '--insecure-webhook-tls', '--assume', `webhook-timeout=${TIMEOUT}`],
      ...['--retry-speed', String(RETRY_SPEED), '--forward-to', accepting[0] ?? ''],
    ],
    { NODE_OPTIONS: `--max-old-space-size=${HEAP}` },
  );
  const perEvent = accepting.length + (failing.length + HANGING) * ATTEMPTS;
  const each = Math.ceil(WEBHOOKS / perEvent);
  for (const url of urls) {
    await ask('PUT', '/_sandbox/forwarding', { url, allowHttp: true });
    let left = url === hanging ? Math.ceil(each * HANGING) : each;
    const send = async () => {
      while (left-- > 0) {
        const raised = await ask('POST', '/_sandbox/events', { eventType: 'balance.top_up' });
        if (raised.status !== 201) throw new Error(`${raised.status} ${JSON.stringify(raised.body)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    await ask('POST', '/_sandbox/clock/advance', { duration: '1m' });
    const deliveries = await ask('GET', '/_sandbox/deliveries');
    expect(deliveries.body[0].attempts).toHaveLength(accepting.includes(url) ? 1 : ATTEMPTS);
  }
  recordResult(
    context,
    `${WEBHOOKS} webhooks to receivers of ${urls.length} kinds, in a heap of ${HEAP} MiB`,
  );
});
