import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../support/is-running.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { appCommand, exam } from './run-exam.ts';

const APP = appCommand('onboarding');

test('two misbehaviours that break the command only together are found, kept as records, and tried as named', async () => {
  const folder = await temporaryFile('records');
  const junit = await temporaryFile('exam.xml');
  const flags = ['--artifacts', folder, '--junit', junit];
  const { report, found } = await exam(flags, APP, { BUGS: 'one-trouble' });
  const pairs = report.results.filter(({ together }) => together !== undefined);
  expect(found).toEqual(pairs.map(({ id }) => `broke ${id}`));
  const names = new Set(pairs.map(({ together = [] }) => together.join('+')));
  expect(pairs.length).toBeGreaterThanOrEqual(2);
  expect((await readdir(folder)).toSorted()).toEqual([...names].toSorted());
  const [name = ''] = names;
  expect(pairs[0]?.detail).toMatch(
    /under .* and .* together, and passes under each alone\nthe command printed:/,
  );
  expect((await readdir(join(folder, name))).join()).toBe('main.record.jsonl');
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain(`tests="${report.results.length + 1}" failures="${found.length}" errors="0"`);
  expect(xml).toContain(`classname="exam.benign" name="${pairs[0]?.id}"`);
  const again = await exam(['--only', name], APP, { BUGS: 'one-trouble' });
  expect(again.found).toEqual(name.split('+').map(() => expect.stringMatching('^broke ')));
});

test.runIf(process.platform === 'linux')(
  'a process that leaves the session of the command ends with each run',
  async () => {
    const file = await temporaryFile('pids');
    await writeFile(file, '');
    const untilLeft = 'while [ "$(ps -o sid= -p $!)" -ne $! ]; do :; done';
    const script = `setsid sleep 600 & echo $! >>'${file}'; ${untilLeft}`;
    await exam(['--only', 'error-500-before'], ['sh', '-c', script]);
    const pids = (await readFile(file, 'utf8')).trim().split('\n');
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  },
);
