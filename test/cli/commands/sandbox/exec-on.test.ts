import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess, sharedSandbox } from '../../../support/cli-in-process.ts';
import { deserted } from '../../support/deserted.ts';
import { folder } from '../exec/run-exec.ts';

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
  const handlers = process.listenerCount('SIGTERM');
  expect(await runInProcess(['exec', '--on', url, '--', 'true'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`no sandbox answers at ${url}`),
  });
  expect(await run('exec', '--on', running().url, '--fixtures', 'startre', '--', 'true')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean "starter"?'),
  });
  // Signals end the process again.
  expect(process.listenerCount('SIGTERM')).toBe(handlers);
});

test('exec --on ends its world when there is no folder for records', async () => {
  const variables = { TMPDIR: '/none', TEMP: '/none', TMP: '/none' };
  expect(await runInProcess(['exec', '--on', running().url, '--', 'true'], variables)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/none'),
  });
  expect(await json('worlds', 'list')).toHaveLength(1);
});

/** Runs exec --on with a script that has `call(method, path)` and `control(method, path, body)`. */
const execOn = (script: string, ...flags: string[]) => {
  const calls = `
    const { CARD_SANDBOX_URL: url, CARD_SANDBOX_WORLD: id, SERVICE_API_KEY: key } = process.env;
    const send = (method, path, body) => fetch(url + path, {
      method, body: body && JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-service-api-key': key },
    }).then(response => response.text());
    const call = (method, path) => send(method, '/v1/partner' + path);
    const control = (method, path, body) => send(method, '/_sandbox/worlds/' + id + path, body);`;
  const words = [process.execPath, '--input-type=module', '-e', `${calls}${script}`];
  return run('exec', '--on', running().url, ...flags, '--', ...words);
};

test('exec --on after a rewind to the oldest entry has what followed it', async () => {
  const { stderr } = await execOn(`
    await call('GET', '/balance');
    await control('POST', '/rewind', { to: 'ent_1' });
    await call('GET', '/cards/none');
    process.exitCode = 3;`);
  expect(stderr).toMatch(/^Refused requests\n {2}404 GET \/v1\/partner\/cards\/none /);
});

test('exec --on says how many requests are missing that the history no longer has', async () => {
  const dir = await folder();
  const { stderr } = await execOn(
    `for (let count = 0; count < 1_010; count++) await call('GET', '/balance');
    process.exitCode = 3;`,
    ...['--rate-limit', '0', '--artifacts', dir],
  );
  expect(stderr).toMatch(/^error: the record of world \S+ has the last 1000 of 1010 requests and calls: /);
  const summary = await readFile(join(dir, 'summary.md'), 'utf8');
  expect(summary).toMatch(/^ {4}Something may be missing:\n {6}the record of world \S+ has the last 1000 /m);
  expect(summary).not.toContain('refused nothing');
});

test('exec --on says why it could not read or end the world that the command has ended', async () => {
  const dir = await folder();
  const { code, stderr } = await execOn(
    `await control('DELETE', '');
    process.exitCode = 3;`,
    ...['--artifacts', dir],
  );
  const summary = await readFile(join(dir, 'summary.md'), 'utf8');
  expect(summary).toMatch(/^ {6}the record of world \S+ cannot be read: no world /m);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/error: the world \S+ could not be ended: no world /),
  ]);
  expect(stderr + summary).not.toContain('Nothing was recorded');
});
