import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { FixtureError } from '../../../src/sandbox/fixtures/file/fixture-error.ts';
import { readBuiltInScenario, readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { scenarioJsonSchema } from '../../../src/tools/scenarios/file/schema.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';

/** The problems of a scenario file with this text, without the folder that it is in. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const file = await temporaryFile('scenario.yaml');
  await writeFile(file, text);
  try {
    readScenario(file);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return error.problems.map(problem => problem.replace(file, basename(file)));
  }
  return [];
}

test.each([
  [
    '- request: GET /partner/cards/${card}',
    '3: steps[0].request: step 1 uses ${card}, which has no value; define it under variables, or capture it in an earlier step',
  ],
  [
    '- request: GET /partner/cards\n    capture: { cardId: status }\n  - request: GET /partner/cards/${cardID}',
    '5: steps[1].request: step 2 uses ${cardID}, which has no value, did you mean "cardId"?',
  ],
  [
    '- request: GET /partner/cards/${x}\n  - request: GET /partner/cards\n    capture: { x: status }',
    '3: steps[0].request: step 1 uses ${x}, which only a later step captures; move that step up',
  ],
  [
    '- request: /partner/cards',
    '3: steps[0].request: must be a method and a path, such as POST /partner/cardholders; body and headers are separate members',
  ],
  ['- requst: GET /partner/cards', '3: steps[0].requst: is unknown, did you mean "request"?'],
  [
    '- webhook: { eventType: card.issued, isForged: true, attempts: 2 }',
    '3: steps[0].webhook.attempts: is not allowed with isForged, because no server sends that webhook',
  ],
  [
    '- request: GET /partner/balance\n    capture: { run: status }',
    '4: steps[0].capture.run: is a built-in variable; use another name, or set it with --var',
  ],
  [
    '- say: Hello\nvariables: { run: mine }',
    '4: variables.run: is a built-in variable; use another name, or set it with --var',
  ],
  [
    '- say: Hello\nvariables: { user: "${nam}-1", name: zoe }',
    '4: variables.user: uses ${nam}, which has no value; define it above',
  ],
  [
    '- say: Hello\nvariables: { name: zoe, user: "${nam}-${run}" }',
    '4: variables.user: uses ${nam}, which has no value, did you mean "name"?',
  ],
  [
    '- say: Hello\nvariables: { user: "${name}", name: zoe }',
    '4: variables.user: uses ${name}, which has no value; define it above',
  ],
  [
    '- request: GET /partner/cards\n    expect: { statu: 200 }',
    '4: steps[0].expect.statu: is unknown, did you mean "status"?',
  ],
  [
    '- request: GET /partner/cards\n    advance: 2s',
    '4: steps[0].advance: cannot be combined with request; split the step, which has one action',
  ],
  [
    '- advance: 2 s',
    '3: steps[0].advance: must be a duration such as 500ms, 90s, 30m, 2h or 1d, at most 100 years',
  ],
  ['- advance: 2', '3: steps[0].advance: must be a duration such as 500ms'],
  [
    '- advance: 2s\n    expect: { status: 200 }',
    '4: steps[0].expect: is allowed only with request or control',
  ],
  [
    '- control: clock.advance',
    '3: steps[0].control: must be a method and a path, such as POST /clock/advance',
  ],
  [
    '- control: POST /clok/advance',
    '3: steps[0].control: is not a control operation, did you mean POST /clock/advance?',
  ],
  ['- webhook: { eventType: card.isued }', '3: steps[0].webhook.eventType: must be one of'],
  [
    '- request: GET /partner/cards\n    expect: { body: { total: <nmber> } }',
    '4: steps[0].expect.body.total: <nmber> is not a matcher, did you mean "<number>"?',
  ],
  [
    '- request: GET /partner/cards\n    expect: { body: { total: <constructor> } }',
    '4: steps[0].expect.body.total: <constructor> is not a matcher; matchers are ',
  ],
  [
    '- request: GET /partner/cards\n    expect: { body: { total: "/(/" } }',
    '4: steps[0].expect.body.total: /(/ is not a valid regular expression',
  ],
  [
    '- note: nothing',
    '3: steps[0]: has no action; add one of request, control, webhook, respond, advance, or say',
  ],
  [
    '- request: GET /partner/cards\n    capture: { my-card: body.id }',
    '4: steps[0].capture.my-card: must be a name of letters, digits and _, such as cardId',
  ],
  ['- respond: 503\n    key: sk_test_x', '4: steps[0].key: is allowed only with request'],
  ['- advance: 1s\n    body: { a: 1 }', '4: steps[0].body: is allowed only with request or control'],
  ['- advance: 1s\n    within: 1s', '4: steps[0].within: is allowed only with request or webhook'],
  [
    '- respond: 200\n    capture: { x: status }',
    '4: steps[0].capture: is allowed only with request or control or webhook',
  ],
  ['- control: GET /clock\n    repeat: 2', '4: steps[0].repeat: is allowed only with request'],
  ['- control: GET /clock\n    headers: { a: b }', '4: steps[0].headers: is allowed only with request'],
  [
    '- control: GET /_sandbox/clock?timers=1',
    '3: steps[0].control: is not a control operation, did you mean GET /clock?',
  ],
  ['- control: GET /partner/cards', '3: steps[0].control: is not a control operation'],
  [
    '- webhook: { eventType: card.issued, data: { id: <strng> } }',
    '3: steps[0].webhook.data.id: <strng> is not a matcher, did you mean "<string>"?',
  ],
  [
    '- request: GET /partner/cards\n    expect: { headers: { X-A: "/[/" } }',
    '4: steps[0].expect.headers.X-A: /[/ is not a valid regular expression',
  ],
  [
    '- request: GET /partner/cards\n    expect: { body: { data: [ok, <nmber>] } }',
    '4: steps[0].expect.body.data[1]: <nmber> is not a matcher',
  ],
  ['- request: FETCH /partner/cards', '3: steps[0].request: must be a method and a path'],
  ['- request: GET /partner/cards extra', '3: steps[0].request: must be a method and a path'],
])('%j is reported with its line', async (steps, problem) => {
  const problems = await problemsOf(`name: A test\nsteps:\n  ${steps}\n`);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`scenario.yaml:${problem}`);
});

test('a file without steps, an invalid one and a missing one are one message each', async () => {
  expect(await problemsOf('name: A test\n')).toEqual(['scenario.yaml:1: steps: is required']);
  expect(await problemsOf('name: [\n')).toEqual([expect.stringMatching(/^scenario\.yaml:\d+:\d+: YAML: /)]);
  expect(() => readScenario('kyc-reimprt')).toThrow(
    '"kyc-reimprt": there is no such scenario and no such file, did you mean "kyc-reimport"?',
  );
});

test('what a scenario may say is no mistake', async () => {
  const text = `name: A test
variables: { card: card_1 }
steps:
  - say: Only a text
  - request: GET /partner/cards/\${card}?run=\${run}
    expect: { status: 404, body: { error: "/\${card}/", list: ["<any>", 1, null, true] } }
    capture: { error: body.error }
  - control: GET /clock
  - control: GET /partners/partner_acme/settings
    expect: { body: { note: "\${error}" } }
  - webhook: { eventType: card.issued, data: { id: "<string>" } }
    within: 1s
`;
  expect(await problemsOf(text)).toEqual([]);
});

test('all mistakes of a file are reported together, those of its values and of how they combine', async () => {
  const problems = await problemsOf(`name: 7
steps:
  - request: GET /partner/cards/\${lost}
  - note: nothing
`);
  expect(problems.map(problem => problem.replace(/(steps\[\d\]\S*|name): .*/, '$1'))).toEqual([
    'scenario.yaml:1: name',
    'scenario.yaml:3: steps[0].request',
    'scenario.yaml:4: steps[1]',
  ]);
});

test('the scenarios that a presenter shows first come first, and each is there once', () => {
  const names = scenarioNames();
  expect(names.slice(0, 3)).toEqual(['kyc-reimport', 'card-lifecycle', 'subscription']);
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(7)).toEqual(names.slice(7).toSorted());
  expect(readBuiltInScenario('fuel')).toBe(readBuiltInScenario('fuel'));
  expect(readBuiltInScenario('fuel').name).toBe(readScenario('fuel').name);
});

test('the schema of scenario files has a description of each member of a step', () => {
  const { title, properties } = scenarioJsonSchema() as {
    title: string;
    properties: { steps: { items: { properties: Record<string, { description?: string }> } } };
  };
  expect(title).toBe('card-sandbox scenario');
  const members = properties.steps.items.properties;
  for (const name of ['chapter', 'say', 'request', 'control', 'within', 'capture', 'about', 'sandboxOnly']) {
    expect(members[name]?.description, name).toMatch(/^[A-Z].*[.)]/);
  }
});
