import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';

/** Creates a folder with the project in \`app\`, so that what is beside the project can be seen. */
function createProject(files: Readonly<Record<string, string>>): { parent: string; app: string } {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'card-sandbox-places-')));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const app = join(parent, 'app');
  mkdirSync(app);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  return { parent, app };
}

const filesBelow = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();

test.each([
  ['tests', '../outside', { 'requirements.txt': 'pytest' }],
  ['package.json', '../outside/package.json', { 'requirements.txt': 'pytest' }],
  ['package.json', '../outside/missing.json', {}],
  ['test/card-sandbox.test.js', '../../outside/missing.js', {}],
  ['test', 'inside', {}],
])('%s is a link to %s, which is not followed: nothing is written', async (name, target, files) => {
  const { parent, app } = createProject(files);
  for (const each of ['outside', 'app/inside', ...(name.includes('/') ? ['app/test'] : [])])
    mkdirSync(join(parent, each));
  writeFileSync(join(parent, 'outside/package.json'), '{}');
  symlinkSync(target, join(app, name));
  const before = filesBelow(parent);
  const { code, stderr } = await runInProcess(['init', app]);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`error: ${name} is a link`),
  });
  expect(filesBelow(parent)).toEqual(before);
  expect(readFileSync(join(parent, 'outside/package.json'), 'utf8')).toBe('{}');
});

test('the folder of the project itself may be a link', async () => {
  const { parent, app } = createProject({});
  symlinkSync('app', join(parent, 'link'));
  expect((await runInProcess(['init', join(parent, 'link')])).code).toBe(0);
  expect(existsSync(join(app, 'test/card-sandbox.test.js'))).toBe(true);
});
