import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { launch, shutDown } from '../../../../src/cli/sandbox/launch.ts';
import { sandboxFlags } from '../../../../src/cli/sandbox/sandbox-flags.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { requester } from '../../../support/cli-process.ts';

/** Serves a sandbox as `start` does, with a process on another machine, which ends when the sandbox is stopped. */
async function serveAsStart() {
  const flags = sandboxFlags(new Command(), 0).parse([], { from: 'user' });
  const end = () => shutDown({ sandbox, server });
  const process = { pid: 7, machine: 'elsewhere', instance: 'one', startedAt: '', stop: () => void end() };
  const { sandbox, server } = await launch(flags.opts(), null, process);
  onTestFinished(end);
  await requester(server.origin).ask('POST', '/_sandbox/worlds', { id: 'blue' });
  return server.origin;
}

test.each([[[]], [['--world', 'main']]])(
  'stop %j ends the sandbox whatever world the variable names',
  async words => {
    const url = await serveAsStart();
    const variables = { CARD_SANDBOX_URL: url, CARD_SANDBOX_WORLD: 'blue' };
    expect(await runInProcess(['stop', '--json', ...words], variables)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"stopped":true'),
    });
  },
);

test('stop of one world is wrong usage', async () => {
  const url = await serveAsStart();
  expect(await runInProcess(['stop', '--url', url, '--world', 'blue'])).toMatchObject({
    code: 2,
    stderr: 'error: stop ends the sandbox with all its worlds; worlds remove blue ends one world\n',
  });
  const instance = ['--instance', 'one'];
  expect(await runInProcess(['env', '--url', url, '--world', 'blue', ...instance])).toMatchObject({
    code: 0,
  });
});
