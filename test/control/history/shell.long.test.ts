import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { answersOf, playAwkwardStory } from './support/awkward-story.ts';

const run = promisify(execFile);

test('a shell script is valid and gives the same answers in a new sandbox, whatever the requests hold', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await playAwkwardStory(sandbox);
  const file = await temporaryFile('history.sh');
  const response = await fetch(`${sandbox.origin}/_sandbox/history/export?format=curl`);
  await writeFile(file, await response.text());
  await run('sh', ['-n', file]);

  const second = await startSandbox({ fixtures: ['starter'] });
  const env = {
    PATH: process.env.PATH,
    SERVICE_BASE_URL: `${second.origin}/v1`,
    SERVICE_API_KEY: ACME_KEY,
    CARD_SANDBOX_URL: second.origin,
  };
  await run('sh', [file], { env });
  expect(await answersOf(second)).toEqual(await answersOf(sandbox));
});

test('a shell script names the variable that is missing', async () => {
  const sandbox = await startSandbox();
  const file = await temporaryFile('history.sh');
  const response = await fetch(`${sandbox.origin}/_sandbox/history/export?format=curl`);
  await writeFile(file, await response.text());
  const failed = run('sh', [file], { env: { PATH: process.env.PATH, SERVICE_BASE_URL: 'http://x/v1' } });
  await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining('SERVICE_API_KEY') });
});
