import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Installed, install, linkPackages, ROOT, run } from '../../package/installed.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { startCli } from '../../support/cli-process.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const WORKERS = 4;
const FILES = 12;

let installed: Installed;

const atEnd = atFileEnd();
beforeAll(async () => {
  installed = await install(atEnd);
  linkPackages(installed, ['vitest', 'msw', 'express', '@mswjs/http-middleware']);
});

/** Runs the tests of the project in a folder with a number of workers, and returns the titles of those that passed. */
async function passed(project: string, variables: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const root = join(installed.folder, project);
  const report = join(installed.folder, `${project}.json`);
  const args = [
    'run',
    '--root',
    root,
    `--maxWorkers=${WORKERS}`,
    '--testTimeout=60000',
    '--reporter=json',
    '--outputFile',
    report,
  ];
  await run(process.execPath, [VITEST, ...args], installed.folder, variables);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const tests = testResults.flatMap(file => file.assertionResults);
  return tests.filter(({ status }) => status === 'passed').map(({ title }) => title);
}

test('the project in docs/embedding.md passes with the package and four workers', async () => {
  const document = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
  for (const [, name = '', code = ''] of document.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    const file = join(installed.folder, 'example', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  expect((await passed('example')).length).toBeGreaterThan(2);
});

test('files that share a running sandbox are isolated from each other in four workers', async () => {
  const { listening, ask } = await startCli(['--fixtures', 'empty']);
  mkdirSync(join(installed.folder, 'parallel'));
  const source = join(ROOT, 'test/package/consumer/parallel.ts');
  for (let file = 0; file < FILES; file++) {
    copyFileSync(source, join(installed.folder, 'parallel', `file-${file}.test.ts`));
  }
  const titles = await passed('parallel', { SANDBOX_URL: listening.url });
  expect(titles).toHaveLength(FILES);
  expect(new Set(titles).size).toBe(WORKERS);
  const { body: worlds } = await ask('GET', '/_sandbox/worlds');
  expect(worlds).toHaveLength(1);
  const { body } = await ask('GET', '/v1/partner/cardholders');
  expect(body.total).toBe(0);
});
