import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type SandboxProcess, startCli } from '../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';
import { ACME_KEY } from '../support/sandbox.ts';

const CLIENTS = size(25, 200);
const PROBES = size(40, 400);
/** A machine that runs many other tests gets a higher limit. */
const LIMIT_MS = size(1_000, 50);
const GET = `GET /v1/partner/cards?limit=100 HTTP/1.1\r\nHost: localhost\r\nx-service-api-key: ${ACME_KEY}\r\n\r\n`;
const POST = `POST /v1/partner/cards HTTP/1.1\r\nHost: localhost\r\nx-service-api-key: ${ACME_KEY}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"a":"`;

/** Keeps a misbehaving connection open, and reconnects whenever the sandbox closes it. */
function keepConnected({ listening }: SandboxProcess, behave: (socket: Socket) => void): void {
  let isFinished = false;
  let socket: Socket;
  const open = () => {
    if (isFinished) return;
    socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('connect', () => behave(socket));
    socket.on('close', open);
  };
  open();
  onTestFinished(() => {
    isFinished = true;
    socket.destroy();
  });
}

/** Sends a text and then one byte at a time. */
function trickle(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write('x'), 100);
  socket.on('close', () => clearInterval(timer));
}

test.for<[string, (socket: Socket) => void]>([
  [
    'never finish their headers',
    socket => trickle(socket, 'GET /v1/partner/cards HTTP/1.1\r\nHost: localhost\r\nX-'),
  ],
  ['never finish their bodies', socket => trickle(socket, POST)],
  [
    'send many requests and read nothing',
    socket => {
      socket.pause();
      socket.write(GET.repeat(50));
    },
  ],
])(
  'clients that %s do not delay others: the median and the 95th percentile of a probe stay below 50 ms',
  { timeout: PROOF_TIMEOUT_MS },
  async ([, behave], context) => {
    const sandbox = await startCli(['--rate-limit', '0']);
    for (let client = 0; client < CLIENTS; client++) keepConnected(sandbox, behave);
    const times: number[] = [];
    for (let probe = 0; probe < PROBES; probe++) {
      const startedAt = performance.now();
      const { status } = await sandbox.ask('GET', '/v1/partner/cards?limit=1');
      times.push(performance.now() - startedAt);
      expect(status).toBe(200);
    }
    times.sort((a, b) => a - b);
    const [median = 0, late = 0] = [times[Math.floor(PROBES / 2)], times[Math.floor(PROBES * 0.95)]];
    expect({ isPrompt: median < LIMIT_MS, isNeverLate: late < LIMIT_MS, median, late }).toMatchObject({
      isPrompt: true,
      isNeverLate: true,
    });
    recordResult(context, `${CLIENTS} clients, ${PROBES} probes`);
  },
);
