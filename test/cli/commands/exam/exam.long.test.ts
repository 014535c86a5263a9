import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runInSandbox } from '../../../../src/cli/commands/exam/examined-run.ts';
import { performance } from '../../../../src/core/values/builtins.ts';
import type { JsonReport } from '../../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { isFullRun } from '../../../support/proof/proof-size.ts';
import { isRunning } from '../../support/is-running.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const COMMAND = ['--', process.execPath, join(import.meta.dirname, 'integration.mjs')];

/** Runs an exam of the integration, with bugs. */
async function exam(bugs: string, flags: readonly string[] = []) {
  const { code, stdout, stderr } = await runInProcess(
    ['exam', '--json', '--parallel', '6', ...flags, ...COMMAND],
    { BUGS: bugs, GITHUB_STEP_SUMMARY: '' },
  );
  if (stdout === '') throw new Error(`exit ${code}: ${stderr}`);
  const report: JsonReport = JSON.parse(stdout);
  const found = report.results.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not-exercised');
  return { code, stderr, report, found: found.map(({ id, verdict }) => `${verdict} ${id}`) };
}

/** What the short run examines a second time. */
const AGAIN = ['error-503-after', 'names-unusual', 'webhooks-twice', 'signature-missing'];

const lost = (when: string) =>
  ['cardholders.create', 'webhooks.updateConfig'].map(id => `broke connection-lost-${when}.${id}`);

test('a sound integration survives everything, twice alike', async () => {
  const first = await exam('');
  expect(first.found).toEqual([]);
  expect(first).toMatchObject({
    code: 0,
    report: { baseline: 'passed', summary: { broke: 0, appliedTwice: 0, accepted: 0 } },
  });
  expect(first.report.summary.survived).toBeGreaterThan(25);
  expect(first.report.summary.survived + first.report.summary.notExercised).toBe(first.report.results.length);
  const verdicts = ({ report }: typeof first) => report.results.map(({ id, verdict }) => [id, verdict]);
  const again = await exam('', isFullRun ? [] : ['--only', ...AGAIN]);
  const expected = verdicts(first).filter(([id = '']) => isFullRun || AGAIN.includes(id));
  expect(verdicts(again)).toEqual(expected);
});

const BUGS: readonly (readonly [string, readonly string[]])[] = [
  [
    'blind-create',
    ['broke connection-lost-after.cardholders.create', 'broke error-500-after', 'broke error-503-after'],
  ],
  // None of them hides another one.
  [
    'gives-up accepts-unsigned accepts-old strict-events processes-twice first-page',
    [
      ...[...lost('before'), ...lost('after')],
      ...['error-500-before', 'error-500-after', 'error-503-before', 'error-503-after'].map(
        id => `broke ${id}`,
      ),
      ...['error-503-lasting', 'rate-limited', 'rate-limited-lasting'].map(id => `broke ${id}`),
      'accepted signature-missing',
      'accepted timestamp-old',
      'broke webhook-fields-unknown',
      'broke webhooks-twice',
      'broke lists-longer-than-a-page',
    ],
  ],
];

test.each(isFullRun ? BUGS : BUGS.slice(1))(
  'the bugs %s are found, and nothing else',
  async (bugs, expected) => {
    const { code, found } = await exam(bugs);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(code).toBe(1);
  },
);

test('the report has the failing lines, the history, the reason and the command to repeat', async () => {
  const args = ['exam', '--seed', '7', '--only', 'connection-lost-after', ...COMMAND];
  const { code, stdout, stderr } = await runInProcess(args, {
    BUGS: 'blind-create',
    GITHUB_STEP_SUMMARY: '',
  });
  expect(code).toBe(1);
  expect(stdout).toContain('broke connection-lost-after.cardholders.create');
  expect(stdout).toContain('the command failed (exit code 3)');
  expect(stdout).toContain('AssertionError: creating the cardholder returned 400');
  expect(stdout).toMatch(/> POST \/v1\/partner\/cardholders -> connection closed\n/);
  expect(stdout).toMatch(/ {6}POST \/v1\/partner\/cardholders -> 400 \(body\.idp1ShareToken/);
  expect(stdout).toContain('Why it happens: The network fails after the service has applied the request');
  expect(stdout).toContain('Look for a cardholder with your externalUserId');
  expect(stdout).toContain(
    `Try it alone: card-sandbox exam --seed 7 --only connection-lost-after.cardholders.create -- ${COMMAND[1]}`,
  );
  expect(stdout).toContain('POST /partner/cards was not called: connection-lost-after.cards.issue');
  expect(stdout).toMatch(/\n1 survived, 1 broke, 0 applied twice, 0 accepted, \d+ not exercised in /);
  expect(stderr).toMatch(/^baseline passed in .* s; 2 misbehaviours to try/);
  expect(stderr).toMatch(/1\/2 {2}(broke|survived) .* about .* left/);
});

test('findings of one cause are one finding of the report, and one row of the summary', async () => {
  const summary = await temporaryFile('summary.md');
  const only = ['--only', 'connection-lost-after', 'error-500-after', 'error-503-after', 'key-rotated'];
  const args = ['exam', ...only, ...COMMAND];
  const { stdout } = await runInProcess(args, { BUGS: 'blind-create', GITHUB_STEP_SUMMARY: summary });
  const ids = ['connection-lost-after.cardholders.create', 'error-500-after', 'error-503-after'];
  const title = 'A write that was applied is sent again: POST /partner/cardholders';
  expect(stdout.startsWith([title, ...ids.map(id => `  broke ${id}`)].join('\n'))).toBe(true);
  expect(stdout.match(/Try it alone/g)).toHaveLength(1);
  const row = `| ${ids.map(id => `\`${id}\``).join(', ')} | broke | ${title} |`;
  expect(await readFile(summary, 'utf8')).toContain(row);
  const { report } = await exam('blind-create', only);
  const lines = ['AssertionError: creating the cardholder returned 400'];
  expect(report.causes).toEqual([{ title, results: ids, lines }]);
  expect(report.summary).toMatchObject({ broke: 3 });
  const { report: other } = await exam('gives-up', ['--only', 'rate-limited', 'error-503-before']);
  expect(other.causes).toMatchObject([
    {
      title: expect.stringMatching(/^A request that failed is not sent again: PATCH/),
      results: ['error-503-before', 'rate-limited'],
    },
  ]);
});

test('a command that fails undisturbed ends the exam', async () => {
  const junit = await temporaryFile('exam.xml');
  const args = [
    'exam',
    '--json',
    '--junit',
    junit,
    '--',
    process.execPath,
    '-e',
    'throw new Error("no way")',
  ];
  const { code, stdout, stderr } = await runInProcess(args, { GITHUB_STEP_SUMMARY: '' });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ baseline: 'failed', results: [] });
  expect(stderr).toContain('baseline failed');
  expect(stderr).toContain('Error: no way');
  expect(await readFile(junit, 'utf8')).toContain('<error message="baseline failed">');
});

test('known findings are accepted, and reports are written', async () => {
  const only = ['--only', 'signature-missing', 'timestamp-old'];
  const { code, report } = await exam('accepts-unsigned', only);
  expect(code).toBe(1);
  const known = await temporaryFile('known.json');
  await writeFile(known, JSON.stringify(report));
  expect((await exam('accepts-unsigned', [...only, '--baseline', known])).code).toBe(0);
  const [junit, summary] = [await temporaryFile('exam.xml'), await temporaryFile('summary.md')];
  const args = ['exam', ...only, '--baseline', known, '--junit', junit, ...COMMAND];
  const other = await runInProcess(args, { BUGS: 'accepts-old', GITHUB_STEP_SUMMARY: summary });
  expect(other.code).toBe(1);
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="0"');
  expect(xml).toContain('classname="exam.forged" name="timestamp-old"');
  const markdown = await readFile(summary, 'utf8');
  expect(markdown).toContain(
    '❌ card-sandbox exam: 1 survived, 0 broke, 0 applied twice, 1 accepted, 0 not exercised',
  );
  expect(markdown).toContain('| `timestamp-old` | accepted |');
});

test('--fail-fast stops at the first finding', async () => {
  const args = ['--fail-fast', '--parallel', '1', '--only', 'error-500-before', 'error-503-before'];
  const { code, report } = await exam('gives-up', args);
  expect(code).toBe(1);
  expect(report.results.map(({ verdict }) => verdict)).toEqual(['broke', 'not-exercised']);
  expect(report.results[1]?.detail).toContain('stopped at the first finding');
});

test('sandboxes that the command creates in its own process are disturbed, too', async () => {
  const index = join(import.meta.dirname, '../../../../dist/index.js');
  const script = (retries: number) => `
    import { createHmac } from 'node:crypto';
    import { createSandbox } from ${JSON.stringify(pathToFileURL(index).href)};
    const webhookReceiver = async request => {
      const [, t, v1] = /^t=(\\d+),v1=(.*)$/.exec(request.headers.get('x-service-signature')) ?? [];
      const mac = createHmac('sha256', 'a-secret-of-more-than-16').update(t + '.' + (await request.text())).digest('hex');
      return new Response(null, { status: mac === v1 ? 204 : 401 });
    };
    const sandbox = createSandbox({ webhookReceiver });
    const send = async (method, path, body, left = ${retries}) => {
      const headers = { 'x-service-api-key': sandbox.apiKey, 'content-type': 'application/json' };
      try {
        const response = await sandbox.fetch('/v1' + path, { method, headers, body: body && JSON.stringify(body) });
        if (response.status < 500) return response.json();
      } catch {}
      if (left === 0) throw new Error('gave up ' + path);
      return send(method, path, body, left - 1);
    };
    await send('PATCH', '/partner/webhooks/config', { webhookUrl: 'https://a.test/', webhookSecret: 'a-secret-of-more-than-16', subscribedEvents: ['kyc_session.completed'] });
    const { id } = await send('POST', '/partner/kyc-sessions', {});
    await sandbox.kycSessions.approve(id);
    await sandbox.webhooks.settle();
    await sandbox.close();`;
  const only = ['error-500-before', 'signature-other-secret', 'timestamp-old', 'webhooks-late', 'ids-long'];
  const verdicts = async (retries: number) => {
    const args = ['exam', '--json', '--parallel', '4', '--only', ...only, '--', process.execPath];
    const words = [...args, '--input-type=module', '-e', script(retries)];
    const { stdout } = await runInProcess(words, { GITHUB_STEP_SUMMARY: '' });
    const { results } = JSON.parse(stdout) as JsonReport;
    return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  };
  const sound = {
    'error-500-before': 'survived',
    'webhooks-late': 'not-exercised',
    'ids-long': 'survived',
    'signature-other-secret': 'survived',
    'timestamp-old': 'accepted',
  };
  expect(await verdicts(1)).toEqual(sound);
  expect(await verdicts(0)).toEqual({ ...sound, 'error-500-before': 'broke' });
});

test('JUnit names the file of the test that failed', async () => {
  const [file, junit] = [await temporaryFile('cards.test.mjs'), await temporaryFile('exam.xml')];
  await writeFile(
    file,
    `import { equal } from 'node:assert';
    import { test } from 'node:test';
    const { SERVICE_BASE_URL: base, SERVICE_API_KEY: key } = process.env;
    test('no error is shown', () => {});
    test('the cards are listed', async () => {
      equal((await fetch(base + '/partner/cards', { headers: { 'x-service-api-key': key } })).status, 200);
    });`,
  );
  const only = ['--only', 'error-500-before', 'key-rotated'];
  const args = ['exam', '--junit', junit, ...only, '--', process.execPath, '--test', file];
  const { stdout } = await runInProcess(args, { GITHUB_STEP_SUMMARY: '' });
  expect(stdout).toContain('the cards are listed');
  expect(stdout).not.toContain('no error is shown');
  const xml = await readFile(junit, 'utf8');
  expect(xml).toMatch(/name="error-500-before" file="[^"]*cards\.test\.mjs" time="/);
  expect(xml).toMatch(/name="key-rotated" time="/);
  expect(xml).toMatch(/name="baseline" time="/);
});

test('a misbehaviour is there again after the command resets the sandbox', async () => {
  const script = `
    const { CARD_SANDBOX_URL: url, SERVICE_BASE_URL: base, SERVICE_API_KEY: key } = process.env;
    await fetch(url + '/_sandbox/reset', { method: 'POST' });
    const { status } = await fetch(base + '/partner/cards', { headers: { 'x-service-api-key': key } });
    if (status !== 200) throw new Error('status ' + status);`;
  const args = ['exam', '--json', '--only', 'error-500-before', 'key-rotated', '--'];
  const { stdout } = await runInProcess([...args, process.execPath, '--input-type=module', '-e', script], {
    GITHUB_STEP_SUMMARY: '',
  });
  const { results } = JSON.parse(stdout) as JsonReport;
  expect(results.map(({ verdict }) => verdict)).toEqual(['broke', 'survived']);
  expect(results[0]?.detail).toContain('Error: status 500');
});

/** A program that calls one operation, and goes on for some time if it answers. Otherwise it fails, or hangs. */
const callOnce = (time: number, otherwise: string) => `
  const { SERVICE_BASE_URL: base, SERVICE_API_KEY: key } = process.env;
  const init = { method: 'POST', headers: { 'x-service-api-key': key, 'content-type': 'application/json' }, body: '{}' };
  const { status } = await fetch(base + '/partner/cardholders/ch_mia_approved/kyc', init);
  if (status >= 500) ${otherwise};
  await new Promise(resolve => setTimeout(resolve, ${time}));`;

test('a run that takes longer than its limit is ended, with what it started', async () => {
  const disturbance = { faults: [{ status: 500, times: 1 }] };
  const words = [process.execPath, '-e', 'setInterval(() => {}, 1_000)'];
  const flags = { port: 0, host: '127.0.0.1' };
  const limits = { limitMs: 300, signal: new AbortController().signal };
  const run = await runInSandbox(words, flags, 'error', disturbance, limits);
  expect(run).toMatchObject({ code: 137, isTimedOut: true });
});

test('a slow exam says which flags make it faster', async () => {
  // A run of 200 ms counts as one of 20 s.
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now() * 100);
  onTestFinished(() => void vi.restoreAllMocks());
  const script = callOnce(200, "throw new Error('no')");
  const args = ['exam', '--fail-fast', '--', process.execPath, '--input-type=module', '-e', script];
  const { stderr } = await runInProcess(args, { GITHUB_STEP_SUMMARY: '' });
  expect(stderr).toMatch(
    /\nfaster: --kyc-delay 200ms decides .*; --parallel 4 makes .*; --only tries some misbehaviours\n/,
  );
});

test.runIf(process.platform === 'linux')(
  'a process that leaves the session of the command ends with each run',
  async () => {
    const file = await temporaryFile('pids');
    const untilLeft = 'while [ "$(ps -o sid= -p $!)" -ne $! ]; do :; done';
    const script = `setsid sleep 600 & echo $! >>'${file}'; ${untilLeft}`;
    await runInProcess(['exam', '--only', 'error-500-before', '--', 'sh', '-c', script], {
      GITHUB_STEP_SUMMARY: '',
    });
    const pids = (await readFile(file, 'utf8')).trim().split('\n');
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  },
);
