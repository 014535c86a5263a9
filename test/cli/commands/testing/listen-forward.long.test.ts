import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveHere } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'listen --forward-to puts the former forwarding back on %s',
  async signal => {
    const sandbox = await serveHere(['--freeze', '--forward-to', 'http://127.0.0.1:9/start']);
    const { body: before } = await sandbox.ask('GET', '/_sandbox/forwarding');
    const url = 'http://127.0.0.1:9/app';
    const flags = ['--json', '--url', sandbox.url, '--forward-to', url];
    const listening = startProcess(process.execPath, [CLI_PROGRAM, 'listen', ...flags]);
    await listening.printed(/^.*\n/);
    expect((await sandbox.ask('GET', '/_sandbox/forwarding')).body.url).toBe(url);
    listening.child.kill(signal);
    expect(await listening.ended).toEqual({ code: 0, signal: null });
    expect((await sandbox.ask('GET', '/_sandbox/forwarding')).body).toEqual(before);
  },
);

test('listen --forward-to ends quietly when it is stopped before the sandbox has answered', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const flags = ['--url', `http://127.0.0.1:${port}`, '--forward-to', 'http://127.0.0.1:9/app'];
  const listening = startProcess(process.execPath, [CLI_PROGRAM, 'listen', ...flags]);
  await once(silent, 'connection');
  listening.child.kill('SIGINT');
  expect(await listening.ended).toEqual({ code: 0, signal: null });
  expect(listening.stdout() + listening.stderr()).toBe('');
});
