import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

test('a long start shows its progress on standard error, and a signal ends it', async () => {
  const file = await temporaryFile('many.yaml');
  await writeFile(file, 'cardholders: [{ generate: 3000000, kycStatus: approved }]\n');
  const args = ['start', '--port', '0', '--log-format', 'json', '--fixtures', 'empty', file];
  const starting = startProcess(process.execPath, [CLI_PROGRAM, ...args]);
  await starting.complained(/^loading: [\d,]+ records$/m);
  starting.child.kill('SIGINT');
  expect(await starting.ended).toEqual({ code: null, signal: 'SIGINT' });
  expect(starting.stdout()).toBe('');
});
