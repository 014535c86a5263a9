import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = ['vitest', 'msw', 'express', '@mswjs/http-middleware', '@types/node', '@types/express'];
const run = promisify(execFile);

/** Creates a project with the files of docs/embedding.md and the built package. Returns its folder. */
function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = (name: string, target: string) => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  };
  link('card-sandbox', ROOT);
  for (const name of PACKAGES) link(name, join(ROOT, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const document = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
  for (const [, name = '', code = ''] of document.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  return folder;
}

test('the tests in docs/embedding.md pass', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], {
    cwd: createProject(),
  });
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
    success: true,
    numTotalTests: 10,
    numPassedTests: 10,
  });
});
