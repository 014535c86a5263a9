import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import { StateFile } from '../../../src/sandbox/state/state-file.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { CLI_PROGRAM, runCli, startCli, startProcess } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS } from '../../support/proof/proof-size.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const START_ARGS = ['start', '--port', '0', '--log-format', 'json'];

test('a world is saved at the end and on demand, and continues at the next start', async () => {
  const file = await temporaryFile('world.json');
  const first = await startCli(['--state', file, '--freeze', '--clock', '2026-01-31T12:00:00Z']);
  const created = await first.ask('POST', '/v1/partner/cardholders', newCardholder());
  const saved = await first.ask('POST', '/_sandbox/state/save');
  const bytes = readFileSync(file).length;
  expect(saved).toMatchObject({ status: 200, body: { file, bytes } });
  await first.ask('POST', '/_sandbox/clock/advance', { duration: '90s' });
  const state = (await first.ask('GET', '/_sandbox/state')).body;
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(state);

  const second = await startCli(['--state', file, '--freeze', '--clock', '2020-01-01']);
  expect((await second.ask('GET', '/_sandbox/state')).body).toEqual(state);
  const read = await second.ask('GET', `/v1/partner/cardholders/${created.body.id}`);
  expect(read.body).toEqual(created.body);
  expect(readdirSync(dirname(file)).sort()).toEqual([basename(file), `${basename(file)}.lock`]);
});

test('a reset goes back to the fixtures, not to the file', async () => {
  const file = await temporaryFile('world.json');
  const first = await startSandbox({ state: file });
  await first.api('POST', '/partner/cardholders', newCardholder());
  await first.control('POST', '/state/save');
  first.stop();
  const second = await startSandbox({ state: file });
  expect((await second.api('GET', '/partner/cardholders')).body.total).toBe(1);
  await second.control('POST', '/reset');
  expect((await second.api('GET', '/partner/cardholders')).body.total).toBe(0);
});

test.each([
  ['cut short', (text: string) => text.slice(0, -100), /is cut short or damaged/],
  [
    'one that contradicts itself',
    (text: string) => text.replace('"cardholders":0', '"cardholders":3'),
    /counts\.cardholders: says 3/,
  ],
])('a file that is %s is refused at the start and left as it was', async (_name, spoil, problem) => {
  const file = await temporaryFile('world.json');
  const sandbox = await startSandbox({ state: file });
  await sandbox.control('POST', '/state/save');
  sandbox.stop();
  writeFileSync(file, spoil(readFileSync(file, 'utf8')));
  const before = readFileSync(file, 'utf8');
  const { code, stdout, stderr } = await runCli([...START_ARGS, '--state', file]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(file);
  expect(stderr).toMatch(problem);
  expect(stderr).toContain('The file was not changed; move it away to start from the fixtures');
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.skipIf(process.getuid?.() === 0)('a folder that is not writable is refused at start', async () => {
  const file = await temporaryFile('world.json');
  chmodSync(dirname(file), 0o500);
  const { code, stderr } = await runCli([...START_ARGS, '--state', file]);
  chmodSync(dirname(file), 0o700);
  expect(code).toBe(1);
  expect(stderr).toContain('is not writable for this user, so that no save can replace the file');
});

/** Runs a script in a place of its own where it may mount folders, as containers are. */
const isolated = (script: string, ...args: string[]) =>
  startProcess('unshare', ['--map-root-user', '--mount', 'sh', '-c', script, 'sh', ...args]);
const canMount = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;

test.runIf(canMount)(
  'a file that is mounted itself is refused at start, with what to mount instead',
  async () => {
    const file = await temporaryFile('a world.json');
    for (const content of ['', '{}']) {
      writeFileSync(file, content);
      const script = 'mount --bind "$1" "$1" && exec "$2" "$3" start --port 0 --state "$1"';
      const container = isolated(script, file, process.execPath, CLI_PROGRAM);
      expect(await container.ended).toEqual({ code: 1, signal: null });
      expect(container.stderr()).toContain(
        `--state ${file}: is a mount point itself, so that no save can replace it; mount its folder instead, such as -v "$PWD/state:${dirname(file)}"`,
      );
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
  },
);

test.runIf(canMount)(
  'a file in a read-only folder is refused at start, with what to mount instead',
  async () => {
    const file = await temporaryFile('world.json');
    const folder = dirname(file);
    const script =
      'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$3" "$4" start --port 0 --state "$2"';
    const container = isolated(script, folder, file, process.execPath, CLI_PROGRAM);
    expect(await container.ended).toEqual({ code: 1, signal: null });
    expect(container.stderr()).toContain(`--state ${file}: its folder ${folder} is read-only`);
  },
);

test.runIf(canMount)(
  'a file that a process in another container has is refused, and taken over once it is killed',
  async () => {
    const file = await temporaryFile('world.json');
    const start = [CLI_PROGRAM, 'start', '--port', '0', '--log-format', 'json', '--state', file];
    const container = () =>
      startProcess('unshare', [
        '--map-root-user',
        '--pid',
        '--fork',
        '--kill-child',
        process.execPath,
        ...start,
      ]);
    const first = container();
    await first.printed(/"listening"/);
    const second = container();
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toContain('is used by the process with the pid 1; stop it first');
    first.child.kill('SIGKILL');
    await first.ended;
    await container().printed(/"listening"/);
  },
);

test('a second sandbox is refused and names the first, which goes on', async () => {
  const file = await temporaryFile('world.json');
  const first = await startCli(['--state', file]);
  for (const path of [file, join(dirname(file), '.', 'world.json')]) {
    const { code, stderr } = await runCli([...START_ARGS, '--state', path]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `is used by the process with the pid ${first.child.pid}; stop it first`,
      ),
    });
  }
  expect((await first.ask('POST', '/_sandbox/state/save')).status).toBe(200);
  first.child.kill('SIGKILL');
  await first.ended;
  await startCli(['--state', file]);
});

test('stop says what is not saved, and both it and the process exit with code 1', async () => {
  const file = await temporaryFile('world.json');
  const sandbox = await startCli(['--state', file]);
  rmSync(dirname(file), { recursive: true });
  const { code, stdout, stderr } = await runCli(['stop', '--url', sandbox.listening.url]);
  mkdirSync(dirname(file));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`its state is not saved: ${file}: cannot be saved, there is no folder`);
  expect(await sandbox.ended).toEqual({ code: 1, signal: null });
  expect(sandbox.stderr()).toContain(`${file}: cannot be saved, there is no folder`);
});

test('a save of more than 400 MiB fails, and the last state stays', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const file = await temporaryFile('world.json');
  const state = StateFile.open(file, realTime);
  await state.save([Buffer.from('{}')]);
  const piece = Buffer.alloc(16 * 1024 * 1024, ' ');
  const tooMuch = Array.from({ length: 26 }, () => piece);
  await expect(state.save(tooMuch)).rejects.toThrow(
    `${file}: cannot be saved, is larger than 400 MiB, which is the limit`,
  );
  expect(readFileSync(file, 'utf8')).toBe('{}');
  state.close();
  expect(readdirSync(dirname(file))).toEqual(['world.json']);
});

test('a link to a state file stays a link', async () => {
  const file = await temporaryFile('world.json');
  const link = join(dirname(file), 'link.json');
  writeFileSync(file, JSON.stringify((await (await startSandbox()).control('GET', '/state')).body));
  symlinkSync(file, link);
  const { control } = await startSandbox({ state: link });
  await control('POST', '/partners', { name: 'Linked' });
  expect((await control('POST', '/state/save')).body.file).toBe(file);
  expect(readFileSync(file, 'utf8')).toContain('"Linked"');
});

test('SIGHUP saves the world, as SIGTERM does', async () => {
  const file = await temporaryFile('world.json');
  const sandbox = await startCli(['--state', file, '--fixtures', 'empty']);
  await sandbox.ask('POST', '/v1/partner/cardholders', newCardholder());
  sandbox.child.kill('SIGHUP');
  expect(await sandbox.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(readFileSync(file, 'utf8')).counts.cardholders).toBe(1);
});

test('a killed sandbox has saved, and the next one says what it loaded and what it saved', async () => {
  const file = await temporaryFile('world.json');
  const killed = await startCli(['--state', file, '--fixtures', 'empty']);
  await killed.ask('POST', '/v1/partner/cardholders', newCardholder());
  await expect.poll(() => existsSync(file)).toBe(true);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const savedAt = statSync(file).mtime.toISOString();
  const next = startProcess(process.execPath, [CLI_PROGRAM, 'start', '--port', '0', '--state', file]);
  await next.printed(/Ctrl-C stops the sandbox/);
  expect(next.stdout()).toContain(`${file}, saved at ${savedAt}`);
  expect(next.stdout()).toContain('--fixtures and --seed, because the state file was loaded');
  next.child.kill('SIGTERM');
  await next.ended;
  const { size } = statSync(file);
  expect(next.stderr()).toMatch(
    new RegExp(`saved the state to .*world\\.json: \\d+ records, ${size} bytes\\n$`),
  );
});
