import { expect, test } from 'vitest';
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
