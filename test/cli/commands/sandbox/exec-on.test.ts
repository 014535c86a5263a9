import { expect, test } from 'vitest';
import { runInProcess, sharedSandbox } from '../../../support/cli-in-process.ts';
import { deserted } from '../../support/deserted.ts';

const { run, json, running } = sharedSandbox();

test.each([
  [
    ['--port', '4242'],
    "option '--port <number>' cannot be used with --on: it belongs to the sandbox that runs already",
  ],
  [['--map', 'a=b'], "option '--map <from=to>' cannot be used with --on"],
  [['--names', 'service=acme'], "option '--names <pairs>' cannot be used with --on"],
  [['--watch'], "option '--watch' cannot be used with --on"],
  [['--max-worlds', '3'], "option '--max-worlds <number>' cannot be used with --on"],
  [['--state', 'a.json'], 'the running sandbox keeps the state'],
  [['--log-format', 'json'], 'card-sandbox tail --world follows one world'],
  [['--json'], 'card-sandbox tail --world follows one world'],
  [['--kyc-delay', 'soon'], "option '--kyc-delay <duration>' argument 'soon' is invalid"],
])('exec --on with %j is wrong usage, and creates no world', async (words, message) => {
  const refused = await run('exec', '--on', running().url, ...words, '--', 'true');
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(await json('worlds', 'list')).toHaveLength(1);
});

test('exec --on reports an address without a sandbox, and options that the sandbox refuses', async () => {
  const url = await deserted();
  expect(await runInProcess(['exec', '--on', url, '--', 'true'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`no sandbox answers at ${url}`),
  });
  expect(await run('exec', '--on', running().url, '--fixtures', 'startre', '--', 'true')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean "starter"?'),
  });
});
