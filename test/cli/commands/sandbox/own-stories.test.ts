import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess, serveHere } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const OWN = 'name: Our story\nsteps:\n  - say: We look at our cards\n    request: GET /partner/cards\n';

async function scenario(name: string, text: string): Promise<string> {
  const file = await temporaryFile(name);
  await writeFile(file, text);
  return file;
}

test('--scenarios adds stories to the presenter, and replaces built-in ones of the same name', async () => {
  const files = await Promise.all([scenario('our-story.yaml', OWN), scenario('hotel.yaml', OWN)]);
  const { ask } = await serveHere(['--scenarios', ...files]);
  const { body } = await ask('GET', '/_sandbox/stories');
  const stories: string[][] = body.map(({ id, title }: { id: string; title: string }) => [id, title]);
  expect(stories.slice(0, 2)).toEqual([
    ['our-story', 'Our story'],
    ['hotel', 'Our story'],
  ]);
  expect(stories).toContainEqual(['kyc-reimport', 'A corrected identity']);
  expect(new Set(stories.map(([id]) => id)).size).toBe(stories.length);
  const { body: played } = await ask('POST', '/_sandbox/stories/our-story/steps', { to: 1 });
  expect(played.played[0].status).toBe('passed');
});

test('a scenario file that cannot be used is refused at the start, with file and line', async () => {
  const file = await scenario('broken.yaml', 'name: Broken\nsteps:\n  - request: FETCH /cards\n');
  const { code, stderr } = await runInProcess(['start', '--port', '0', '--scenarios', file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/broken\.yaml:3: steps\[0\]\.request: must be a method and a path/);
});

test('two scenario files of the same name are refused: the name is their link', async () => {
  const first = await scenario('story.yaml', OWN);
  const second = join(dirname(first), 'other', basename(first));
  await mkdir(dirname(second));
  await writeFile(second, OWN);
  const { code, stderr } = await runInProcess(['start', '--port', '0', '--scenarios', first, second]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/has the name of .*story\.yaml, which is its link; rename one of them/);
});
