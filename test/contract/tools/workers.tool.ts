import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Installed, install, linkPackages, ROOT, run } from '../../package/installed.ts';
import { startCli } from '../../support/cli-process.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const WORKERS = 4;
const FILES = 12;

let installed: Installed;

beforeAll(async () => {
  installed = await install();
  linkPackages(installed, ['vitest', 'msw', 'express', '@mswjs/http-middleware']);
}, 60_000);

/** Runs the tests of the project in a folder with a number of workers, and returns how many passed. */
async function passed(project: string, variables: Readonly<Record<string, string>> = {}): Promise<number> {
  const root = join(installed.folder, project);
  const report = join(installed.folder, `${project}.json`);
  const args = ['run', '--root', root, `--maxWorkers=${WORKERS}`, '--reporter=json', '--outputFile', report];
  await run(process.execPath, [VITEST, ...args], installed.folder, variables);
  return JSON.parse(readFileSync(report, 'utf8')).numPassedTests;
}

test('the project in docs/embedding.md passes with the package and four workers', async () => {
  const document = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
  for (const [, name = '', code = ''] of document.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    const file = join(installed.folder, 'example', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  expect(await passed('example')).toBeGreaterThan(5);
});

test('files that share a running sandbox are isolated from each other in four workers', async () => {
  const { listening, ask } = await startCli(['--fixtures', 'empty']);
  mkdirSync(join(installed.folder, 'parallel'));
  const source = join(ROOT, 'test/package/consumer/parallel.ts');
  for (let file = 0; file < FILES; file++) {
    copyFileSync(source, join(installed.folder, 'parallel', `file-${file}.test.ts`));
  }
  expect(await passed('parallel', { SANDBOX_URL: listening.url })).toBe(FILES);
  const { text } = await ask('GET', '/_sandbox/state');
  expect(new Set(text.match(/@worker-\d+/g))).toEqual(
    new Set(Array.from({ length: WORKERS }, (_, index) => `@worker-${index + 1}`)),
  );
  const { body } = await ask('GET', '/v1/partner/cardholders');
  expect(body.total).toBe(0);
});
