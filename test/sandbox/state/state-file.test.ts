import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StateFile } from '../../../src/sandbox/state/state-file.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

test('a file in a folder that is missing is refused, with the folder', () => {
  const folder = join(temporaryFolder(), 'missing');
  expect(() => StateFile.open(join(folder, 'world.json'))).toThrow(
    `--state ${folder}/world.json: there is no folder ${folder}; create it first`,
  );
});

test.runIf(process.platform !== 'win32')('a device is refused, as it cannot be replaced', () => {
  expect(() => StateFile.open('/dev/null')).toThrow(
    '--state /dev/null: is not a regular file; name another file',
  );
});

test('a link leads to its file, and is refused without one', () => {
  const folder = temporaryFolder();
  const [link, file] = [join(folder, 'link.json'), join(folder, 'world.json')];
  symlinkSync(file, link);
  expect(() => StateFile.open(link)).toThrow(
    `--state ${link}: is a symbolic link to a file that does not exist; remove the link, or name the file itself`,
  );
  writeFileSync(file, '{}');
  expect(StateFile.open(link).path.endsWith('world.json')).toBe(true);
});

test('a folder is refused when it is read, and left as it is', () => {
  const folder = join(temporaryFolder(), 'world.json');
  mkdirSync(folder);
  const loaded = StateFile.open(folder).read();
  expect(() => [...(loaded?.pieces ?? [])]).toThrow(
    /world\.json: is a folder; name a file in it\. The file was not changed/,
  );
});
