import { expect, test } from 'vitest';
import { playScenario } from '../../../src/tools/scenarios/play/play.ts';
import type { Opening } from '../../../src/tools/scenarios/play/watcher.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

const OPTIONS = { keepGoing: true, run: 'test', variables: {} };

test('a watcher is told of each step before and after it, with its chapter, heading and note', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - chapter: The cards
    say: All cards
    note: There are none.
    request: GET /partner/cards
  - say: The end`);
  const openings: Opening[] = [];
  const ended: [number, string][] = [];
  await playScenario(scenario, await createStage(origin), OPTIONS, {
    begins: opening => void openings.push(opening),
    ends: ({ number, status }) => ended.push([number, status]),
  });
  expect(openings).toEqual([
    { number: 1, of: 2, chapter: 'The cards', heading: 'All cards', note: 'There are none.' },
    { number: 2, of: 2, chapter: null, heading: 'The end', note: null },
  ]);
  expect(ended).toEqual([
    [1, 'passed'],
    [2, 'passed'],
  ]);
});

test('a run that is aborted keeps the steps that it had, and does not begin another', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario('  - say: One\n  - say: Two\n  - say: Three');
  const stopIn = async (step: number, when: 'begins' | 'ends') => {
    const stopping = new AbortController();
    const stage = { ...(await createStage(origin)), signal: stopping.signal };
    let begun = 0;
    const report = await playScenario(scenario, stage, OPTIONS, {
      begins({ number }) {
        begun += 1;
        if (when === 'begins' && number === step) stopping.abort();
      },
      ends({ number }) {
        if (when === 'ends' && number === step) stopping.abort();
      },
    });
    return { begun, passed: report.passed, left: report.left };
  };
  expect(await stopIn(2, 'begins')).toEqual({ begun: 2, passed: 1, left: 2 });
  expect(await stopIn(2, 'ends')).toEqual({ begun: 2, passed: 2, left: 1 });
});

test.each([true, false])(
  'a step that waits has no result if the run is aborted (control plane: %s)',
  async hasControl => {
    const { origin } = await startSandbox();
    const stopping = new AbortController();
    const stage = await createStage(origin, { hasControl });
    const wallClock = { ...stage.wallClock, sleep: async () => stopping.abort() };
    const steps = '  - say: One\n  - webhook: { eventType: card.issued }\n    within: 1h';
    const all = { ...stage, wallClock, signal: stopping.signal };
    const report = await playScenario(await parseScenario(steps), all, OPTIONS);
    expect(report).toMatchObject({ passed: 1, failed: 0, left: 1 });
  },
);

test('the headings of steps without one are made from their actions, without secrets', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards/sk_test_a-very-secret-key
  - control: POST /clock/freeze
  - webhook: { eventType: card.issued }
  - advance: 2h
  - respond: 503
  - say: Own words
    request: GET /partner/cards`);
  const stage = await createStage(origin, { inbox: 'webhooks cannot arrive' });
  const { steps } = await playToEnd(scenario, stage);
  expect(steps.map(({ heading }) => heading)).toEqual([
    'GET /partner/cards/***',
    'POST /clock/freeze',
    'Webhook card.issued arrives',
    'Advance the clock by 2h',
    'The receiver responds with 503 from now on',
    'Own words',
  ]);
  expect(
    steps.filter(({ status }) => status === 'skipped').map(({ number, reason }) => [number, reason]),
  ).toEqual([
    [3, 'webhooks cannot arrive'],
    [5, 'webhooks cannot arrive'],
  ]);
});

test('a step shows its request, its response and the clock', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(`  - request: GET /partner/cards?limit=5
    headers: { X-Note: hello }
    repeat: 2
    expect: { headers: { X-RateLimit-Limit: <string> }, body: { total: 0 } }
  - request: GET /partner/balance
    key: null
    expect: { status: 401 }
  - request: GET /partner/balance
    key: sk_test_globex_0123456789abcdef
  - control: GET /partners/partner_acme/settings
  - advance: 90s`);
  const { scenes, steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps.flatMap(({ differences }) => differences)).toEqual([]);
  expect(scenes.map(({ kind }) => kind)).toEqual([
    ...['request', 'response', 'request', 'response', 'request', 'response', 'request', 'response'],
    'clock',
  ]);
  expect(scenes[0]).toEqual({
    kind: 'request',
    plane: 'partner',
    method: 'GET',
    path: '/v1/partner/cards?limit=5',
    key: 'own',
    keyEnd: '…cdef',
    headers: { 'X-Note': 'hello' },
    body: undefined,
    times: 2,
    sent: { headers: { 'x-service-api-key': ACME_KEY, 'X-Note': 'hello' }, body: undefined },
  });
  expect(scenes[1]).toMatchObject({
    status: 200,
    shownPaths: ['total'],
    headers: { 'X-RateLimit-Limit': expect.stringMatching(/^\d+$/) },
    allHeaders: { 'content-type': expect.stringContaining('json') },
    rule: null,
  });
  expect(scenes[2]).toMatchObject({ key: null, keyEnd: null, times: 1, sent: { headers: {} } });
  expect(scenes[3]).toMatchObject({ status: 401, rule: { section: expect.any(String) } });
  expect(scenes[4]).toMatchObject({ key: 'other', keyEnd: '…cdef' });
  expect(scenes[6]).toEqual({
    kind: 'request',
    plane: 'control',
    method: 'GET',
    path: '/_sandbox/partners/partner_acme/settings',
    key: null,
    keyEnd: null,
    headers: {},
    body: undefined,
    times: 1,
    sent: { headers: {}, body: undefined },
  });
  expect(scenes.slice(8)).toEqual([{ kind: 'clock', by: '90s', now: '2026-03-15T10:01:30.000Z' }]);
});

test('URLs of the sandbox are shown without its origin, which differs in each run', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  const scenario = await parseScenario('  - request: POST /partner/cards/card_mia_active/reveal-html');
  const { scenes, steps } = await playToEnd(scenario, await createStage(origin));
  expect(steps[0]?.differences).toEqual([]);
  const response = scenes.find(({ kind }) => kind === 'response');
  expect(JSON.stringify(response)).toContain('"/');
  // The URL to open is whole.
  expect(JSON.stringify({ ...response, page: null })).not.toContain(origin);
});
