import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

test('where the clock is held, waiting for a response advances it, twice as far each time', async () => {
  const { origin, control } = await startSandbox();
  const stage = { ...(await createStage(origin)), holdsClock: true };
  const now = async () => (await control('GET', '/clock')).body.now;
  await control('POST', '/faults', { path: '/partner/balance', status: 503, times: 3 });
  const passing = await parseScenario(`  - request: GET /partner/balance
    within: 60s
    expect: { status: 200 }`);
  expect((await playToEnd(passing, stage)).ok).toBe(true);
  // 1 s, 2 s and 4 s.
  expect(await now()).toBe('2026-03-15T10:00:07.000Z');
  const failing = await parseScenario(`  - request: GET /partner/balance
    within: 60s
    expect: { status: 201 }`);
  expect((await playToEnd(failing, stage)).ok).toBe(false);
  // Some three days: 7 s, and 1 s to 131,072 s.
  expect(await now()).toBe('2026-03-18T10:49:10.000Z');
  const atOnce = await parseScenario('  - request: GET /partner/balance\n    expect: { status: 201 }');
  await playToEnd(atOnce, stage);
  expect(await now()).toBe('2026-03-18T10:49:10.000Z');
});

test('a request is sent again every 200 ms until its time is over', async () => {
  const { origin, control } = await startSandbox();
  let elapsed = 0;
  const slept: number[] = [];
  const wallClock = {
    elapsed: () => elapsed,
    sleep: async (ms: number) => {
      slept.push(ms);
      elapsed += ms;
    },
  };
  const scenario = await parseScenario(`  - request: GET /partner/balance
    within: 500ms
    expect: { status: 201 }`);
  const { steps } = await playToEnd(scenario, { ...(await createStage(origin)), wallClock });
  expect(slept).toEqual([200, 200, 200]);
  expect(steps[0]).toMatchObject({ status: 'failed', durationMs: 600 });
  expect((await control('GET', '/requests')).body).toHaveLength(4);
});

test('a repeated request stops at the first response that is not as expected', async () => {
  const { origin, control } = await startSandbox();
  await control('POST', '/faults', { path: '/partner/balance', status: 503, times: 1, after: 1 });
  const scenario = await parseScenario(`  - request: GET /partner/balance
    repeat: 5
    expect: { status: 200 }`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.status).toBe('failed');
  expect((await control('GET', '/requests')).body).toHaveLength(2);
});

test('a refusal is a difference unless the step expects something of the response, and of a control call always', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards/card_nobody
    expect: { body: { success: false } }
  - request: GET /partner/cards/card_nobody
  - control: GET /cards/card_nobody
    expect: { body: { success: false } }`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ differences }) => differences[0]?.expected)).toEqual([undefined, 'success', 'success']);
});

test('in a regular expression a value matches itself', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    `  - request: POST /partner/cardholders
    body: { externalUserId: a, email: "\${email}", kycSource: idp1, phoneNumber: "+491", idp1ShareToken: idp1_test_approve_a }
    expect: { status: 201, body: { email: "/^\${email}$/" } }
  - request: GET /partner/balance
    expect: { body: { currency: "/^\${any}$/" } }`,
    'variables: { email: mia+1@example.com, any: "..." }',
  );
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ status }) => status)).toEqual(['passed', 'failed']);
});

test.each(['{}', '{ headers: {} }', '{ body: {} }', '{ headers: {}, body: {} }'])(
  'the expectation %s names nothing, so it wants success, as none does',
  async expectation => {
    const { origin } = await startSandbox();
    const scenario = await parseScenario(
      `  - request: GET /partner/cards/card_nobody\n    expect: ${expectation}`,
    );
    const { steps } = await playToEnd(scenario, await createStage(origin));
    expect(steps[0]?.differences).toMatchObject([{ path: 'status', expected: 'success' }]);
  },
);

test('a value that cannot be sent or makes an expression invalid fails its step, and the next one is played', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    `  - request: GET /partner/cardholders?email=\${name}
  - control: POST /partners/\${name}/keys/rotate
  - request: GET /partner/balance
    headers: { x-note: "\${lines}" }
  - request: GET /partner/balance
    headers: { "x note": a }
  - request: GET /partner/balance
    key: ключ
  - request: GET /partner/balance
    expect: { body: { currency: "\${expression}" } }
  - request: GET /partner/balance`,
    'variables: { name: Mia Keller, lines: "a\\nb", expression: "/^a(b/" }',
  );
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(({ differences: [found] }) => found && `${found.expected}: ${found.got}`)).toEqual([
    'one that can be sent: "GET /partner/cardholders?email=Mia Keller" has white space in its path; encode the values of its variables, a space as %20',
    'one that can be sent: "POST /partners/Mia Keller/keys/rotate" has white space in its path; encode the values of its variables, a space as %20',
    'one that can be sent: the value of the header x-note has a line break or a character beyond Latin-1, which HTTP cannot send; encode it',
    'one that can be sent: "x note" is not a header name; use letters, digits and -, such as x-request-id',
    'one that can be sent: the value of the header x-service-api-key has a line break or a character beyond Latin-1, which HTTP cannot send; encode it',
    'a valid regular expression instead of /^a(b/: "USD"',
    undefined,
  ]);
});

test('the headers of a response are compared whatever their case', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/balance
    expect: { headers: { CONTENT-Type: /json/, X-Nothing: <absent> } }
    capture: { type: headers.Content-Type }
  - request: GET /partner/balance
    expect: { headers: { Content-Type: text/plain } }`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.differences).toEqual([]);
  expect(steps[1]?.differences).toMatchObject([{ path: 'headers.Content-Type', expected: '"text/plain"' }]);
});

test('the rule of a step is that of its response, or else that of its operation', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards
  - request: GET /partner/cards/card_nobody
    expect: { status: 404 }
  - request: GET /partner/cards
    expect: { status: 201 }
  - say: The end`);
  const { steps, scenes } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.rule).toEqual({ section: '4.4', assumption: null, decision: null });
  expect(steps[1]?.rule).not.toBeNull();
  expect(steps[3]?.rule).toBeNull();
  const responses = scenes.filter(({ kind }) => kind === 'response');
  // Only a refusal shows its rule.
  expect(responses.map(scene => 'rule' in scene && scene.rule !== null)).toEqual([false, true, false]);
});

test('an advance that the sandbox refuses is a difference', async () => {
  const { origin } = await startSandbox();
  const refusing: typeof fetch = async (input, init) =>
    String(input).endsWith('/clock/advance')
      ? Response.json({ success: false, error: 'too far' }, { status: 400 })
      : fetch(input, init);
  const stage = await createStage(origin, { fetch: refusing });
  const { steps, scenes } = await playToEnd(await parseScenario('  - advance: 2d'), stage);
  expect(steps[0]?.differences).toEqual([{ path: 'status', expected: '200', got: '400, "too far"' }]);
  expect(scenes).toEqual([]);
});

test('variables are defined by others and by the run, and a variable without a value skips its step', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    `  - request: GET /partner/cards?externalUserId=\${user}
    expect: { status: 200 }`,
    'variables: { name: zoe, user: "${name}-${run}" }',
  );
  const stage = await createStage(origin);
  const { scenes } = await playToEnd(scenario, stage);
  expect(scenes[0]).toMatchObject({ path: '/v1/partner/cards?externalUserId=zoe-test' });
  const other = await playToEnd(scenario, stage, { variables: { name: 'mia' } });
  expect(other.scenes[0]).toMatchObject({ path: '/v1/partner/cards?externalUserId=mia-test' });
  const undefinedOne = { ...scenario, variables: {}, steps: scenario.steps };
  const { steps } = await playToEnd(undefinedOne, stage);
  expect(steps[0]).toMatchObject({
    status: 'skipped',
    reason: 'step 1 needs ${user}; --var user=… sets it',
  });
});

test('a step for a sandbox only is skipped without a control plane, and says why', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards
    sandboxOnly: true
  - control: GET /clock
  - advance: 1s
  - request: GET /partner/balance`);
  const stage = await createStage(origin, { hasControl: false });
  const { steps } = await playToEnd(scenario, stage);
  const none = 'there is no control plane; --control-url sets one';
  expect(steps.map(({ status, reason }) => [status, reason])).toEqual([
    ['skipped', `only a sandbox supports this, and ${none}`],
    ['skipped', none],
    ['skipped', none],
    ['passed', null],
  ]);
  expect(steps.map(({ number, at }) => [number, at.replace(/.*:/, '')])).toEqual([
    [1, '3'],
    [2, '5'],
    [3, '6'],
    [4, '7'],
  ]);
});

test('a status of 400 is no success', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario('  - request: POST /partner/cards\n    body: {}');
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.differences).toMatchObject([
    { expected: 'success', got: expect.stringMatching(/^400, /) },
  ]);
});
