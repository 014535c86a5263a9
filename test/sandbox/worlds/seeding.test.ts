import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { FixtureError } from '../../../src/sandbox/fixtures/file/fixture-error.ts';
import { createSandboxCore, type SandboxCore } from '../../../src/sandbox/sandbox.ts';
import { openInProcess, startInProcess } from '../../support/in-process.ts';
import { BASE, fixtureFile } from '../fixtures/fixture-files.ts';

const PERSON = { cardholders: [{ externalUserId: 'mia' }] };
const personFile = () => fixtureFile(JSON.stringify(PERSON), 'people.json');

/** The names of the cardholders of a new world, or what is wrong with the request for it. */
async function peopleOf({ control }: ReturnType<typeof startInProcess>, request: object) {
  const { status, body } = await control('POST', '/worlds', request);
  if (status !== 201) return body.error;
  const people = (await control('GET', `/worlds/${body.id}/cardholders`)).body;
  return people.map(({ firstName }: { firstName: string }) => firstName);
}

test('a new world has the people of main, and those of another seed where it has one', async () => {
  const sandbox = startInProcess({ fixtures: ['empty', personFile()] });
  const [person] = (await sandbox.control('GET', '/cardholders')).body;
  expect(await peopleOf(sandbox, {})).toEqual([person.firstName]);
  expect(await peopleOf(sandbox, { seed: 7 })).not.toEqual([person.firstName]);
});

test('a new world has the records of its own fixtures, however near those are to the ones of main', async () => {
  const two = startInProcess({ fixtures: ['empty', personFile()] });
  expect(await peopleOf(two, { fixtures: ['empty'] })).toEqual([]);
  const one = startInProcess({ fixtures: ['empty'] });
  expect(await peopleOf(one, { fixtures: ['empty', PERSON] })).toHaveLength(1);
  expect((await peopleOf(one, { fixtures: ['starter'] })).length).toBeGreaterThan(1);
});

test('the fixtures of main are checked by the options of a new world', async () => {
  const file = fixtureFile(
    BASE.replace(
      'sk_test_a }',
      'sk_test_a, webhooks: { webhookUrl: "http://hooks.test/", webhookSecret: a-secret-of-16-or-more } }',
    ),
  );
  const sandbox = startInProcess({ fixtures: [file], allowHttpWebhooks: true });
  expect(await peopleOf(sandbox, {})).toEqual([]);
  expect(await peopleOf(sandbox, { allowHttpWebhooks: false })).toContain(
    'webhookUrl: must use https://; start the sandbox with --allow-http-webhooks',
  );
});

test('a saved state that main starts with follows the settings of a new world', async () => {
  const first = startInProcess();
  const person = {
    externalUserId: 'mia',
    email: 'mia@a.test',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
  };
  first.api('POST', '/partner/cardholders', { ...person, idp1ShareToken: 'idp1_test_approve_1' });
  const { body: state } = await first.control('GET', '/state');
  const { control, send } = startInProcess({ fixtures: [fixtureFile(JSON.stringify(state), 'saved.json')] });
  const add = async (assume: object) => {
    const { body } = await control('POST', '/worlds', { assume });
    return (
      await send(body.partners[0].apiKey, 'POST', '/partner/cardholders', {
        ...person,
        externalUserId: 'other',
        email: 'MIA@a.test',
        idp1ShareToken: 'idp1_test_approve_2',
      })
    ).status;
  };
  expect(await add({ 'email-comparison': 'sensitive' })).toBe(201);
  expect(await add({})).toBe(409);
});

test('a reload reads the fixtures again, says what was created meanwhile and is a new start', async () => {
  const file = personFile();
  const cores: SandboxCore[] = [];
  const { api, control, stop } = openInProcess({ fixtures: ['empty', file] }, {}, (...given) => {
    const core = createSandboxCore(...given);
    cores.push(core);
    return core;
  });
  onTestFinished(stop);
  const [sandbox] = cores;
  if (sandbox === undefined) throw new Error('there is a sandbox');
  const ids = () => sandbox.partners().map(({ id }) => id);
  const differences = async () => (await control('GET', '/state/differences')).body;
  api('POST', '/partner/kyc-sessions', {});
  writeFileSync(file, JSON.stringify({ partners: [{ id: 'partner_new', apiKey: 'sk_test_new' }] }));
  expect(sandbox.reload()).toEqual({ 'KYC session': 1 });
  expect(ids()).toEqual(['partner_acme', 'partner_globex', 'partner_new']);
  expect(await differences()).toEqual([]);
  // Fixtures that cannot be used change nothing.
  writeFileSync(file, '{"partners": [{}]}');
  expect(() => sandbox.reload()).toThrow(FixtureError);
  expect(ids()).toEqual(['partner_acme', 'partner_globex', 'partner_new']);
  expect(await differences()).toEqual([]);
});
