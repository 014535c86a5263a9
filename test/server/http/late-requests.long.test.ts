import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCli } from '../../support/cli-process.ts';
import { ACME_KEY } from '../../support/sandbox.ts';
import { AUTHENTICATED, HOST, open, readResponses } from './raw.ts';

/** Longer than the server lets a head take to arrive. */
const STOPPED_MS = 6_500;
const BODY = '{"externalUserId":"late"}';
const POST = `POST /v1/partner/kyc-sessions HTTP/1.1\r\n${HOST}x-service-api-key: ${ACME_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const GET = `GET /v1/partner/balance HTTP/1.1\r\n${AUTHENTICATED}\r\n`;

/** Resolves with all that a connection receives until it is closed. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test.skipIf(process.platform === 'win32')(
  'a request that arrived in time is answered, however long the process was stopped',
  async () => {
    const { child, listening } = await startCli();
    const { url: origin } = listening;
    const fresh = await Promise.all(Array.from({ length: 5 }, () => open(origin)));
    const used = await open(origin);
    const first = readResponses(used);
    used.write(POST + BODY);
    expect((await first)[0]?.status).toBe(201);
    const half = await open(origin);
    half.write(POST.slice(0, 40));
    await sleep(100);
    child.kill('SIGSTOP');
    const responses = [...fresh, used].map(socket => {
      const response = readResponses(socket);
      socket.write(GET);
      return response;
    });
    responses.push(readResponses(half));
    half.write(POST.slice(40));
    await sleep(STOPPED_MS);
    child.kill('SIGCONT');
    // The rest of a request that was read late has time, too.
    await sleep(1_000);
    half.write(BODY);
    const statuses = (await Promise.all(responses)).map(([response]) => response?.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 201]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a connection on which a request comes too late is closed without a response',
  async () => {
    const { child, listening } = await startCli();
    const { url: origin } = listening;
    const ways = { silent: '', 'half a head': GET.slice(0, 40), 'half a body': POST + BODY.slice(0, 9) };
    const sockets = await Promise.all(Object.values(ways).map(() => open(origin)));
    for (const [index, text] of Object.values(ways).entries()) sockets[index]?.write(text);
    const stopped = await open(origin);
    await sleep(100);
    child.kill('SIGSTOP');
    stopped.write(GET.slice(0, 40));
    await sleep(STOPPED_MS);
    child.kill('SIGCONT');
    expect(await Promise.all([...sockets, stopped].map(received))).toEqual(['', '', '', '']);
  },
);
