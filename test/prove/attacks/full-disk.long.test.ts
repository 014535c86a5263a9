import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { CLI_PROGRAM, requester, startProcess } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';

const SAVES = size(5, 100);
/** What the system lets the process write to one file, in blocks of 512 bytes. */
const BLOCKS = 512;

test('full disk: a save that fails keeps the last whole state and leaves nothing behind, and the sandbox goes on', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const folder = temporaryFolder();
  const file = join(folder, 'world.state');
  const start = [process.execPath, CLI_PROGRAM, 'start', '--port', '0', '--log-format', 'json'];
  const options = ['--state', file, '--rate-limit', '0', '--fixtures', 'empty'];
  const script = `ulimit -f ${BLOCKS}; exec "$@"`;
  const sandbox = startProcess('sh', ['-c', script, 'sh', ...start, ...options]);
  const [line] = await sandbox.printed(/^.*\n/);
  const { ask } = requester(JSON.parse(line).url);
  expect((await ask('POST', '/_sandbox/state/save')).status).toBe(200);
  expect(existsSync(file)).toBe(true);
  const session = { redirectUrl: `https://app.example/${'x'.repeat(1_500)}` };
  for (let count = 0; count < 400; count++) await ask('POST', '/v1/partner/kyc-sessions', session);
  // Ends after the last save that may have succeeded by itself on the way.
  expect((await ask('POST', '/_sandbox/state/save')).status).toBe(500);
  const saved = readFileSync(file, 'utf8');
  for (let save = 0; save < SAVES; save++) {
    const { status, body } = await ask('POST', '/_sandbox/state/save');
    expect([status >= 400, body.success]).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).toBe(saved);
    // The sandbox also tries by itself once a second, and has a file of its own while it does.
    await expect.poll(() => readdirSync(folder)).toEqual(['world.state', 'world.state.lock']);
  }
  expect((await ask('POST', '/v1/partner/kyc-sessions', {})).status).toBe(201);
  sandbox.child.kill('SIGTERM');
  const { code } = await sandbox.ended;
  expect([code, sandbox.stderr()]).toEqual([1, expect.stringMatching(/world\.state.*cannot be saved/)]);
  expect(readFileSync(file, 'utf8')).toBe(saved);
  expect(readdirSync(folder)).toEqual(['world.state']);
  recordResult(context, `${SAVES} failed saves and one at the end, 0 states lost`);
});
