import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI_PROGRAM, runCli, startProcess } from '../support/cli-process.ts';
import { temporaryFile } from './support/temporary-file.ts';

const NEVER = 'await new Promise(() => {});\n';
/** A module that also keeps the process busy with something else, as one with an open connection does. */
const NEVER_IDLE = `setInterval(() => {}, 1_000); ${NEVER}`;
const NEVER_BUILT = `import { defineFixture } from ${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))};
export default defineFixture(() => new Promise(() => {}));\n`;

const CASES: readonly (readonly [string, string, ...string[]])[] = [
  [NEVER, 'exec', '--handlers', 'FILE', '--', 'sh', '-c', 'exit 0'],
  [NEVER_IDLE, 'exec', '--fixtures', 'FILE', '--', 'sh', '-c', 'exit 0'],
  [NEVER, 'exam', '--fixtures', 'FILE', '--', 'sh', '-c', 'exit 0'],
  [NEVER, 'start', '--port', '0', '--fixtures', 'FILE'],
  [NEVER_BUILT, 'start', '--port', '0', '--fixtures', 'FILE'],
  [NEVER, 'fixtures', 'validate', 'FILE'],
];

test('a module that never settles is named, and the command that loads it fails', async () => {
  // At the same time, because each waits for 10 s.
  const runs = CASES.map(async ([text, ...args]) => {
    const file = await temporaryFile('module.mjs');
    await writeFile(file, text);
    return { file, ...(await runCli(args.map(each => (each === 'FILE' ? file : each)))) };
  });
  for (const { file, code, stdout, stderr } of await Promise.all(runs)) {
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(file);
    expect(stderr).toMatch(/after 10 s; something that it awaits (at its top level )?never settles/);
  }
});

test('a module that ends the process while it is loaded is named, and nothing passes or is left behind', async () => {
  const file = await temporaryFile('module.mjs');
  await writeFile(file, 'process.exit(0);');
  for (const args of [
    ['exec', '--handlers', file, '--', 'true'],
    ['exec', '--fixtures', file, '--', 'true'],
    ['exam', '--fixtures', file, '--', 'true'],
    ['start', '--port', '0', '--handlers', file],
  ]) {
    const { code, stderr } = await runCli(args, { TMPDIR: dirname(file) });
    expect([args, code, stderr]).toEqual([args, 1, `error: ${file} ended the process while it was loaded\n`]);
  }
  expect(await readdir(dirname(file))).toEqual(['module.mjs']);
});

test.each(['exec', 'exam'])(
  '%s does not pass when a module ends the process while its command runs',
  async name => {
    const file = await temporaryFile('module.mjs');
    await writeFile(file, "process.on('SIGWINCH', () => process.exit(0)); export const handlers = [];");
    const command = ['sh', '-c', 'kill -WINCH $PPID; sleep 60'];
    const { code, stderr } = await runCli([name, '--handlers', file, '--', ...command]);
    expect([code, stderr]).toEqual([
      1,
      'error: the process was ended before the command was done, by a module that it has loaded\n',
    ]);
  },
);

test('exec that is stopped while it loads fixtures leaves nothing behind', async () => {
  const file = await temporaryFile('module.mjs');
  await writeFile(file, `console.log('loading'); ${NEVER_IDLE}`);
  const loading = startProcess(process.execPath, [CLI_PROGRAM, 'exec', '--fixtures', file, '--', 'true'], {
    TMPDIR: dirname(file),
  });
  await loading.printed(/loading/);
  loading.child.kill('SIGTERM');
  expect(await loading.ended).toEqual({ code: null, signal: 'SIGTERM' });
  expect(await readdir(dirname(file))).toEqual(['module.mjs']);
});

test.each(['openapi', 'fixtures schema', '--help'])(
  '%s fails on a full disk, and not when its reader goes away',
  async command => {
    const shell = (redirection: string) =>
      startProcess('bash', [
        '-c',
        `set -o pipefail; "$0" "$1" ${command} ${redirection}`,
        process.execPath,
        CLI_PROGRAM,
      ]);
    const full = shell('> /dev/full');
    expect(await full.ended).toMatchObject({ code: 1 });
    expect(full.stderr()).toMatch(/standard output cannot be written: ENOSPC/);
    expect(await shell('| head -c 1 > /dev/null').ended).toMatchObject({ code: 0 });
  },
);
