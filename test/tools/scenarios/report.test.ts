import { expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { OPERATIONS } from '../../../src/client/operation-table.ts';
import { junitOf, suiteOf, suiteOfError } from '../../../src/tools/scenarios/report/junit.ts';
import {
  type Report,
  reportOf,
  ruleInJournal,
  ruleOfOperation,
  ruleText,
  type StepResult,
  summarize,
} from '../../../src/tools/scenarios/report/report.ts';

const STEP: StepResult = {
  number: 1,
  heading: 'One',
  at: 'a.yaml:3',
  status: 'passed',
  reason: null,
  differences: [],
  rule: null,
  durationMs: 5,
};

const FAILED: StepResult = {
  ...STEP,
  number: 2,
  heading: 'A card',
  at: 'a.yaml:7',
  status: 'failed',
  differences: [
    { path: 'status', expected: '201', got: '400, "no"' },
    { path: 'body.id', expected: 'a text', got: 'nothing' },
  ],
  rule: { section: '4.1', assumption: null, decision: null },
  durationMs: 1_250,
};

const SKIPPED: StepResult = { ...STEP, number: 3, status: 'skipped', reason: 'there is no control plane' };

/** The report of a scenario with this many steps. */
function report(results: readonly StepResult[], steps = results.length): Report {
  return reportOf(
    { name: 'A test', file: 'a.yaml', steps: Array(steps).fill({ request: 'GET /' }) },
    results,
  );
}

test('JUnit XML drops what XML cannot hold, and escapes what reorders or hides text', () => {
  const xml = junitOf([suiteOfError('a.yaml', '\u001b[2J\u009b2J\u202e<b>')]);
  expect(xml).toContain('<error message="[2J\\u009b2J\\u202e&lt;b&gt;">');
});

test('JUnit XML escapes what has a meaning in XML, and keeps tabs', () => {
  const xml = junitOf([
    { name: 'a', cases: [{ classname: 'a', name: 'R&D "1" > 0\n\tend\ud800\uffff', ms: 0 }] },
  ]);
  expect(xml).toContain('name="R&amp;D &quot;1&quot; &gt; 0&#10;\tend"');
});

test('JUnit XML has a test case per step, with its differences, the rule and the place', () => {
  expect(junitOf([suiteOf(report([STEP, FAILED, SKIPPED]))])).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="3" failures="1" errors="0" skipped="1" time="1.260">',
      '  <testsuite name="A test" tests="3" failures="1" errors="0" skipped="1" time="1.260">',
      '    <testcase classname="A test" name="01 One" file="a.yaml" time="0.005"/>',
      '    <testcase classname="A test" name="02 A card" file="a.yaml" time="1.250">',
      '      <failure message="status: expected 201, got 400, &quot;no&quot;">status: expected 201, got 400, &quot;no&quot;&#10;body.id: expected a text, got nothing&#10;interface section 4.1&#10;a.yaml:7</failure>',
      '    </testcase>',
      '    <testcase classname="A test" name="03 One" file="a.yaml" time="0.005">',
      '      <skipped message="there is no control plane"/>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  );
  const withoutRule = junitOf([suiteOf(report([{ ...FAILED, rule: null }]))]);
  expect(withoutRule).toContain('got nothing&#10;a.yaml:7</failure>');
});

test('a run that was stopped or compared nothing, and an error without a report, are a test case with an error', () => {
  expect(
    junitOf([suiteOf(report([STEP], 4), true)])
      .split('\n')
      .slice(4, 7),
  ).toEqual([
    '    <testcase classname="A test" name="Steps that were not played" file="a.yaml" time="0.000">',
    '      <error message="the run was stopped; 3 steps were not played">the run was stopped; 3 steps were not played</error>',
    '    </testcase>',
  ]);
  const skipped = junitOf([suiteOf(report([SKIPPED]))]);
  expect(skipped).toContain('tests="2" failures="0" errors="1" skipped="1"');
  expect(skipped).toContain(
    '<error message="nothing was compared; the first step was skipped: there is no control plane">',
  );
  expect(
    junitOf([suiteOfError('a.yaml', 'it is invalid:\nline 3')])
      .split('\n')
      .slice(3, 5),
  ).toEqual([
    '    <testcase classname="a.yaml" name="run" file="a.yaml" time="0.000">',
    '      <error message="it is invalid:">it is invalid:&#10;line 3</error>',
  ]);
});

test('a test case of an unknown file names none', () => {
  expect(junitOf([{ name: 'a', cases: [{ classname: 'a', name: 'b', ms: 1 }] }])).toContain(
    '<testcase classname="a" name="b" time="0.001"/>',
  );
});

test.each<[string, readonly StepResult[], number]>([
  ['All 2 steps passed.', [STEP, STEP], 2],
  ['All 1 step passed.', [STEP], 1],
  ['1 step passed; 1 step skipped.', [STEP, SKIPPED], 2],
  ['1 step passed; 2 steps skipped, 1 step not played.', [STEP, SKIPPED, SKIPPED], 4],
  ['1 step passed; 2 steps not played.', [STEP], 3],
  ['1 of 2 steps failed: 2.', [STEP, FAILED], 2],
  ['2 of 4 steps failed: 2, 4; 1 step not played.', [STEP, FAILED, { ...FAILED, number: 4 }], 4],
  ['1 of 1 step failed: 2.', [FAILED], 1],
  ['1 of 2 steps failed: 2; 1 step skipped.', [FAILED, SKIPPED], 2],
  ['Nothing was compared; 1 step skipped.', [SKIPPED], 1],
  ['Nothing was compared.', [], 0],
])('%j', (sentence, results, steps) => {
  expect(summarize(report(results, steps))).toBe(sentence);
});

test('a report is ok if a step was compared, none failed and none is left', () => {
  expect(report([STEP, SKIPPED], 2)).toEqual({
    scenario: 'A test',
    file: 'a.yaml',
    ok: true,
    compared: 1,
    passed: 1,
    failed: 0,
    skipped: 1,
    left: 0,
    steps: [STEP, SKIPPED],
  });
  expect(report([STEP], 2)).toMatchObject({ ok: false, passed: 1, left: 1 });
  expect(report([STEP, FAILED])).toMatchObject({ ok: false, passed: 1, failed: 1 });
  expect(report([SKIPPED])).toMatchObject({ ok: false });
});

test.each([
  [{}],
  [{ respond: 500 }],
  [{ advance: '1h' }],
  [{ webhook: { eventType: 'card.issued', isForged: true } }],
] as const)('a step with %j compares nothing', step => {
  const said = reportOf({ name: 'A test', file: 'a.yaml', steps: [step] }, [STEP]);
  expect(said).toMatchObject({ ok: false, compared: 0, passed: 1 });
  expect(summarize(said)).toBe('Nothing was compared.');
  expect(junitOf([suiteOf(said)])).toContain('<error message="nothing was compared">');
});

test('a rule is a section of the interface, or the assumption where that is silent', () => {
  expect(ruleText({ section: '4.1', assumption: null, decision: null })).toBe('interface section 4.1');
  expect(ruleText({ section: '4.2', assumption: 'list-order', decision: 'newest' })).toBe(
    'assumption list-order, for interface section 4.2',
  );
});

test('the rule of a call is that of its operation', () => {
  const partner = OPERATIONS.filter(({ plane }) => plane === 'partner');
  const stated = partner.find(({ assumption }) => assumption === undefined);
  const assumed = partner.find(({ assumption }) => assumption !== undefined);
  const ruleOf = (operation: (typeof partner)[number] | undefined) =>
    ruleOfOperation(operation?.method ?? '', (operation?.path ?? '').replace(/\{\w+\}/g, 'x'));
  expect(ruleOf(stated)).toEqual({ section: stated?.section, assumption: null, decision: null });
  expect(ruleOf(assumed)).toEqual({
    section: expect.stringMatching(/^\d+(\.\d+)?$/),
    assumption: assumed?.assumption,
    decision: expect.stringMatching(/./),
  });
  expect(ruleOfOperation('GET', '/partner/nothing')).toBeNull();
});

test('the rule of a response is read from the journal by its id', async () => {
  const paths: string[] = [];
  const journal = (rule: unknown) =>
    ({
      control: async ({ path }: { path: string }) => {
        paths.push(path);
        if (rule instanceof Error) throw rule;
        return { status: 200, body: { rule } };
      },
      // Nothing else of the client is called.
    }) as unknown as Client;
  const headers = { 'x-sandbox-request': 'req/1' };
  const rule = { section: '4.1', id: 'list-order', decision: 'newest' };
  expect(await ruleInJournal(journal(rule), headers)).toEqual({
    section: '4.1',
    assumption: 'list-order',
    decision: 'newest',
  });
  expect(paths).toEqual(['/requests/req%2F1']);
  expect(await ruleInJournal(journal(null), headers)).toBeNull();
  expect(await ruleInJournal(journal(new Error('cleared')), headers)).toBeNull();
  expect(await ruleInJournal(journal(rule), {})).toBeNull();
  expect(await ruleInJournal(null, headers)).toBeNull();
});
