import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StateFile } from '../../../src/sandbox/state/state-file.ts';
import { manualTime } from '../../support/manual-time.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

function open(path: string): StateFile {
  const file = StateFile.open(path, manualTime().realTime);
  onTestFinished(() => file.close());
  return file;
}

test('without a state file, saving is a 400 with a hint', async () => {
  const { control } = await startSandbox();
  const reply = await control('POST', '/state/save');
  expect(reply.status).toBe(400);
  expect(reply.body.error).toContain('start it with --state FILE');
});

test('a file in a folder that is missing is refused, with the folder', () => {
  const folder = join(temporaryFolder(), 'missing');
  expect(() => open(join(folder, 'world.json'))).toThrow(
    `--state ${folder}/world.json: there is no folder ${folder}; create it first`,
  );
});

test.runIf(process.platform !== 'win32')('a device is refused, as it cannot be replaced', () => {
  expect(() => open('/dev/null')).toThrow('--state /dev/null: is not a regular file; name another file');
});

test('a link leads to its file, and is refused without one', () => {
  const folder = temporaryFolder();
  const [link, file] = [join(folder, 'link.json'), join(folder, 'world.json')];
  symlinkSync(file, link);
  expect(() => open(link)).toThrow(
    `--state ${link}: is a symbolic link to a file that does not exist; remove the link, or name the file itself`,
  );
  writeFileSync(file, '{}');
  expect(basename(open(link).path)).toBe('world.json');
});

test('a folder is refused, by its path where that ends in a slash', async () => {
  const folder = temporaryFolder();
  expect(() => open(folder)).toThrow(`--state ${folder}: is a folder; name a file in it, which keeps main`);
  await expect(startSandbox({ state: `${folder}/worlds/` })).rejects.toThrow(
    'state: must be a file, not a folder',
  );
});

test('a file without a byte is none yet', async () => {
  const path = join(temporaryFolder(), 'world.json');
  writeFileSync(path, '');
  const { control } = await startSandbox({ state: path });
  expect((await control('GET', '/clock')).status).toBe(200);
  expect((await control('POST', '/state/save')).status).toBe(200);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('format');
});

test('a file of more than 400 MiB is refused', () => {
  const path = join(temporaryFolder(), 'world.json');
  writeFileSync(path, '{');
  const file = open(path);
  truncateSync(path, 400 * 1024 * 1024 + 1);
  expect(() => file.read()).toThrow(
    `--state ${path}: is larger than 400 MiB, which is the limit. The file was not changed`,
  );
});

test.each([
  ['cut short', '{"format": '],
  ['half of a character', '{"notice": "\\ud800"}'],
  ['nested too deep', '['.repeat(101) + ']'.repeat(101)],
])('a file that is %s is damaged', (_, content) => {
  const path = join(temporaryFolder(), 'world.json');
  writeFileSync(path, content);
  expect(() => open(path).read()).toThrow(`--state ${path}: is cut short or damaged`);
});

test('a file that is not UTF-8 is refused with the place of the first such byte', () => {
  const path = join(temporaryFolder(), 'world.json');
  writeFileSync(path, Buffer.from([0x7b, 0x0a, 0xc3, 0xa9, 0xff, 0x7d]));
  expect(() => open(path).read()).toThrow(
    `--state ${path}: is not UTF-8 at line 2, column 2 (byte 0xff); save it as UTF-8`,
  );
});

test('a save on demand that fails is refused with the reason, and the next one may succeed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'world.json');
  const { control } = await startSandbox({ state: path });
  rmSync(folder, { recursive: true });
  expect(await control('POST', '/state/save')).toMatchObject({
    status: 500,
    body: { error: `${path}: cannot be saved, there is no folder ${folder}; create it first` },
  });
  mkdirSync(folder);
  expect((await control('POST', '/state/save')).status).toBe(200);
});

test('a file that another process has taken over is not saved', async () => {
  const path = join(temporaryFolder(), 'world.json');
  const { control } = await startSandbox({ state: path });
  await control('POST', '/state/save');
  const before = readFileSync(path, 'utf8');
  writeFileSync(`${path}.lock`, '{"pid": 1}');
  await control('POST', '/clock/advance', { duration: '1h' });
  expect((await control('POST', '/state/save')).body.error).toBe(
    `${path}: cannot be saved, because another process has taken the file over`,
  );
  expect(readFileSync(path, 'utf8')).toBe(before);
});
