import { expect, test } from 'vitest';
import { exampleValue } from '../../../../src/sandbox/accepted-input.ts';
import { membersOf } from '../../../../src/sandbox/operation-members.ts';
import { operations } from '../../../../src/sandbox/operations.ts';
import { validInputs } from '../../../../src/sandbox/valid-inputs.ts';
import { sharedSandbox } from '../../../support/cli-in-process.ts';
import { startSandbox } from '../../../support/sandbox.ts';

const { json, running } = sharedSandbox();

test('an explanation of a locked re-import sends nobody to a second record of the same person', async () => {
  await running().ask('POST', '/v1/partner/cardholders', {
    externalUserId: 'ch_mia_approved',
    email: 'mia@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_again',
  });
  const { wouldPass, status } = await json('requests', 'explain');
  expect(status).toBe(409);
  expect(wouldPass).toEqual([expect.stringContaining('POST /v1/partner/cardholders/{id}/kyc')]);
  expect(wouldPass.join()).not.toMatch(/another|externalUserId/);
});

test('an explanation names the fields of a record with dots', async () => {
  await running().ask('POST', '/v1/partner/cards', { spendControl: 5 });
  const { wouldPass } = await json('requests', 'explain');
  expect(wouldPass).toContainEqual(expect.stringMatching(/^body\.spendControl\.\w/));
});

test('an explanation has the names and forms of the settings', async () => {
  const { api, origin } = await startSandbox({
    assume: { 'usage-from-parameter': 'since', 'invalid-input-status': 422, 'amount-unit': 'minor' },
  });
  await api('GET', '/partner/usage/records?since=soon');
  const { wouldPass, status } = await json('requests', 'explain', '--url', origin);
  expect(status).toBe(422);
  expect(wouldPass).toContainEqual(expect.stringMatching(/^query\.since: "2026-01-01T/));
  await api('POST', '/partner/cards', { limit: 0.5 });
  const { wouldPass: ofCard } = await json('requests', 'explain', '--url', origin);
  expect(ofCard).toContainEqual(expect.stringMatching(/^body\.limit: 150000\b/));
});

test.each(['idp1', 'idp2'])(
  'a body of the examples is accepted where no token of %s is valid by itself',
  async kycSource => {
    const { api, origin } = await startSandbox({ fixtures: ['starter'], assume: { 'magic-tokens': 'off' } });
    await api('POST', '/partner/cardholders', { kycSource });
    const { wouldPass } = await json('requests', 'explain', '--url', origin);
    const examples = wouldPass.flatMap((line: string) => {
      const [, name, value = ''] = /^body\.(\w+): (".*?"), required/.exec(line) ?? [];
      return name === undefined ? [] : [[name, JSON.parse(value)]];
    });
    const body = Object.fromEntries(examples);
    expect(body).toHaveProperty(`${kycSource}ShareToken`);
    expect((await api('POST', '/partner/cardholders', body)).status).toBe(201);
  },
);

const members = operations
  .filter(({ plane }) => plane === 'partner')
  .flatMap(operation =>
    (['query', 'body'] as const).flatMap(where =>
      membersOf(operation[where]).map(member => ({ operation, where, member })),
    ),
  );

test.each(
  members.map(each => [`${each.operation.id} ${each.where}.${each.member.path.join('.')}`, each] as const),
)('the example value of %s is accepted', (_name, { operation, where, member }) => {
  const examples = validInputs(operation.id).map(input => input[where]);
  const value = exampleValue(examples, member);
  const isText = where === 'query';
  const input = member.path.reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    isText ? String(value) : value,
  );
  const problems = operation[where].safeParse(input).error?.issues ?? [];
  const own = problems.filter(({ path }) => path.join('.') === member.path.join('.'));
  // A variant of a union has other members; only the discriminator is wrong then.
  expect(own).toEqual([]);
});

test('an explanation of a refused import has the fields of its source alone', async () => {
  await running().ask('POST', '/v1/partner/cardholders', { kycSource: 'idp1', email: 'ana@example.org' });
  const { wouldPass } = await json('requests', 'explain');
  expect(wouldPass).toContainEqual(expect.stringMatching(/^body\.idp1ShareToken: /));
  expect(wouldPass.filter((line: string) => /kycSessionId|idp2ShareToken/.test(line))).toEqual([]);
});
