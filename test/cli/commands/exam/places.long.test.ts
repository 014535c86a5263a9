import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';

const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../../../dist/index.js')).href;
const APP = join(import.meta.dirname, 'places.mjs');

/** Where the integration works: see `places.mjs`. */
const PLACES = ['main', 'world', 'http-world', 'in-process'];

/** Each bug with the misbehaviours that find it. */
const BUGS: Readonly<Record<string, readonly string[]>> = {
  'sends-used-token': ['broke connection-lost-after.cardholders.reimport'],
  'processes-twice': ['broke webhooks-twice'],
  'first-page': ['broke lists-longer-than-a-page'],
  'expects-phones': ['broke phone-number-null'],
  'sees-year': ['broke clock-leap-day'],
  'short-ids': ['broke ids-long'],
  'accepts-unsigned': ['accepted signature-missing'],
};

/** Runs a command under an exam. Resolves with the exit code, the report and the verdicts besides `not-exercised`. */
async function exam(words: readonly string[], command: readonly string[], variables: Record<string, string>) {
  const args = ['exam', '--json', '--fixtures', 'empty', '--parallel', '3', ...words, '--', process.execPath];
  const { code, stdout, stderr } = await runInProcess([...args, ...command], {
    PACKAGE,
    GITHUB_STEP_SUMMARY: '',
    ...variables,
  });
  const report: JsonReport = JSON.parse(stdout);
  const exercised = report.results.filter(({ verdict }) => verdict !== 'not-exercised');
  return { code, stderr, report, exercised: exercised.map(({ id, verdict }) => `${verdict} ${id}`) };
}

const TRIED = Object.values(BUGS)
  .flat()
  .map(each => each.split(' ')[1] ?? '');

test.each(PLACES)('bugs of an app whose tests work in %s are found, and nothing else', async PLACE => {
  const only = ['--only', ...TRIED, 'key-rotated', 'error-503-before', 'connection-lost-after'];
  const { code, exercised } = await exam(only, [APP], { PLACE, BUGS: Object.keys(BUGS).join(' ') });
  const survived = ['key-rotated', 'error-503-before'].map(id => `survived ${id}`);
  const lost = ['cardholders.create', 'webhooks.updateConfig'].map(
    id => `survived connection-lost-after.${id}`,
  );
  expect(exercised.toSorted()).toEqual([...Object.values(BUGS).flat(), ...survived, ...lost].toSorted());
  expect(code).toBe(1);
});

test.each(PLACES)('a sound app whose tests work in %s survives everything that strikes it', async PLACE => {
  const { code, exercised, report } = await exam([], [APP], { PLACE });
  expect(exercised.filter(each => !each.startsWith('survived'))).toEqual([]);
  expect(code, JSON.stringify(report.summary)).toBe(0);
  expect(report.summary.survived).toBeGreaterThan(25);
});

test('a command that sends no request is told so, and nothing is called survived', async () => {
  const { code, stderr, report } = await exam([], ['-e', ''], {});
  expect(code).toBe(1);
  expect(report).toMatchObject({ baseline: 'passed', results: [] });
  expect(stderr).toContain('Nothing was recorded: no request reached the sandbox');
});

test('an exam of which nothing strikes fails, and says so', async () => {
  const script = `const { SERVICE_BASE_URL: base, SERVICE_API_KEY: key } = process.env;
    await fetch(base + '/partner/balance', { headers: { 'x-service-api-key': key } });`;
  const only = ['--only', 'webhooks-twice', 'lists-longer-than-a-page', 'ids-long'];
  const { code, stderr, exercised } = await exam(only, ['--input-type=module', '-e', script], {});
  expect([code, exercised]).toEqual([1, []]);
  expect(stderr).toContain('nothing that was asked for reached the command');
});

test('the faults of the tests are theirs: none of the exam is listed, ended or taken for them', async () => {
  const script = `
    import assert from 'node:assert';
    const { connect } = await import(process.env.PACKAGE);
    const main = await connect();
    for (const sandbox of [main, await main.worlds.create({ fixtures: ['empty'] })]) {
      const read = async (left = 2) => {
        const response = await fetch(sandbox.baseUrl + '/partner/cards', { headers: { 'x-service-api-key': sandbox.apiKey } });
        return response.status === 503 && left > 0 ? read(left - 1) : response.status;
      };
      await sandbox.faults.add({ status: 418, times: 1 });
      assert.equal(await read(), 418);
      assert.equal((await sandbox.faults.list())[0].hits, 1);
      await sandbox.faults.clear();
      assert.equal(await read(), 200);
      assert.deepEqual(await sandbox.faults.list(), []);
    }`;
  const only = ['--only', 'error-503-before', 'responses-in-pieces', 'key-rotated'];
  const { code, exercised } = await exam(only, ['--input-type=module', '-e', script], {});
  expect(exercised).toEqual(only.slice(1).map(id => `survived ${id}`));
  expect(code).toBe(0);
});
