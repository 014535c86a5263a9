import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { FixtureError } from '../../../src/sandbox/fixtures/file/fixture-error.ts';
import { readScenario } from '../../../src/tools/scenarios/file/read.ts';
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
  [
    '- advance: 2s\n    expect: { status: 200 }',
    '4: steps[0].expect: is allowed only with request or control',
  ],
  [
    '- control: clock.advanc',
    '3: steps[0].control: is not a control operation, did you mean "clock.advance"?',
  ],
  [
    '- control: POST /clok/advance',
    '3: steps[0].control: is not a control operation, did you mean POST /clock/advance?',
  ],
  ['- control: partners.getSettings', '3: steps[0].control: requires params.id, the {id} of its path'],
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
    '3: steps[0]: has no action; add one of request, control, webhook, respond, advance, wait, or say',
  ],
  ['- request: GET /partner/cards\n    capture: { my-card: body.id }', '4: steps[0].capture.my-card:'],
])('%j is reported with its line', async (steps, problem) => {
  const problems = await problemsOf(`name: A test\nsteps:\n  ${steps}\n`);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(`scenario.yaml:${problem}`);
});

test('a file without steps, an invalid one and a missing one are one message each', async () => {
  expect(await problemsOf('name: A test\n')).toEqual(['scenario.yaml:1: steps: is required']);
  expect(await problemsOf('name: [\n')).toEqual([expect.stringMatching(/^scenario\.yaml:\d+:\d+: YAML: /)]);
  expect(() => readScenario('kyc-reimprt')).toThrow(
    '"kyc-reimprt": there is no such scenario and no such file, did you mean "kyc-reimport"?',
  );
});
