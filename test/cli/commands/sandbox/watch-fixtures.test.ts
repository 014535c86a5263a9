import { execFileSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { startCli, startWithReadableLog } from '../../../support/cli-process.ts';
import { newCardholder } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const person = (firstName: string) => `cardholders:\n  - { id: ch_mia, firstName: ${firstName} }\n`;

/** Replaces a file with a new one, as editors do: on a busy machine, a write in place can be read half done. */
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

test('a changed fixture is reloaded, and the dropped records are counted', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(file, person('Mia'));
  const sandbox = await startCli(['--fixtures', 'empty', file, '--watch']);
  const nameNow = async () => (await sandbox.ask('GET', '/v1/partner/cardholders/ch_mia')).body.firstName;
  await sandbox.ask('POST', '/v1/partner/cardholders', newCardholder());
  await replaceFile(file, person('Ada'));
  const [line] = await sandbox.printed(/^.*"type":"reloaded".*$/m);
  expect(JSON.parse(line)).toEqual({
    type: 'reloaded',
    files: [file],
    dropped: { cardholder: 1, 'share token': 1 },
  });
  expect(await nameNow()).toBe('Ada');

  await replaceFile(file, 'cardholders: [{ frstName: Eve }]');
  const [failed] = await sandbox.printed(/^.*"type":"reload_failed".*$/m);
  expect(JSON.parse(failed).problems).toEqual([expect.stringContaining('did you mean "firstName"?')]);
  expect(await nameNow()).toBe('Ada');

  await replaceFile(file, person('Eve'));
  await sandbox.printed(/"type":"reloaded"[\s\S]*"type":"reloaded"/);
  expect(await nameNow()).toBe('Eve');
});

test('a fixture that is replaced by a pipe is reported, and the sandbox keeps running', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(file, person('Mia'));
  const sandbox = await startCli(['--fixtures', 'empty', file, '--watch']);
  execFileSync('mkfifo', [`${file}.pipe`]);
  await rename(`${file}.pipe`, file);
  const [failed] = await sandbox.printed(/^.*"type":"reload_failed".*$/m);
  expect(JSON.parse(failed).problems).toEqual([expect.stringContaining('is not a regular file')]);
  expect((await sandbox.ask('GET', '/v1/partner/cardholders/ch_mia')).body.firstName).toBe('Mia');
});

test('for people a log line says what was dropped', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(file, person('Mia'));
  const { printed, complained } = await startWithReadableLog([
    '--fixtures',
    'empty',
    '--fixtures',
    file,
    '--watch',
  ]);
  await replaceFile(file, person('Ada'));
  await printed(/^reloaded .*people\.yaml; nothing was dropped$/m);
  await replaceFile(file, 'cards: 7');
  await complained(
    /^error: the changed fixtures are invalid; nothing was reloaded:\n {2}.*people\.yaml:1: /m,
  );
});

test('a world that came from the state file is left alone until a reset', async () => {
  const file = await temporaryFile('people.yaml');
  const state = await temporaryFile('world.json');
  await writeFile(file, person('Mia'));
  const flags = ['--fixtures', 'empty', file, '--state', state, '--watch'];
  const first = await startCli(flags);
  const added = await first.ask('POST', '/v1/partner/cardholders', newCardholder());
  first.child.kill();
  await first.ended;
  const sandbox = await startCli(flags);
  await replaceFile(file, person('Ada'));
  const [line] = await sandbox.printed(/^.*"type":"reload_deferred".*$/m);
  expect(JSON.parse(line)).toMatchObject({
    files: [file],
    reason: 'the world came from the state file; the next reset starts with the changed fixtures',
  });
  expect((await sandbox.ask('GET', `/v1/partner/cardholders/${added.body.id}`)).status).toBe(200);
  await sandbox.ask('POST', '/_sandbox/reset');
  expect((await sandbox.ask('GET', '/v1/partner/cardholders/ch_mia')).body.firstName).toBe('Ada');
  await replaceFile(file, person('Eve'));
  await sandbox.printed(/"type":"reloaded"/);
});

test('--watch without a file to watch is wrong usage', async () => {
  expect(await runInProcess(['start', '--port', '0', '--watch'])).toMatchObject({
    code: 2,
    stderr: 'error: --watch needs a fixture file to watch; pass one with --fixtures\n',
  });
});
