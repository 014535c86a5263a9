import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/cli-in-process.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFile } from './support/temporary-file.ts';

test('history export --json prints JSON in every format, and the name of a file that it writes', async () => {
  const { origin, api } = await startSandbox();
  await api('GET', '/partner/balance');
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runInProcess([
      'history',
      'export',
      '--url',
      origin,
      '--json',
      ...words,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  expect((await run()).steps).toMatchObject([{ request: 'GET /partner/balance' }]);
  expect((await run('--format', 'har')).log.entries).toHaveLength(1);
  expect(await run('--format', 'curl')).toEqual({
    format: 'curl',
    text: expect.stringMatching(/^#!\/bin\/sh\n/),
  });
  const file = await temporaryFile('history.yaml');
  expect(await run(file)).toEqual({ file, format: 'scenario' });
  expect(await readFile(file, 'utf8')).toContain('GET /partner/balance');
});
