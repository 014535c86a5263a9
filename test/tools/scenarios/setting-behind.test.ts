import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

const ANA = `{ externalUserId: ana, email: ana@example.com, phoneNumber: "+4915123456789", kycSource: idp1, idp1ShareToken: idp1_test_approve_ana }`;
const CONFIGURE = `  - request: PATCH /partner/webhooks/config
    body: { webhookUrl: "https://hooks.example.com/a", webhookSecret: a-secret-of-32-characters-length, subscribedEvents: [card.issued] }`;
const CARD = `  - request: POST /partner/cardholders
    body: ${ANA}
    capture: { id: body.id }
  - request: POST /partner/cardholders/\${id}/kyc
    body: { cardProgramId: prog_everyday }
  - advance: 1h
  - request: POST /partner/cards
    body: { cardholderId: "\${id}", cardProgramId: prog_everyday }`;

/** What a partner may expect of a server, and the setting with which a sandbox decides otherwise. */
const DECISIONS: Readonly<Record<string, string>> = {
  'invalid-input-status=422': `  - request: POST /partner/cardholders
    body: {}
    expect: { status: 400 }`,
  'email-comparison=sensitive': `  - request: POST /partner/cardholders
    body: ${ANA}
  - request: POST /partner/cardholders
    body: ${ANA.replace('externalUserId: ana', 'externalUserId: other').replace('ana@', 'ANA@').replace('approve_ana', 'approve_other')}
    expect: { status: 409 }`,
  'magic-tokens=off': `  - request: POST /partner/cardholders
    body: ${ANA}
    expect: { status: 201 }`,
  'kyc-after-rejection=refused': `  - request: POST /partner/cardholders
    body: ${ANA.replace('approve', 'reject')}
    capture: { id: body.id }
  - request: POST /partner/cardholders/\${id}/kyc
    body: { cardProgramId: prog_everyday }
  - advance: 1h
  - request: POST /partner/cardholders/\${id}/kyc
    body: { cardProgramId: prog_everyday }
    expect: { status: 200 }`,
  'stylesheet-url=required': `${CARD}
    capture: { card: body.id }
  - request: POST /partner/cards/\${card}/reveal-html
    expect: { status: 200 }`,
  'card-initial-status=active': `${CARD}
    expect: { body: { status: created } }`,
  'unset-config=omitted': `  - request: GET /partner/webhooks/config
    expect: { body: { webhookUrl: null } }`,
  'patch-config=replace': `${CONFIGURE}
  - request: PATCH /partner/webhooks/config
    body: { webhookUrl: "https://hooks.example.com/b" }
    expect: { body: { subscribedEvents: [card.issued] } }`,
  'event-history=twelve': `  - request: PATCH /partner/webhooks/config
    body: { webhookUrl: "https://hooks.example.com/a", webhookSecret: a-secret-of-32-characters-length, subscribedEvents: [cardholder.approved] }
${CARD}
  - request: GET /partner/webhooks/events
    expect: { body: { data: [] } }`,
  'card-status-parameter=NAME': `${CARD}
  - request: GET /partner/cards?cardholderId=\${id}&status=cancelled
    expect: { body: { data: [] } }`,
  'usage-from-parameter=NAME': `${CARD}
  - request: GET /partner/usage/records?from=2030-01-01
    expect: { body: { data: [] } }`,
  'usage-to-parameter=NAME': `${CARD}
  - request: GET /partner/usage/records?to=2020-01-01
    expect: { body: { data: [] } }`,
  'usage-period-parameter=NAME': `${CARD}
  - request: GET /partner/usage/records?billingPeriod=2020-01
    expect: { body: { data: [] } }`,
  'usage-type-parameter=NAME': `${CARD}
  - request: GET /partner/usage/records?type=transaction_processing
    expect: { body: { data: [] } }`,
  'list-order=oldest': `  - request: POST /partner/cardholders
    body: ${ANA}
  - advance: 1s
  - request: POST /partner/cardholders
    body: ${ANA.replaceAll('ana', 'ben')}
  - request: GET /partner/cardholders?limit=2
    expect: { body: { data: [{ externalUserId: ben }, { externalUserId: ana }] } }`,
  'amount-unit=minor': `  - request: GET /partner/balance
    expect: { body: { available: 10000 } }`,
  'webhook-envelope=data': `  - request: POST /partner/cardholders
    body: ${ANA}
  - webhook: { eventType: cardholder.created, data: { kycStatus: pending } }
    within: 0s`,
};

/** Sends as the app of a partner does, without the header of neutral names, which no other server knows. */
const fetchAsApp: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('x-sandbox-names');
  return fetch(input, { ...init, headers });
};

for (const [setting, steps] of Object.entries(DECISIONS)) {
  test(`where a server decides as with ${setting}, the difference names the setting`, async () => {
    const [name = '', value = ''] = setting.split('=');
    const results = [];
    for (const assume of [{}, { [name]: value }]) {
      const options = { allowHttpWebhooks: true, clock: '2026-03-15T10:00:00Z', assume };
      const { origin } = await startSandbox({ ...options, fixtures: ['error-flows'] });
      const { steps: played } = await playToEnd(
        await parseScenario(steps),
        await createStage(origin, { fetch: fetchAsApp }),
      );
      results.push(played.filter(({ status }) => status === 'failed'));
    }
    const [byDefault, differing] = results;
    expect(byDefault).toEqual([]);
    expect(differing?.flatMap(({ differences }) => differences)).toContainEqual(
      expect.objectContaining({ setting: expect.stringContaining(setting) }),
    );
    expect(differing?.[0]).toMatchObject({ rule: { assumption: name } });
  });
}

test('of several settings that may decide so, each is named', async () => {
  const { origin } = await startSandbox({
    assume: { 'usage-type-parameter': 'kind' },
    fixtures: ['starter'],
  });
  const scenario =
    await parseScenario(`  - request: GET /partner/usage/records?type=card_issuance&from=2020-01-01
    expect: { body: { data: [] } }`);
  const { steps } = await playToEnd(scenario, await createStage(origin, { fetch: fetchAsApp }));
  expect(steps[0]?.differences).toMatchObject([
    { setting: 'usage-from-parameter=NAME or usage-type-parameter=NAME' },
  ]);
});

test('a refusal of an address names the setting of its status', async () => {
  const refuse: typeof fetch = async () =>
    Response.json({ success: false, error: 'IP address not allowed' }, { status: 403 });
  const { origin } = await startSandbox();
  const stage = await createStage(origin, { fetch: refuse, hasControl: false });
  const scenario = await parseScenario('  - request: GET /partner/balance\n    expect: { status: 401 }');
  const { steps } = await playToEnd(scenario, stage);
  expect(steps[0]?.differences).toMatchObject([{ setting: 'allow-list-status=403' }]);
});

test.each([
  [
    'a card that cannot be frozen',
    422,
    'card is cancelled',
    '  - request: POST /partner/cards/card_1/freeze\n    expect: { status: 400 }',
  ],
  [
    'a locked cardholder that is imported again',
    200,
    '',
    `  - request: POST /partner/cardholders\n    body: ${ANA}\n    expect: { status: 409 }`,
  ],
  [
    'a used magic token',
    400,
    'this share token was used',
    `  - request: POST /partner/cardholders\n    body: ${ANA}\n    expect: { status: 201 }`,
  ],
  [
    'an unknown token that was issued',
    400,
    'unknown share token',
    `  - request: POST /partner/cardholders\n    body: ${ANA.replace('idp1_test_approve_ana', 'tok_ana')}\n    expect: { status: 201 }`,
  ],
])('the status for %s names no setting that would not change it', async (_, status, error, step) => {
  const respond: typeof fetch = async () => Response.json({ success: status < 300, error }, { status });
  const stage = await createStage((await startSandbox()).origin, { fetch: respond, hasControl: false });
  const { steps } = await playToEnd(await parseScenario(step), stage);
  expect(steps[0]?.differences).toMatchObject([{ path: 'status' }]);
  expect(steps[0]?.differences[0]).not.toHaveProperty('setting');
});

test('a difference that no setting decides names none', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario('  - request: GET /partner/balance\n    expect: { status: 404 }');
  const { steps } = await playToEnd(scenario, await createStage(origin, { fetch: fetchAsApp }));
  expect(steps[0]?.differences).toEqual([{ path: 'status', expected: '404', got: '200' }]);
});
