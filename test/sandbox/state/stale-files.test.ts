import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeStale } from '../../../src/sandbox/state/atomic-file.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

/** Process ids end below this number on every system. */
const NO_PROCESS = 2 ** 30;

test('files that ended processes were writing are removed, and all others stay', () => {
  const folder = temporaryFolder();
  const stale = [
    `.main.json.${NO_PROCESS}-1.tmp`,
    `.a.b.json.${NO_PROCESS}-12.tmp`,
    `.main.json.${process.pid}-1.tmp`,
  ];
  const kept = [
    `.main.json.${process.ppid}-1.tmp`,
    `.notes.txt.${NO_PROCESS}-1.tmp`,
    `main.json.${NO_PROCESS}-1.tmp`,
    `.main.json.${NO_PROCESS}-1.tmp.old`,
    '.main.json.tmp',
    'main.json',
  ];
  for (const name of [...stale, ...kept]) writeFileSync(join(folder, name), '');
  removeStale(folder, name => name.endsWith('.json'));
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
});
