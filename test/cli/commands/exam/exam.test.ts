import { getEventListeners } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInSandbox } from '../../../../src/cli/commands/exam/examined-run.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { appCommand, CLIENT, exam, program, verdictsOf } from './run-exam.ts';

const APP = appCommand('onboarding');
const SERVED = { port: 0, host: '127.0.0.1' };

test('the report has causes with their lines, the history, the advice about that call and the command to repeat', async () => {
  const only = [
    ...[
      'connection-lost-after.cardholders.reimport',
      'error-503-after',
      'key-rotated',
      'connection-lost-after.cards.freeze',
    ],
  ];
  const junit = await temporaryFile('exam.xml');
  const flags = [
    '--seed',
    '7',
    '--fixtures',
    'empty',
    '--parallel',
    '2',
    '--verbose',
    '--junit',
    junit,
    '--only',
    ...only,
  ];
  const variables = { BUGS: 'sends-used-token' };
  const { code, stdout, stderr } = await runInProcess(['exam', ...flags, '--', ...APP], variables);
  const title = 'A write that was applied is sent again: POST /partner/cardholders (re-import)';
  expect(code).toBe(1);
  expect(stdout).toContain(title);
  expect(stdout.match(/Try it alone/g)).toHaveLength(1);
  for (const text of [
    ...only.slice(0, 2).map(id => `  broke ${id}\n`),
    'the command failed (exit code 3)',
    'AssertionError: the correction: 400 "body.idp1ShareToken',
    '  > POST /v1/partner/cardholders -> connection closed\n',
    '    POST /v1/partner/cardholders -> 400 (body.idp1ShareToken',
    'Why it happens: The network fails after the service has applied the request',
    'submit again with a new share token',
    `Try it alone: --only ${only[0]}\n`,
  ])
    expect(stdout).toContain(text);
  expect(stdout).toMatch(
    /\nnot exercised\n {2}\S.*freeze was not called: connection-lost-after.cards.freeze\n\n1 survived, 2 broke, 0 applied twice, 0 accepted, 1 not exercised: 3 runs in .* s\n$/,
  );
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain('<testsuites tests="5" failures="2" errors="0" skipped="1"');
  expect(xml).toMatch(
    /<failure message="broke: the command failed \(exit code 3\)">[^<]*&#10;--only error-503-after<\/failure>/,
  );
  const [, passed, about] =
    /^baseline passed in (\d\.\d|\d\d+) s; 3 misbehaviours to try, in 3 runs or more: about (\S+) s\n/.exec(
      stderr,
    ) ?? [];
  // Both are rounded: from 10 s on to whole seconds.
  expect(Number(about) / Number(passed)).toBeCloseTo(3 / 2, 0);
  expect(stderr).toMatch(/\nrun 3 passed in .* s: key-rotated\n/);
});

test('a command that fails undisturbed ends the exam', async () => {
  const junit = await temporaryFile('exam.xml');
  const { code, report, stderr } = await exam(['--junit', junit], program('throw new Error("no way")'));
  expect(code).toBe(1);
  expect(report).toMatchObject({ baseline: 'failed', results: [], summary: { runs: 0 } });
  expect(stderr).toContain('baseline failed: without a misbehaviour, the command failed (exit code 1)');
  expect(stderr).toContain('Error: no way');
  expect(await readFile(junit, 'utf8')).toContain('<error message="baseline failed">');
});

test.each(['no-such-program', 'package.json/program'])(
  'a command that cannot be started, such as %s, fails undisturbed',
  async name => {
    const { code, report, stderr } = await exam([], [name]);
    expect([code, report.baseline]).toEqual([1, 'failed']);
    expect(stderr).toContain('the command failed (exit code 127)');
    expect(stderr).toContain(`${name}: command not found`);
  },
);

test('what an earlier exam has kept is removed when the command is run, and nothing else', async () => {
  const dir = await temporaryFile('records');
  for (const id of ['key-rotated', 'ids-long', 'other']) {
    await mkdir(join(dir, id), { recursive: true });
    await writeFile(join(dir, id, 'main.record.jsonl'), '');
  }
  await writeFile(join(dir, 'ids-long', 'notes.md'), '');
  const kept = await readdir(dir, { recursive: true });
  const missing = ['exam', '--artifacts', dir, '--fixtures', `${dir}/none.json`, '--', 'true'];
  expect((await runInProcess(missing, {})).code).toBe(1);
  expect(await readdir(dir, { recursive: true })).toEqual(kept);
  await exam(['--artifacts', dir], program('throw new Error("no way")'));
  expect((await readdir(dir, { recursive: true })).toSorted()).toEqual([
    ...['ids-long', 'ids-long/notes.md', 'other', 'other/main.record.jsonl'],
  ]);
});

test('a command that cannot be run twice ends the exam, and no misbehaviour is blamed for it', async () => {
  const database = await temporaryFile('database');
  const { code, report, stderr } = await exam(
    ['--only', 'key-rotated'],
    program(`${CLIENT}
      await program();
      (await import('node:fs')).writeFileSync(process.env.DATABASE, '', { flag: 'wx' });`),
    { DATABASE: database },
  );
  expect([code, report.baseline, report.results]).toEqual([1, 'failed', []]);
  expect(stderr).toMatch(/baseline failed: .* when it was run again; start every run from the same state/);
});

test.each([
  [
    'nothing strikes',
    `${CLIENT} await send('GET', '/cards');`,
    'nothing that was asked for could be judged',
    1,
  ],
  ['nothing is recorded', '', 'Nothing was recorded: no request of the API reached the sandbox', 0],
])('an exam of which %s says so to people and as JUnit XML', async (_, script, reason, skipped) => {
  const junit = await temporaryFile('exam.xml');
  const words = ['exam', '--junit', junit, '--only', 'signature-missing', '--', ...program(script)];
  const { code, stderr } = await runInProcess(words, { GITHUB_STEP_SUMMARY: '' });
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain(`error: ${reason}`);
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain(`tests="${skipped + 1}" failures="0" errors="1" skipped="${skipped}"`);
  expect(xml).toContain(`<error message="${reason}`);
});

test.each([
  ['/cards?status=frozen', 'not-exercised'],
  ['/cards', 'survived'],
])(
  'amounts with cents are judged by whether a response shows one: beside people, %s is %s',
  async (path, verdict) => {
    const script = `${CLIENT} await send('GET', '/cardholders'); await send('GET', '${path}');`;
    const { report } = await exam(['--only', 'amounts-with-cents'], program(script));
    expect(verdictsOf(report)).toEqual({ 'amounts-with-cents': verdict });
  },
);

test('a status stays known in a response that a fault of the tests changes, so that nothing is said of it', async () => {
  const script = `${CLIENT}
    await control('/faults', { path: '/partner/cards', delayMs: 1 });
    await send('GET', '/cards');`;
  const { report } = await exam(['--only', 'status-unknown'], program(script));
  expect(verdictsOf(report)).toEqual({ 'status-unknown': 'not-exercised' });
});

test('a misbehaviour is there again after the command resets the sandbox', async () => {
  const script = `${CLIENT} await control('/reset'); await send('GET', '/cards');`;
  const { report } = await exam(['--only', 'error-500-before', 'key-rotated'], program(script));
  expect(verdictsOf(report)).toEqual({ 'error-500-before': 'broke', 'key-rotated': 'survived' });
  expect(report.results[0]?.detail).toContain('Error: /cards failed: 500');
});

test('of a long output the beginning and the end are kept, where a failure is reported', async () => {
  const script = `console.log('begun'); console.log(('x'.repeat(99) + '\\n').repeat(30_000)); console.log('failed');`;
  const limits = { limitMs: 20_000, signal: new AbortController().signal };
  const { output, release } = await runInSandbox([process.execPath, '-e', script], SERVED, [], limits);
  release();
  expect([output.slice(0, 6), output.slice(-7)]).toEqual(['begun\n', 'failed\n']);
  expect(output.length).toBeLessThan(1_300_000);
});

test('a character whose bytes come one after the other is kept whole', async () => {
  const script = `process.stdout.write(Buffer.from([0xc3]), () => setTimeout(() => process.stdout.write(Buffer.from([0xa9])), 50));`;
  const limits = { limitMs: 20_000, signal: new AbortController().signal };
  const { output, release } = await runInSandbox([process.execPath, '-e', script], SERVED, [], limits);
  release();
  expect(output).toBe('é');
});

test('a run that has ended no longer listens for the end of the exam', async () => {
  const { signal } = new AbortController();
  const run = await runInSandbox([process.execPath, '-e', ''], SERVED, [], { limitMs: 20_000, signal });
  run.release();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a run that takes longer than its limit is ended, with what it started', async () => {
  const words = [process.execPath, '-e', 'setInterval(() => {}, 1_000)'];
  const limits = { limitMs: 300, signal: new AbortController().signal };
  const run = await runInSandbox(words, SERVED, [], limits);
  run.release();
  expect(run).toMatchObject({ code: 137, isTimedOut: true });
});
