import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { launch, shutDown } from '../../../../src/cli/sandbox/launch.ts';
import { sandboxFlags } from '../../../../src/cli/sandbox/sandbox-flags.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { requester } from '../../../support/cli-process.ts';
import { listen } from '../../../support/listen.ts';

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

/** How long a stop waits for what comes, and how long for what never comes. */
const [LONG, SHORT] = ['30s', '1s'];

const STOPPED = { pid: 7, machine: 'elsewhere', instance: 'one' };

test.each([
  [
    'a process that keeps running',
    STOPPED,
    [200, 'one'],
    'process 7 of the sandbox at URL has not ended in time',
  ],
  ['a process that does not answer', null, [200, 'one'], 'the server at URL does not answer in time'],
  [
    ...(['a state that is not saved', { ...STOPPED, saveError: 'disk full' }, [502, '']] as const),
    'process 7 of the sandbox at URL has ended, but its state is not saved: disk full',
  ],
  ['a process behind a proxy', STOPPED, [502, ''], null],
  ['another process on the port', STOPPED, [200, 'two'], null],
  ['a process that refuses later', STOPPED, [403, ''], /^error: .*403/],
] as const)('stop waits for the end of %s', async (_, stopped, [status, instance], problem) => {
  const url = await listen((request, response) => {
    if (request.method === 'POST' && stopped === null) return;
    response.writeHead(request.method === 'POST' ? 200 : status, { 'card-sandbox': 'control-plane' });
    response.end(
      JSON.stringify(request.method === 'POST' ? stopped : { process: { instance }, error: `${status}` }),
    );
  });
  const timeout = typeof problem === 'string' && problem.endsWith('in time') ? SHORT : LONG;
  const { code, stderr } = await runInProcess(['stop', '--url', url, '--timeout', timeout]);
  expect(code).toBe(problem === null ? 0 : 1);
  if (typeof problem === 'string') expect(stderr).toBe(`error: ${problem.replace('URL', url)}\n`);
  else expect(stderr).toMatch(problem ?? /^$/);
});
