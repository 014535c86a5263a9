import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runInProcess, sharedSandbox } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, runCli } from '../../../support/cli-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const { running } = sharedSandbox(['--fixtures', 'empty', '--allow-http-webhooks', '--kyc-delay', '0s']);

/** Runs a scenario against the shared sandbox. */
const run = (file: string, ...words: string[]) =>
  runInProcess(['run', file, '--base-url', `${running().url}/v1`, '--api-key', ACME_KEY, ...words]);

/** A scenario file with these steps. */
async function scenario(steps: string): Promise<string> {
  const file = await temporaryFile('mine.yaml');
  await writeFile(file, `name: Mine & "yours"\nsteps:\n${steps}\n`);
  return file;
}

test('without a control plane, steps that need it are skipped with a reason', async () => {
  const { code, stdout, stderr } = await run('kyc-reimport');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^A corrected identity \(19 steps\)\n✓ {2}1 Acme looks up/);
  expect(stdout).toContain(
    "-  2 Zoe's bank shares her identity, with her consent (skipped: there is no control plane; --control-url sets one)\n",
  );
  expect(stdout).toMatch(/\n\n13 steps passed; 6 steps skipped\.\n$/);
});

test('with a control plane every step is played, with or without the prefix in its address', async () => {
  const { url } = running();
  const [one, other] = [
    await run('card-lifecycle', '--control-url', url),
    await run('card-lifecycle', '--control-url', `${url}/_sandbox/`),
  ];
  for (const { code, stdout } of [one, other]) {
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nAll 24 steps passed\.\n$/);
  }
});

test('each difference is reported with member, expectation, line and section, also in JUnit XML', async () => {
  const file = await scenario(`  - say: There are two cards, it says
    request: GET /partner/cards
    expect: { status: 200, body: { total: 2, page: 7 } }
  - request: GET /partner/cards/card_nobody
    expect: { status: 200 }
  - advance: 1h
  - request: GET /partner/balance
    expect: { status: 200 }`);
  const junit = await temporaryFile('report.xml');
  const { code, stdout } = await run(file, '--junit', junit);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /✗ {2}1 There are two cards, it says\n {5}body\.total: expected 2, got \d+\n {5}body\.page: expected 7, got 1\n {5}\S+mine\.yaml:3; interface section 4\.4\n/,
  );
  expect(stdout).toMatch(
    /✗ {2}2 GET \/partner\/cards\/card_nobody\n {5}status: expected 200, got 404, "no card with id/,
  );
  expect(stdout).toMatch(/\n\n2 of 4 steps failed: 1, 2; 1 step skipped\.\n$/);
  const xml = await readFile(junit, 'utf8');
  expect(xml).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="4" failures="2" errors="0" skipped="1"/,
  );
  expect(xml).toContain('<testsuite name="Mine &amp; &quot;yours&quot;"');
  expect(xml).toMatch(/<failure message="body\.total: expected 2, got \d+">/);
  expect(xml).toContain('<skipped message="there is no control plane; --control-url sets one"/>');

  const first = await run(file, '--no-keep-going', '--json');
  expect(first.code).toBe(1);
  expect(JSON.parse(first.stdout)).toMatchObject({
    scenario: 'Mine & "yours"',
    ok: false,
    failed: 1,
    left: 3,
    steps: [{ number: 1, status: 'failed', rule: { section: '4.4', assumption: null } }],
  });
});

test('--verbose shows every request and response', async () => {
  const { code, stdout } = await run(await scenario('  - request: GET /partner/balance'), '--verbose');
  expect(code).toBe(0);
  expect(stdout).toMatch(/→ GET \/v1\/partner\/balance\n {4}← 200 OK\n/);
});

test('a production key, a base URL without the version, and a missing one are wrong usage', async () => {
  const base = ['--base-url', 'https://sandbox.example.com/v1'];
  const [live, version, none, keyless] = await Promise.all([
    runInProcess(['run', 'kyc-reimport', ...base, '--api-key', 'sk_live_1234567890']),
    runInProcess(['run', 'kyc-reimport', '--base-url', 'https://sandbox.example.com', '--api-key', ACME_KEY]),
    runInProcess(['run', 'kyc-reimport']),
    runInProcess(['run', 'kyc-reimport', ...base]),
  ]);
  for (const { code } of [live, version, none, keyless]) expect(code).toBe(2);
  expect(live.stderr).toContain('It is a production key; a scenario would issue real cards with it.');
  expect(version.stderr).toContain('It must end in the version segment /v1');
  expect(none.stderr).toContain('the base URL is missing; pass --base-url or set SERVICE_BASE_URL');
  expect(keyless.stderr).toContain('the API key is missing; pass --api-key or set SERVICE_API_KEY');
});

test('under exec, run needs no flags', async () => {
  const command = [process.execPath, CLI_PROGRAM, 'run', 'card-lifecycle'];
  const { code, stdout } = await runCli([
    'exec',
    '--fixtures',
    'empty',
    '--allow-http-webhooks',
    '--',
    ...command,
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nAll 24 steps passed\.\n$/);
});
