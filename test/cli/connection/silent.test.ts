import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AbortSignal } from '../../../src/core/values/builtins.ts';
import { launchHere, runInProcess } from '../../support/cli-in-process.ts';

/** Starts a server that accepts connections and never answers. Resolves with its address, and with its next connection. */
async function silent() {
  const sockets = new Set<Socket>();
  const server = createServer(socket => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, connected: once(server, 'connection') };
}

/** Lets limits of time pass a hundred times as fast. */
function hurry() {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => timeout(Math.ceil(ms / 100)));
  onTestFinished(() => spy.mockRestore());
}

test.each([['info'], ['env'], ['exec', '--on'], ['demo', 'kyc-reimport']])(
  '%s %s fails when a server does not answer whether it is a sandbox',
  async (...words) => {
    hurry();
    const { url } = await silent();
    const address = words.includes('--on') ? [url, '--', 'true'] : ['--url', url];
    expect(await runInProcess([...words, ...address])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`error: the server at ${url} does not answer within 10 s; start one`),
    });
  },
);

test('stop fails within its --timeout when a server does not answer', async () => {
  const { url } = await silent();
  expect(await runInProcess(['stop', '--timeout', '20ms', '--url', url])).toMatchObject({
    code: 1,
    stderr: `error: the server at ${url} does not answer in time\n`,
  });
});

test('a signal ends exec --on while a server does not answer', async () => {
  const { url, connected } = await silent();
  const exec = launchHere(['exec', '--on', url, '--', 'true']);
  await connected;
  expect(await exec.stop()).toBe(143);
});
