import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { listen } from '../../../support/listen.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

/** A server that responds to so many requests. Returns its URL, and a promise of the first request that gets no response. */
async function hangAfter(responses: number) {
  let left = responses;
  let notify = () => {};
  const hanging = new Promise<void>(resolve => {
    notify = resolve;
  });
  const url = await listen((_request, response) => {
    if (left-- > 0) response.setHeader('content-type', 'application/json').end('{}');
    else notify();
  });
  return { url, hanging };
}

const STEPS = `name: Mine
steps:
  - say: One
    request: GET /partner/balance
    expect: { status: 200 }
  - say: Two
    request: GET /partner/balance
  - say: Three
    request: GET /partner/balance
`;

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'the JUnit file of a run that %s stops says what was played and what was not',
  async signal => {
    const { url, hanging } = await hangAfter(1);
    const [file, junit] = [await temporaryFile('mine.yaml'), await temporaryFile('report.xml')];
    await writeFile(file, STEPS);
    const words = ['run', file, '--base-url', `${url}/v1`, '--api-key', ACME_KEY, '--junit', junit];
    const { child, ended, stderr } = startProcess(process.execPath, [CLI_PROGRAM, ...words]);
    await hanging;
    child.kill(signal);
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(stderr()).toBe('stopped early; 2 steps not played\n');
    const xml = await readFile(junit, 'utf8');
    expect(xml).toContain('<testsuites tests="4" failures="0" errors="1" skipped="2"');
    expect(xml).toMatch(/name="01 One"[^>]*\/>/);
    for (const name of ['02 Two', '03 Three']) {
      expect(xml).toMatch(
        new RegExp(`name="${name}"[^>]*>\\s*<skipped message="not played: the run was stopped"/>`),
      );
    }
    expect(xml).toContain('<error message="the run was stopped; 2 steps were not played">');
  },
);

test('a run that is stopped before its first step writes an error', async () => {
  const { url, hanging } = await hangAfter(0);
  const junit = await temporaryFile('report.xml');
  const target = ['--base-url', `${url}/v1`, '--control-url', url, '--api-key', ACME_KEY];
  const words = ['run', 'kyc-reimport', ...target, '--junit', junit];
  const { child, ended } = startProcess(process.execPath, [CLI_PROGRAM, ...words]);
  await hanging;
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(await readFile(junit, 'utf8')).toContain(
    '<error message="the run was stopped; no step was played">',
  );
});

test('the JUnit file of a run that stops at a failed step has the steps behind it', async () => {
  const { url } = await hangAfter(9);
  const [file, junit] = [await temporaryFile('mine.yaml'), await temporaryFile('report.xml')];
  await writeFile(file, STEPS.replace('status: 200', 'status: 201'));
  const target = ['--base-url', `${url}/v1`, '--api-key', ACME_KEY, '--no-keep-going'];
  const words = ['run', file, ...target, '--junit', junit];
  expect((await startProcess(process.execPath, [CLI_PROGRAM, ...words]).ended).code).toBe(1);
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain('<testsuites tests="3" failures="1" errors="0" skipped="2"');
  expect(xml).toMatch(/name="03 Three"[^>]*>\s*<skipped message="not played: a step before it failed"\/>/);
});

test.each([
  ['the undisturbed run', `process.stdout.write('begun')`],
  [
    'a disturbed run',
    `const response = await fetch(process.env.SERVICE_BASE_URL + '/partner/balance', {
       headers: { 'x-service-api-key': process.env.SERVICE_API_KEY },
     });
     if (response.status === 200) process.exit(0);
     process.stdout.write('begun')`,
  ],
])('the reports of an exam that is stopped in %s say so, and what was not tried', async (_when, begin) => {
  const junit = await temporaryFile('exam.xml');
  const mark = await temporaryFile('begun');
  const code = `${begin}; require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); setInterval(() => {}, 1000)`;
  const program = await temporaryFile('app.mjs');
  await writeFile(
    program,
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${code}`,
  );
  const only = ['error-500-before', 'error-503-before'];
  const words = ['exam', '--only', ...only, '--json', '--junit', junit, '--', process.execPath, program];
  const { child, ended, stdout, stderr } = startProcess(process.execPath, [CLI_PROGRAM, ...words]);
  await expect
    .poll(() =>
      readFile(mark).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 143, signal: null });
  const xml = await readFile(junit, 'utf8');
  expect(xml).toContain('<error message="the exam was stopped by SIGTERM"/>');
  expect(xml).toContain('failures="0" errors="1"');
  expect(xml).toContain('<skipped message="not run, because the exam was stopped"/>');
  const { error } = JSON.parse(stderr().trimEnd().split('\n').at(-1) ?? '');
  expect(error.message).toBe('the exam was stopped by SIGTERM');
  expect(JSON.parse(stdout()).results).toContainEqual(
    expect.objectContaining({ detail: 'not run, because the exam was stopped' }),
  );
});
