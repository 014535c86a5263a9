import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { runInProcess, serveHere } from '../../../support/cli-in-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { deserted } from '../../support/deserted.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

async function run(scenario: string, url: string, ...flags: string[]) {
  const report = await temporaryFile('report.xml');
  const target = ['--base-url', `${url}/v1`, '--api-key', ACME_KEY];
  const finished = await runInProcess(['run', scenario, ...target, '--junit', report, ...flags]);
  return { ...finished, xml: await readFile(report, 'utf8') };
}

const ERROR = '<testsuites tests="1" failures="0" errors="1" skipped="0" time="0.000">';

test('the report has an error when the server is down', async () => {
  const url = await deserted();
  const { code, stderr, xml } = await run('card-lifecycle', url);
  expect(code).toBe(1);
  expect(stderr).toContain(`error: no sandbox answers at ${url}`);
  expect(xml).toContain(ERROR);
  expect(xml).toContain(`<error message="no sandbox answers at ${url}`);
});

test('the report has an error with every problem when the scenario is invalid', async () => {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(
    file,
    [
      'name: A test',
      'steps:',
      '  - requst: GET /partner/cards',
      `  - request: GET /partner/cards/\${card}`,
      '    expect: { statu: 200, body: { total: <nmber> } }',
      '  - control: POST /clock/advanc',
    ].join('\n'),
  );
  const { code, stderr, xml } = await run(file, 'http://127.0.0.1:1');
  expect(code).toBe(1);
  const problems = [
    '3: steps[0].requst: is unknown, did you mean "request"?',
    `4: steps[1].request: step 2 uses \${card}, which has no value;`,
    '5: steps[1].expect.statu: is unknown, did you mean "status"?',
    '5: steps[1].expect.body.total: <nmber> is not a matcher, did you mean "<number>"?',
    '6: steps[2].control: is not a control operation, did you mean POST /clock/advance?',
  ];
  for (const problem of problems) expect(stderr).toContain(`${file}:${problem}`);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1 + problems.length);
  expect(xml).toContain(ERROR);
  expect(xml).toContain('<error message="the scenario is invalid:">');
  expect(xml).toContain('&lt;nmber&gt; is not a matcher');
});

test('the report has an error when a variable is unknown', async () => {
  const { code, xml } = await run('card-lifecycle', 'http://127.0.0.1:1', '--var', 'usr=1');
  expect(code).toBe(2);
  expect(xml).toContain('<error message="--var usr: the scenario has no such variable');
});

test('a report that cannot be written does not hide the error', async () => {
  const url = await deserted();
  const flags = ['--base-url', `${url}/v1`, '--api-key', ACME_KEY, '--junit', '/no/such/folder/report.xml'];
  const { code, stderr } = await runInProcess(['run', 'card-lifecycle', ...flags]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: \/no\/such\/folder\/report\.xml cannot be written \(ENOENT\); create its folder first\nerror: no sandbox answers at /,
  );
});

const SCENARIOS = ['errors-in-requests', 'errors-too-late'];
const SUITES = /<testsuite name="([^"]*)"/g;

test('several scenarios, and records beside them, are one document with one test suite each', async () => {
  const { url } = await serveHere(['--freeze', '--allow-http-webhooks']);
  const server = ['--base-url', `${url}/v1`, '--api-key', ACME_KEY, '--control-url', url];
  const record = await temporaryFile('none.record.jsonl');
  const sandbox = createSandbox();
  await sandbox.api.balance.get();
  await sandbox.history.save(record);
  await sandbox.close();
  const file = await temporaryFile('report.xml');
  const { code, stdout } = await runInProcess([
    ...['run', ...SCENARIOS, record, ...server],
    ...['--json', '--junit', file],
  ]);
  const report = JSON.parse(stdout);
  expect({ code, ...report }).toMatchObject({
    code: 0,
    ok: true,
    records: [{ file: record }],
    scenarios: [{ ok: true }, { ok: true }],
  });
  const names = report.scenarios.map(({ scenario }: { scenario: string }) => scenario);
  const suites = (await readFile(file, 'utf8')).matchAll(SUITES);
  expect([...suites].map(([, name]) => name)).toEqual(['records', ...names]);
});

test('demo error-flows reports its three scenarios in order', async () => {
  const file = await temporaryFile('report.xml');
  const { code, stdout } = await runInProcess(['demo', 'error-flows', '--json', '--junit', file]);
  const { ok, scenarios } = JSON.parse(stdout);
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(scenarios.map((each: { file: string }) => each.file)).toEqual([
    expect.stringContaining('errors-in-requests'),
    expect.stringContaining('errors-too-late'),
    expect.stringContaining('errors-of-the-service'),
  ]);
  expect((await readFile(file, 'utf8')).match(SUITES)).toHaveLength(3);
});

test('what was played before an error stays in the report', async () => {
  const record = await temporaryFile('kept.record.jsonl');
  const sandbox = createSandbox();
  await sandbox.api.balance.get();
  await sandbox.history.save(record);
  await sandbox.close();
  const { code, xml } = await run('card-lifecycle', await deserted(), record);
  expect(code).toBe(1);
  expect(xml).toContain('<testsuites tests="2" failures="0" errors="1" skipped="0"');
});

test('run says of a scenario without anything to compare that nothing was compared', async () => {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, 'name: Words\nsteps:\n  - say: Hello\n');
  const server = ['--base-url', 'http://127.0.0.1:9/v1', '--api-key', 'sk_test_x'];
  const { code, stderr } = await runInProcess(['run', file, ...server, '--json']);
  expect([code, JSON.parse(stderr).error.message]).toEqual([1, 'nothing was compared']);
});

test('a demo without anything to compare says so, and not that a step failed', async () => {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, 'name: Time\nsteps:\n  - say: A second passes\n    advance: 1s\n');
  const { code, stdout, stderr } = await runInProcess(['demo', file, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, compared: 0, failed: 0 });
  expect(JSON.parse(stderr).error.message).toBe('nothing was compared');
});

const DIFFERENT = `
name: ${'A name that is longer than a line for an audience, which has at most 88 characters. '.repeat(2)}
description: What differs.
steps:
  - chapter: The first chapter
    say: ${'A heading that is longer than a line for an audience, too. '.repeat(2)}
    note: Why it matters.
    request: GET /partner/cards?page=0
    expect: { status: 200, body: { page: 1 } }
  - request: GET /partner/balance
    key: null
    expect: { status: 401 }
  - request: GET /partner/balance
    headers: { x-trace: "7" }
    expect: { body: { currency: USD } }
`;

test('a step that differs is shown with the rule, for an audience as well, and later steps are played', async () => {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, DIFFERENT);
  const { url } = await serveHere(['--freeze']);
  for (const flags of [[], ['--verbose']]) {
    const { code, stdout } = await run(file, url, ...flags);
    expect(code).toBe(1);
    await expect(stdout.replaceAll(file, 'FILE')).toMatchFileSnapshot(`different${flags.join('')}.txt`);
  }
});
