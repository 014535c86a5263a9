import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInstalled } from '../../cli/support/installed.ts';
import { documents, github, githubSteps, gitlab, runJob, scriptOf, stepsOf } from './runner.ts';

const savedSummary = (folder: string) => readFile(join(folder, 'summary.md'), 'utf8');
const hasBash = isInstalled('bash', '-c', 'true');

test('there are recipes for GitHub, with one command and with several steps, and for GitLab', () => {
  expect(documents).toHaveLength(3);
  for (const each of [github, githubSteps, gitlab]) expect(each).toBeDefined();
});

test.runIf(hasBash)(
  'the GitHub recipe with one command runs, and keeps the summary of failed tests',
  async () => {
    const passed = await runJob(stepsOf(github));
    expect(passed).toMatchObject({ codes: [0, 0], output: 'the tests got 200\n' });
    const failed = await runJob(stepsOf(github), { variables: { TESTS_FAIL: 'yes' } });
    expect(failed.codes).toEqual([0, 3]);
    const { with: artifact } = github.jobs.test.steps.find(
      ({ if: when }: { if?: string }) => when === 'failure()',
    );
    expect(await savedSummary(join(failed.folder, artifact.path))).toContain(
      'exited with code 3. Requests: 1,',
    );
  },
);

test.runIf(hasBash)('the GitHub recipe with several steps runs', async () => {
  const { codes, output } = await runJob(stepsOf(githubSteps));
  expect(output).toMatch(/the tests got 200\n/);
  expect(output).toMatch(/GET +\/v1\/partner\/cards/);
  expect(codes).toEqual([0, 0, 0, 0, 0]);
});

test.runIf(hasBash)('the GitLab recipe with one command runs', async () => {
  expect(await runJob(scriptOf(gitlab))).toMatchObject({ codes: [0], output: 'the tests got 200\n' });
  const failed = await runJob(scriptOf(gitlab), { variables: { TESTS_FAIL: 'yes' } });
  expect(failed.codes).toEqual([3]);
  const [artifact] = gitlab.test.artifacts.paths;
  expect(await savedSummary(join(failed.folder, artifact))).toContain('exited with code 3. Requests: 1,');
});
