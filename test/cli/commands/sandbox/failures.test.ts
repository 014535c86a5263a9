import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runInProcess, startHere } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

/** Runs a start that fails, and returns its message. */
async function failedStart(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['start', ...args]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

test('a busy port is one clear message', async () => {
  const { listening } = await startHere();
  const { port } = new URL(listening.url);
  expect(await failedStart('--port', port)).toBe(
    `error: port ${port} on 127.0.0.1 is in use; stop the process that listens there, or pass --port 0 for a free port\n`,
  );
});

test.each(['256.1.1.1', '192.0.2.1'])('--host %s is not an address of this machine', async host => {
  expect(await failedStart('--port', '0', '--host', host)).toBe(
    `error: --host ${host} is not an address of this machine; pass 127.0.0.1, or 0.0.0.0 for all its addresses\n`,
  );
});

test('a fixture with mistakes lists each with file, line and field', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(
    file,
    [
      'partners:',
      '  - id: partner_one',
      '    apiKey: sk_live_0123456789abcdef',
      'cardholders:',
      '  - externalUserId: user_1',
      '    emial: mia@example.com',
      '    email: not an address',
    ].join('\n'),
  );
  const [first, ...problems] = (await failedStart('--fixtures', file)).trimEnd().split('\n');
  expect(first).toBe('error: the fixtures are invalid:');
  expect(problems.toSorted()).toEqual([
    expect.stringMatching(`^  ${file}:3: partners\\[0\\].apiKey: must .*sk_test_`),
    expect.stringMatching(`^  ${file}:6: cardholders\\[0\\].emial: is unknown, did you mean "email"`),
    expect.stringMatching(`^  ${file}:7: cardholders\\[0\\].email: must be a valid email address`),
  ]);
  expect(problems.join()).not.toContain('sk_live_0123456789abcdef');
});

test('a fixture that is not YAML is refused with line and column', async () => {
  const file = await temporaryFile('broken.yaml');
  await writeFile(file, 'partners:\n  - id: "partner_one\n');
  expect(await failedStart('--fixtures', file)).toMatch(`  ${file}:`);
  expect(await failedStart('--fixtures', file)).toMatch(/broken\.yaml:\d+:\d+: /);
});

test('the problems of several fixtures are reported together', async () => {
  const message = await failedStart('--fixtures', './one.yaml', './two.yaml');
  expect(message).toMatch(/one\.yaml.*\n.*two\.yaml.*\n$/);
});

test('control characters in a fixture do not reach the terminal', async () => {
  const file = await temporaryFile('evil.yaml');
  await writeFile(file, '"\\e[31mkey": 1\n');
  const message = await failedStart('--fixtures', file);
  expect(message).toContain('\\u001b[31mkey');
  expect(message).not.toContain('\u001b');
});
