import { expect, test } from 'vitest';
import { sendForm } from '../../support/pages.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const frozen = () => startSandbox({ fixtures: ['starter'], clock: '2026-03-01T12:00:00.000Z', freeze: true });

/** The lines of a shell script after those that are always the same. */
async function linesOf({ origin }: TestSandbox): Promise<string[]> {
  const text = await (await fetch(`${origin}/_sandbox/history/export?format=curl`)).text();
  expect(text.startsWith('#!/bin/sh\n')).toBe(true);
  return text.slice(text.indexOf('\n# ', text.indexOf('\nsend()')) + 1).split('\n');
}

test('a script sends a request with its key and its body, at its moment', async () => {
  const sandbox = await frozen();
  await sandbox.api('POST', '/partner/kyc-sessions', { list: [1, null, { on: true, of: [] }], none: {} });
  expect(await linesOf(sandbox)).toEqual([
    '# 1 requests to the world main.',
    '',
    '# Open a KYC session on the hosted page',
    'at 2026-03-01T12:00:00.000Z',
    `send -X 'POST' "$SERVICE_BASE_URL/partner/kyc-sessions" \\`,
    '  -H "x-service-api-key: $SERVICE_API_KEY" \\',
    `  -H 'content-type: application/json' \\`,
    String.raw`  --data-raw "{\"list\":[1,null,{\"on\":true,\"of\":[]}],\"none\":{}}"`,
    '',
  ]);
});

test('what a shell would take for something else is escaped', async () => {
  const sandbox = await frozen();
  await sandbox.api('POST', '/partner/kyc-sessions?x=$HOME', { note: 'a"b$c`d\\e' });
  const lines = await linesOf(sandbox);
  expect(lines).toContain(
    String.raw`send -X 'POST' "$SERVICE_BASE_URL/partner/kyc-sessions?x=\$HOME" \ `.trim(),
  );
  expect(lines).toContain('  --data-raw "{\\"note\\":\\"a\\\\\\"b\\$c\\`d\\\\\\\\e\\"}"');
});

test('a script keeps the headers that decide an answer, the type of a body, and asks for headers alone as it did', async () => {
  const sandbox = await frozen();
  await sandbox.api('HEAD', '/partner/balance');
  await fetch(`${sandbox.origin}/v1/partner/balance`);
  await fetch(`${sandbox.origin}/v1/partner/kyc-sessions`, {
    method: 'POST',
    body: "it's",
    headers: { 'content-type': 'text/plain', 'x-sandbox-fault': 'status=500', 'x-other': 'left out' },
  });
  const lines = await linesOf(sandbox);
  expect(lines.slice(4)).toEqual([
    `send --head "$SERVICE_BASE_URL/partner/balance" \\`,
    '  -H "x-service-api-key: $SERVICE_API_KEY"',
    "# header x-service-api-key is missing; send the partner's sandbox key (sk_test_…)",
    `send -X 'GET' "$SERVICE_BASE_URL/partner/balance"`,
    "# header x-service-api-key is missing; send the partner's sandbox key (sk_test_…)",
    `send -X 'POST' "$SERVICE_BASE_URL/partner/kyc-sessions" \\`,
    `  -H 'x-sandbox-fault: status=500' \\`,
    `  -H 'content-type: text/plain' \\`,
    `  --data-raw "it's"`,
    '',
  ]);
});

test('a script takes an id from the response that it first was in, and the key of another partner from a variable', async () => {
  const sandbox = await frozen();
  const { body } = await sandbox.api('GET', '/partner/cardholders');
  await sandbox.api('GET', `/partner/cardholders/${body.data[1].id}`);
  await sandbox.globex('GET', '/partner/balance');
  await sandbox.api('GET', '/partner/balance', undefined, { 'x-service-api-key': 'sk_test_of_nobody' });
  const lines = await linesOf(sandbox);
  expect(lines).toEqual([
    '# 4 requests to the world main.',
    `CARD_SANDBOX_VAR_apiKey2=\${CARD_SANDBOX_VAR_apiKey2:-'sk_test_recorded_apiKey2'}`,
    String.raw`CARD_SANDBOX_VAR_apiKey=$(curl -sS "$CARD_SANDBOX_URL/_sandbox/info" | grep -o '"apiKey":"[^"]*"' | sed -n '2s/.*:"\(.*\)"/\1/p')`,
    '',
    '# List cardholders',
    'at 2026-03-01T12:00:00.000Z',
    `send -X 'GET' "$SERVICE_BASE_URL/partner/cardholders" \\`,
    '  -H "x-service-api-key: $SERVICE_API_KEY"',
    'CARD_SANDBOX_VAR_cardholder=$(member id 2)',
    '# Get a cardholder',
    `send -X 'GET' "$SERVICE_BASE_URL/partner/cardholders/\${CARD_SANDBOX_VAR_cardholder}" \\`,
    '  -H "x-service-api-key: $SERVICE_API_KEY"',
    '# Get the balance',
    `send -X 'GET' "$SERVICE_BASE_URL/partner/balance" \\`,
    '  -H "x-service-api-key: $CARD_SANDBOX_VAR_apiKey"',
    '# header x-service-api-key: unknown API key; the sandbox prints its keys at start',
    `send -X 'GET' "$SERVICE_BASE_URL/partner/balance" \\`,
    '  -H "x-service-api-key: $CARD_SANDBOX_VAR_apiKey2"',
    '',
  ]);
});

test('a script for a world with names of its own asks for the neutral names in requests of the API alone', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], names: { idp1: 'veritas' } });
  await sandbox.api('GET', '/partner/balance');
  await sandbox.control('POST', '/clock/freeze', {});
  const neutral = (await linesOf(sandbox)).filter(line => line.includes('x-sandbox-names: neutral'));
  expect(neutral).toHaveLength(1);
});

test('the form of a KYC page is sent as the control call that decides the same', async () => {
  const sandbox = await frozen();
  const { body } = await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: 'user-1' });
  await sendForm(body.url, { decision: 'reject' });
  expect((await linesOf(sandbox)).slice(9)).toEqual([
    '# A person sent the form of a page',
    `send -X 'POST' "$CARD_SANDBOX_URL/_sandbox/kyc-sessions/\${CARD_SANDBOX_VAR_kycSession}/reject"`,
    '',
  ]);
});

test('a request whose body is no text is a comment', async () => {
  const sandbox = await frozen();
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  const body = new Uint8Array([0xff, 0xfe]);
  await fetch(`${sandbox.origin}/v1/partner/cardholders`, { method: 'POST', body, headers });
  expect((await linesOf(sandbox)).slice(2)).toEqual([
    expect.stringMatching(/^# body.+ \(cannot be repeated\)$/),
    '',
  ]);
});
