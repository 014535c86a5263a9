import { expect, test } from 'vitest';
import { UnreachableError } from '../../../src/client/client.ts';
import { deserted } from '../../cli/support/deserted.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

test('a captured value keeps its type, and --var overrides it', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    `  - control: POST /balance/top-up
    body: { amount: 12.5 }
    capture: { available: body.available }
  - request: GET /partner/balance
    expect: { status: 200, body: { available: "\${available}", currency: "\${currency}" } }
  - request: GET /partner/cardholders?email=mia%2B\${run}@example.com
    expect: { status: 200, body: { total: 0 } }`,
    'variables: { currency: USD }',
  );
  const stage = await createStage(origin);
  expect(await playToEnd(scenario, stage)).toMatchObject({ ok: true, passed: 3 });
  const other = await playToEnd(scenario, stage, { variables: { currency: 'EUR', available: '1' } });
  expect(
    other.steps.map(({ status, reason, differences }) => reason ?? (differences[0]?.path || status)),
  ).toEqual(['--var sets what it would capture: available', 'body.available', 'passed']);
});

test('a step that fails captures what its response holds, so that later steps are compared', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/card-programs
    expect: { status: 201 }
    capture: { program: "body.data[0].id", lost: body.nothing }
  - request: GET /partner/card-programs/\${program}
    expect: { status: 200, body: { id: "\${program}" } }
  - request: GET /partner/card-programs/\${lost}`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ status }) => status)).toEqual(['failed', 'passed', 'skipped']);
  expect(steps[0]?.differences.map(({ path }) => path)).toEqual(['status']);
  expect(steps[2]?.reason).toBe('step 3 needs ${lost}, which step 1 did not capture; --var lost=… sets it');
});

test('steps that need a value which a failed step did not respond with are skipped', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards/card_nobody
    expect: { status: 200 }
    capture: { card: body.id }
  - request: GET /partner/balance
    expect: { status: 200 }
    capture: { lost: body.nothing }
  - request: POST /partner/cards/\${card}/freeze
    expect: { status: 200 }`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ status }) => status)).toEqual(['failed', 'failed', 'skipped']);
  expect(steps[1]?.differences).toEqual([
    { path: 'body.nothing', expected: 'a value, for ${lost}', got: 'nothing' },
  ]);
  expect(steps[2]?.reason).toBe('step 3 needs ${card}, which step 1 did not capture; --var card=… sets it');
});

test('a request is repeated, or sent until its response is as expected', async () => {
  const { origin, control } = await startSandbox();
  await control('POST', '/faults', { path: '/partner/balance', status: 503, times: 3 });
  const scenario = await parseScenario(`  - request: GET /partner/balance
    within: 60s
    expect: { status: 200 }
  - request: GET /partner/balance
    repeat: 3
    expect: { status: 200 }`);
  expect(await playToEnd(scenario, await createStage(origin))).toMatchObject({ ok: true });
  const journal = await control('GET', '/requests');
  expect(journal.body.map((entry: { status: number }) => entry.status)).toEqual([
    200, 200, 200, 200, 503, 503, 503,
  ]);
});

test('the error of a control operation is a difference', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - control: PATCH /partners/partner_acme/settings
    body: { rateLimitPerMinute: 5 }
    expect: { body: { rateLimitPerMinute: 5 } }
  - control: PATCH /partners/partner_nobody/settings
    body: { rateLimitPerMinute: 5 }
  - control: PATCH /partners/partner_nobody/settings
    expect: { status: 404, body: { success: false } }`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
  expect(steps[1]?.differences[0]).toMatchObject({
    expected: 'success',
    got: expect.stringMatching(/^404, "no partner/),
  });
});

test('an unreachable server rejects in the first step and is a difference later', async () => {
  const scenario = await parseScenario(
    '  - request: GET /partner/cards\n  - request: GET /partner/balance\n  - say: The end',
  );
  await expect(playToEnd(scenario, await createStage(await deserted()))).rejects.toThrow(UnreachableError);
  const { origin } = await startSandbox();
  const gone: typeof fetch = (input, init) =>
    String(input).endsWith('/balance') ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
  const { steps } = await playToEnd(scenario, await createStage(origin, { fetch: gone }));
  expect(steps.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
  expect(steps[1]?.differences).toEqual([
    { path: 'response', expected: 'one', got: `none: no sandbox answers at ${origin}` },
  ]);
});

test('a report in which nothing was compared is not ok', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario('  - control: GET /health\n  - advance: 1h');
  const report = await playToEnd(scenario, await createStage(origin, { hasControl: false }));
  expect(report).toMatchObject({ ok: false, passed: 0, skipped: 2 });
});

test('a request that would leave the API, or has a production key, is not sent', async () => {
  const { origin, control } = await startSandbox();
  const scenario = await parseScenario(
    `  - request: GET /../../escape/path
  - request: GET /\${up}/_sandbox/state
  - request: GET /partner/cards
    key: \${key}
  - request: GET /partner/cards
    headers: { x-service-api-key: "\${key}" }
  - request: POST /partner/kyc-sessions
    body: { externalUserId: sk_live_1 }
  - request: GET /partner/balance`,
    'variables: { up: .., key: sk_live_0123456789 }',
  );
  const { steps } = await playToEnd(scenario, await createStage(origin));
  const leaves = (path: string) => expect.stringContaining(`leads to ${path}; write one below /v1`);
  const hasKey = 'it has a production key; use a key that begins with sk_test_';
  expect(steps.map(({ differences }) => differences[0]?.got)).toEqual([
    ...[leaves('/escape/path'), leaves('/_sandbox/state'), hasKey, hasKey, hasKey, undefined],
  ]);
  expect((await control('GET', '/requests')).body).toHaveLength(1);
});
