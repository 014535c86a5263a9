import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const WORKERS = 8;
/** How often the recipe runs. Set SANDBOX_RECIPE_ROUNDS to look for flakes. */
const ROUNDS = Number(process.env.SANDBOX_RECIPE_ROUNDS ?? 1);
const run = promisify(execFile);

/** A second global setup: it ends before the one of the recipe, and keeps the ids of the worlds that are left. */
const LEFT = `import { writeFileSync } from 'node:fs';
import { connect } from 'card-sandbox';

export default project => async () => {
  const { worlds } = await connect({ url: project.getProvidedContext().sandboxUrl });
  writeFileSync('left.json', JSON.stringify((await worlds.list()).map(({ id }) => id)));
};
`;

/** Creates a project with the files of docs/worlds.md, its test file once for each worker. Returns its folder. */
function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-worlds-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/card-sandbox'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const document = readFileSync(join(ROOT, 'docs/worlds.md'), 'utf8');
  for (const [, name = '', code = ''] of document.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  writeFileSync(join(folder, 'tests/left.js'), LEFT);
  const config = join(folder, 'vitest.config.ts');
  const text = readFileSync(config, 'utf8');
  writeFileSync(
    config,
    text.replace("'tests/global-setup.ts'", "['tests/global-setup.ts', 'tests/left.js']"),
  );
  for (let worker = 1; worker < WORKERS; worker++) {
    copyFileSync(join(folder, 'tests/kyc.test.ts'), join(folder, `tests/kyc-${worker}.test.ts`));
  }
  return folder;
}

/** A JSON report of Vitest. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults.flatMap(({ title, failureMessages }) =>
      failureMessages.map(each => `${name}: ${title}: ${each}`),
    ),
  ]);
}

test('the recipe of a world per test file never fails with 8 workers, and leaves no world', async () => {
  const folder = createProject();
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--reporter=json', '--maxWorkers', String(WORKERS)];
  for (let round = 1; round <= ROUNDS; round++) {
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(error => error);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect({ round, failures: failuresIn(report) }).toEqual({ round, failures: [] });
    expect(report).toMatchObject({ success: true, numPassedTests: 3 * WORKERS + 1 });
    expect(JSON.parse(readFileSync(join(folder, 'left.json'), 'utf8'))).toEqual(['main']);
  }
}, 1_200_000);
