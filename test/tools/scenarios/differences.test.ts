import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readScenario } from '../../../src/tools/scenarios/file/read.ts';
import { differences, valueAt } from '../../../src/tools/scenarios/play/matching.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

const AS_PUBLISHED = { retrySpeed: 1, allowHttpWebhooks: true };

/** A fetch that changes the text of every response. */
function changing(change: (text: string) => string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, headers } = response;
    return new Response(status === 204 ? null : change(await response.text()), { status, headers });
  };
}

test('a broken rule is the only difference, with step, line, member and section of the interface', async () => {
  const { origin } = await startSandbox(AS_PUBLISHED);
  const broken = changing(text => text.replace('"reason":"card_issued"', '"reason":"provider_submitted"'));
  const report = await playToEnd(
    readScenario('errors-too-late'),
    await createStage(origin, { fetch: broken }),
  );
  expect(report).toMatchObject({ ok: false, failed: 1, skipped: 0, left: 0 });
  expect(report.steps.find(({ status }) => status === 'failed')).toMatchObject({
    heading: 'A correction after the card is refused',
    at: expect.stringMatching(/^errors-too-late\.yaml:\d+$/),
    differences: [{ path: 'body.error.reason', expected: '"card_issued"', got: '"provider_submitted"' }],
    rule: { section: '4.1', assumption: null },
  });
});

test('without --keep-going the first difference is the last step', async () => {
  const { origin } = await startSandbox(AS_PUBLISHED);
  const broken = changing(text => text.replace('EMAIL_ALREADY_REGISTERED', 'EMAIL_TAKEN'));
  const stage = await createStage(origin, { fetch: broken });
  const scenario = readScenario('errors-too-late');
  const report = await playToEnd(scenario, stage, { keepGoing: false });
  const before = scenario.steps.findIndex(step => JSON.stringify(step).includes('EMAIL_ALREADY_REGISTERED'));
  expect(report.steps).toHaveLength(before + 1);
  expect(report.steps.at(-1)).toMatchObject({ number: before + 1, status: 'failed' });
  expect(report).toMatchObject({ ok: false, left: scenario.steps.length - before - 1 });
});

test('a status that differs is reported with the error message', async () => {
  const { origin, control } = await startSandbox(AS_PUBLISHED);
  await control('POST', '/faults', {
    path: '/partner/cards',
    method: 'GET',
    status: 503,
    body: { error: 'closed' },
  });
  const scenario = await parseScenario('  - request: GET /partner/cards\n    expect: { status: 200 }');
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.differences).toEqual([{ path: 'status', expected: '200', got: '503, "closed"' }]);
});

test('a webhook with an invalid signature, or a missing one, is a difference', async () => {
  const { origin, control } = await startSandbox(AS_PUBLISHED);
  await control('POST', '/webhook-faults', { kind: 'bad_signature', times: 1 });
  const scenario = await parseScenario(`  - control: POST /events
    body: { eventType: balance.low }
  - webhook: { eventType: balance.low }
    within: 0s
  - webhook: { eventType: balance.low }
    within: 0s`);
  const { steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.map(step => step.differences)).toEqual([
    [],
    [
      {
        path: 'webhook.X-Service-Signature',
        expected: 'a valid signature',
        got: expect.stringContaining('does not match'),
      },
    ],
    [
      {
        path: 'webhook',
        expected: 'balance.low',
        got: expect.stringContaining('arrived so far: balance.low'),
      },
    ],
  ]);
});

test('secrets are masked in what is shown and in differences', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: PATCH /partner/webhooks/config
    body: { webhookSecret: a-very-secret-secret }
    headers: { Authorization: Bearer a-very-secret-token }
    expect: { status: 200, body: { webhookSecret: another-secret-of-ours } }
  - request: GET /partner/cardholders/sk_test_a-very-secret-key
    expect: { status: 200 }`);
  const report = await playToEnd(scenario, await createStage(origin));
  expect(report.failed).toBe(2);
  // A scene keeps what was sent beside what is shown, so that it can be sent again.
  const shown = JSON.stringify(report, (name, value) => (name === 'sent' ? undefined : value));
  expect(shown).not.toMatch(/a-very-secret|another-secret/);
});

const isPlain = (text: string) => !/^<\w+>$|^\/.+\/$/s.test(text);
const leaf = fc.oneof(fc.string().filter(isPlain), fc.integer(), fc.boolean(), fc.constant(null));
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const document = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('a value does not differ from itself, and a changed value differs only at its path', () => {
  fc.assert(
    fc.property(document, leaf, fc.nat(), (value, other, pick) => {
      expect(differences(value, value, 'body')).toEqual([]);
      const leaves = leavesIn(value);
      if (leaves.length === 0) return;
      const path = leaves[pick % leaves.length] ?? '';
      const before = path === 'body' ? value : valueAt({ body: value }, path);
      if (Object.is(before, other)) return;
      const changed = replaced({ body: value }, path, other) as { body: unknown };
      expect(differences(value, changed.body, 'body').map(each => each.path)).toEqual([path]);
    }),
  );
});

function leavesIn(value: unknown, path = 'body'): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, member]) =>
    leavesIn(member, isList ? `${path}[${key}]` : `${path}.${key}`),
  );
}

function replaced(value: unknown, path: string, other: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = path.split(/[.[\]]+/).filter(key => key !== '');
  const last = keys.pop() ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: a path through any JSON
  const parent = keys.reduce<any>((inner, key) => inner[key], copy);
  parent[last] = other;
  return copy;
}
