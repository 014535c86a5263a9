import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['vitest', 'msw', 'express', '@mswjs/http-middleware', '@types/node', '@types/express'];
const run = promisify(execFile);

/** A project of somebody else's with the files of the document in it, and the package as it is built. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = (name: string, target: string) => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place);
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

test('the tests in the document on embedding pass', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], { cwd: project() });
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
    success: true,
    numTotalTests: 8,
    numPassedTests: 8,
  });
}, 60_000);
