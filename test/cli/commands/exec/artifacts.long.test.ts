import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, runCli, startProcess } from '../../../support/cli-process.ts';
import { startSandbox } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { command, exec, execScript, FILES, folder, INDEX, linesOf, pathsIn } from './run-exec.ts';

test.runIf(process.platform === 'linux')(
  'a folder that can never be created is an error, not a wait',
  async () => {
    const summary = await temporaryFile('summary.md');
    const { code, stderr } = await exec(5, ['--artifacts', '/proc/artifacts/deep'], {
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(code).toBe(5);
    expect(stderr).toContain(
      'error: the folder /proc/artifacts/deep of --artifacts cannot be created (ENOENT); pass another folder\n',
    );
    // Nothing was saved that could be played.
    for (const text of [stderr, await readFile(summary, 'utf8')])
      expect(text).not.toContain('npx card-sandbox');
  },
);

test.runIf(process.platform === 'linux')(
  'a record that cannot be written on is cut short, and the summary says why',
  async () => {
    const dir = await folder();
    const script = `for (let count = 0; count < 250; count++)
      await fetch(process.env.SERVICE_BASE_URL + '/partner/balance', { headers: { 'x-service-api-key': process.env.SERVICE_API_KEY } });
    process.exit(3);`;
    const words = [
      'exec',
      '--rate-limit',
      '0',
      '--artifacts',
      dir,
      '--',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const limited = ['-c', 'ulimit -f 120; exec "$@"', 'sh', process.execPath, CLI_PROGRAM, ...words];
    const { ended } = startProcess('sh', limited);
    expect(await ended).toMatchObject({ code: 3 });
    const summary = await readFile(join(dir, 'summary.md'), 'utf8');
    expect(summary).toMatch(/^ {4}Something may be missing:\n.*world main cannot be written to .*: EFBIG/m);
    expect(summary).toMatch(/^ {4}Cut short, .*: main\.$/m);
    expect(await readFile(join(dir, 'main.record.jsonl'), 'utf8')).not.toContain(`{"end":`);
  },
);

test('each world has a record, one that has ended and one of the same id too, and those of an earlier run go', async () => {
  const dir = await folder();
  await mkdir(dir, { recursive: true });
  for (const name of ['old.record.jsonl', 'notes.md']) await writeFile(join(dir, name), '[]');
  const { code, stderr } = await execScript(
    `const url = process.env.CARD_SANDBOX_URL + '/_sandbox';
    const send = (method, path, body) => fetch(url + path, { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    const call = async (key, path) => fetch(process.env.SERVICE_BASE_URL + path, { headers: { 'x-service-api-key': key } });
    for (const path of ['/partner/cards/card_one', '/partner/cards/card_two']) {
      const { partners } = await (await send('POST', '/worlds', { id: 'blue' })).json();
      await call(partners[0].apiKey, path);
      await send('POST', '/worlds/blue/reset');
      await send('DELETE', '/worlds/blue');
    }
    const { partners } = await (await send('POST', '/worlds', { id: 'green' })).json();
    await call(partners[0].apiKey, '/partner/balance');
    await send('POST', '/worlds', { id: 'idle' });
    process.exit(7);`,
    ['--artifacts', dir],
  );
  expect(code).toBe(7);
  expect((await readdir(dir)).toSorted()).toEqual([
    ...['blue.2.record.jsonl', 'blue.record.jsonl', 'green.record.jsonl', 'notes.md', ...FILES.slice(1)],
  ]);
  expect(await pathsIn(dir, 'blue')).toEqual(['/v1/partner/cards/card_one', '/_sandbox/reset']);
  expect(await pathsIn(dir, 'blue.2')).toEqual(['/v1/partner/cards/card_two', '/_sandbox/reset']);
  expect(await pathsIn(dir, 'green')).toEqual(['/v1/partner/balance']);
  expect(stderr).toMatch(/404 GET \/v1\/partner\/cards\/card_one \(req_\w+ in blue\)\n {6}no card .*\n/);
  expect(stderr).toMatch(/404 GET \/v1\/partner\/cards\/card_two \(req_\w+ in blue\.2\)\n {6}no card .*\n/);
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toContain(
    'Requests: 3, webhooks: 0, worlds and sandboxes: 3.',
  );
});

test('a record that the command has written to the folder itself stays', async () => {
  const dir = await folder();
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'old.record.jsonl'), '[]');
  const { code } = await execScript(
    `${IN_PROCESS}
    await own.history.save(process.env.DIR + '/of-a-failed-test.record.jsonl');
    process.exit(7);`,
    ['--artifacts', dir],
    { INDEX, DIR: dir },
  );
  expect(code).toBe(7);
  expect((await readdir(dir)).toSorted()).toEqual([
    ...[expect.stringMatching(/^in-process-\d+-1\.record\.jsonl$/), 'of-a-failed-test.record.jsonl'],
    ...FILES.slice(1),
  ]);
});

/** Calls a sandbox of this process: refused once, and ends with a code. */
const IN_PROCESS = `
  const { createSandbox } = await import(process.env.INDEX);
  const own = createSandbox();
  await own.api.cards.get('card_own').catch(() => undefined);`;

test('each sandbox of the command and of its children has a record, left open ones too', async () => {
  const dir = await folder();
  const { code } = await execScript(
    `${IN_PROCESS}
    const { spawnSync } = await import('node:child_process');
    if (process.env.IS_CHILD) process.exit(0);
    spawnSync(process.execPath, process.execArgv, { env: { ...process.env, IS_CHILD: '1' } });
    await own.close();
    process.exit(6);`,
    ['--artifacts', dir],
    { INDEX },
  );
  expect(code).toBe(6);
  const names = (await readdir(dir)).filter(name => name.endsWith('.record.jsonl'));
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(name).toMatch(/^in-process-\d+-1\.record\.jsonl$/);
    const lines = await linesOf(dir, name.replace('.record.jsonl', ''));
    expect(lines.slice(1)).toMatchObject([
      { entry: { path: '/v1/partner/cards/card_own', status: 404 } },
      { end: { entries: 1, coverage: { 'cards.get 404': 1 } } },
    ]);
  }
});

test.each([
  ['SIGTERM', true],
  ['SIGKILL', false],
] as const)('a process that %s ends leaves its record, with an end: %s', async (signal, hasEnd) => {
  const dir = await folder();
  const { code, stderr } = await execScript(
    `${IN_PROCESS}
    process.kill(process.pid, '${signal}');
    await new Promise(resolve => setTimeout(resolve, 60_000));`,
    ['--artifacts', dir, '--coverage'],
    { INDEX },
  );
  expect(code).toBe(hasEnd ? 143 : 137);
  const [name = ''] = (await readdir(dir)).map(each => each.replace('.record.jsonl', ''));
  const lines = await linesOf(dir, name);
  expect(lines.some(line => line.end !== undefined)).toBe(hasEnd);
  const isCut = `Cut short, because the process or thread was killed or could no longer write: ${name}.`;
  const isNotCounted = `not counted, because their records were cut short: ${name}\n`;
  for (const text of [stderr, await readFile(join(dir, 'summary.md'), 'utf8')]) {
    expect(text.includes(isCut)).toBe(!hasEnd);
  }
  expect(stderr.includes(isNotCounted)).toBe(!hasEnd);
  expect(/^ {2}cards\.get: .*\b404 \(/m.test(stderr)).toBe(!hasEnd);
  const { code: playCode, stdout } = await runInProcess(['run', dir]);
  expect(playCode).toBe(0);
  expect(stdout).toContain(`${name}: reproduced: 1 of 1 responses are the same\n`);
  expect(stdout.includes('cut short: ')).toBe(!hasEnd);
});

test('of more than 200 records those with trouble are kept, and the summary counts all', async () => {
  const dir = await folder();
  await execScript(
    `const { createSandbox } = await import(process.env.INDEX);
    for (let number = 1; number <= 205; number++) {
      const own = createSandbox({ fixtures: ['empty'] });
      await own.api.balance.get();
      if (number === 205) await own.api.cards.get('card_last').catch(() => undefined);
    }
    process.exit(4);`,
    ['--artifacts', dir],
    { INDEX },
  );
  const names = (await readdir(dir)).filter(name => name.endsWith('.record.jsonl'));
  expect(names).toHaveLength(200);
  expect(names).toContainEqual(expect.stringMatching(/-205\.record\.jsonl$/));
  const summary = await readFile(join(dir, 'summary.md'), 'utf8');
  expect(summary).toContain('Requests: 206, webhooks: 0, worlds and sandboxes: 205.');
  expect(summary).toContain('5 records are left out');
  expect(summary).toMatch(/open \S*-205\.record\.jsonl\n/);
});

test('a world of a running sandbox leaves what the command did in it', async () => {
  const { origin } = await startSandbox({ allowHttpWebhooks: true });
  const dir = await folder();
  const { code } = await runInProcess(['exec', '--on', origin, '--artifacts', dir, ...command(5)]);
  expect(code).toBe(5);
  const files = (await readdir(dir)).toSorted();
  expect(files).toEqual([...FILES.slice(1), expect.stringMatching(/^world_\w+\.record\.jsonl$/)]);
  const name = files[2]?.replace('.record.jsonl', '') ?? '';
  expect(await pathsIn(dir, name)).toEqual([
    '/v1/partner/webhooks/config',
    '/v1/partner/cardholders/no|body',
  ]);
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toMatch(
    /no cardholder with .* \[assumption unknown-id/,
  );
  expect(await runInProcess(['run', dir])).toMatchObject({ code: 0 });
});

test.each([
  ['no sandbox', '', /Nothing was recorded: .*SERVICE_BASE_URL or CARD_SANDBOX_URL.*another host/],
  [
    'the control plane alone',
    "await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/reset', { method: 'POST' });",
    /No request of the API was recorded, only calls of the control plane.*SERVICE_BASE_URL.*another host/,
  ],
])(
  'where the command calls %s, artifacts, coverage and standard error say so',
  async (_, script, message) => {
    for (const code of [0, 4]) {
      const dir = await folder();
      const flags = ['--artifacts', dir, '--artifacts-always'];
      const finished = await execScript(`${script}; process.exitCode = ${code};`, flags);
      expect(finished.code).toBe(code);
      expect(finished.stderr).toMatch(message);
      const summary = await readFile(join(dir, 'summary.md'), 'utf8');
      expect(summary).toMatch(message);
      expect(summary).not.toContain('refused nothing');
    }
    expect((await execScript(script, ['--coverage'])).stderr).toMatch(message);
  },
);

test('a success leaves nothing, unless --artifacts-always is set', async () => {
  const dir = await folder();
  const summary = { GITHUB_STEP_SUMMARY: await temporaryFile('summary.md') };
  expect(await exec(0, ['--artifacts', dir], summary)).toMatchObject({ code: 0, stderr: '' });
  for (const path of [dir, summary.GITHUB_STEP_SUMMARY]) await expect(stat(path)).rejects.toThrow('ENOENT');
  expect(await exec(0, ['--artifacts', dir, '--artifacts-always'])).toMatchObject({
    code: 0,
    stderr: `saved 3 files to ${dir}\n`,
  });
  expect(await readdir(dir)).toHaveLength(FILES.length);
});

test('what an earlier run has left is removed before the command runs, and nothing else', async () => {
  const dir = await folder();
  expect(await exec(3, ['--artifacts', dir])).toMatchObject({ code: 3 });
  expect(await readdir(dir)).toHaveLength(FILES.length);
  await writeFile(join(dir, 'notes.md'), '');
  const wrong = await exec(0, ['--artifacts', dir, '--fixtures', 'nowhere']);
  expect([wrong.code, await readdir(dir)]).toEqual([1, expect.arrayContaining(FILES)]);
  expect(await exec(0, ['--artifacts', dir])).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(dir)).toEqual(['notes.md']);
});

test('--artifacts-always without a folder is wrong usage', async () => {
  expect(await runInProcess(['exec', '--artifacts-always', '--', 'true'])).toMatchObject({
    code: 2,
    stderr: 'error: --artifacts-always needs a folder; pass --artifacts DIR\n',
  });
});

test.each([0, 6])('the exit code %i is kept when no file can be written, and each is named', async code => {
  const file = await temporaryFile('a-file');
  await writeFile(file, '');
  const under = join(file, 'below');
  const flags = ['--artifacts', under, '--artifacts-always'];
  const finished = await exec(code, flags, { GITHUB_STEP_SUMMARY: under });
  expect(finished.code).toBe(code);
  expect(finished.stderr).toContain(
    `error: the folder ${under} of --artifacts cannot be created (ENOTDIR); pass another folder\n`,
  );
  if (code !== 0) expect(finished.stderr).toMatch(/which GITHUB_STEP_SUMMARY names \(ENOTDIR\)/);
});

test('a file that cannot be replaced is named, the others are written, and no draft stays', async () => {
  const dir = await folder();
  await mkdir(join(dir, 'summary.md', 'in-the-way'), { recursive: true });
  const { code, stderr } = await exec(4, ['--artifacts', dir]);
  expect(code).toBe(4);
  expect(stderr).toContain(`error: ${join(dir, 'summary.md')} cannot be written (`);
  expect(stderr).toContain(`saved 2 files to ${dir}\n`);
  expect((await readdir(dir)).toSorted()).toEqual(FILES);
});

test('a state file that cannot be saved at the end does not change the exit code', async () => {
  const file = await temporaryFile('state.json');
  const dir = dirname(file);
  const remove = `require('node:fs').rmSync(${JSON.stringify(dir)}, { recursive: true }); process.exit(9)`;
  const { code, stderr } = await runInProcess([
    'exec',
    '--state',
    file,
    '--',
    process.execPath,
    '-e',
    remove,
  ]);
  await mkdir(dir, { recursive: true });
  expect(code).toBe(9);
  expect(stderr).toMatch(/state\.json/);
});

test('exec asks its own sandbox without a proxy, and the command is told to do the same', async () => {
  const dir = await folder();
  const variables = {
    HTTP_PROXY: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: 'a.test',
  };
  const finished = await runCli(['exec', '--artifacts', dir, ...command(5)], variables);
  expect(finished.code).toBe(5);
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toContain('Requests: 2,');
  const shown = await runCli(['exec', '--', 'sh', '-c', 'echo $NO_PROXY $no_proxy'], variables);
  const list = 'a.test,localhost,127.0.0.1,[::1]';
  expect(shown.stdout).toBe(`${list} ${list}\n`);
});
