import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import { createSandbox } from '../../../src/index.ts';
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

/** A sandbox whose wall time moves by an hour with each call of the returned function. */
function startWithoutClock(freeze: boolean) {
  let wall = Date.parse('2026-06-01T12:00:00Z');
  const { control } = startInProcess(
    { clock: undefined, freeze, fixtures: ['starter'] },
    { realTime: { ...realTime, now: () => wall } },
  );
  const resetAnHourLater = async () => {
    wall += 3_600_000;
    expect((await control('POST', '/reset')).status).toBe(204);
  };
  return { control, resetAnHourLater };
}

test('a clock that starts frozen goes back to the same moment with every reset', async () => {
  const { control, resetAnHourLater } = startWithoutClock(true);
  const world = async () => (await control('GET', '/state')).body;
  const first = await world();
  for (const duration of ['5s', '30d']) {
    await control('POST', '/clock/advance', { duration });
    expect(await world()).not.toEqual(first);
    await resetAnHourLater();
    expect(await world()).toEqual(first);
  }
});

test('a clock that starts running has wall time after a reset, to which the times of the records are relative', async () => {
  const { control, resetAnHourLater } = startWithoutClock(false);
  const token = async () => (await control('GET', '/share-tokens?limit=1')).body[0].createdAt;
  const before = Date.parse(await token());
  await resetAnHourLater();
  expect((await control('GET', '/clock')).body.now).toBe('2026-06-01T13:00:00.000Z');
  expect(Date.parse(await token()) - before).toBe(3_600_000);
});

test('a record holds its start and once the state that every reset of a frozen clock goes back to', async () => {
  await using sandbox = createSandbox({ fixtures: ['empty', { cardholders: [{ generate: 100 }] }] });
  for (let count = 0; count < 20; count++) await sandbox.reset();
  const record = await sandbox.history.export();
  expect(record.match(/"path":"[^"]*reset"/g)).toHaveLength(20);
  expect(record.match(/"externalUserId":/g)).toHaveLength(200);
});

test.each([true, false])(
  'a new world of a saved state that main starts with is frozen where it is asked to be, and else as saved (frozen: %s)',
  async saved => {
    const { body: state } = await startInProcess({ freeze: saved }).control('GET', '/state');
    const file = fixtureFile(JSON.stringify(state), 'saved.json');
    for (const freeze of [false, true]) {
      const { control } = startInProcess({ fixtures: [file], freeze });
      const modeOf = async (request: object) => {
        const { id } = (await control('POST', '/worlds', request)).body;
        await control('POST', `/worlds/${id}/reset`);
        return (await control('GET', `/worlds/${id}/clock`)).body.mode;
      };
      expect([await modeOf({ freeze: true }), await modeOf({ freeze: false })]).toEqual([
        'frozen',
        'running',
      ]);
      expect(await modeOf({ freeze: false, assume: { 'list-order': 'oldest' } })).toBe('running');
      expect(await modeOf({})).toBe(freeze || saved ? 'frozen' : 'running');
    }
  },
);

test.each([
  { saved: 'frozen', request: {}, speed: 1 },
  { saved: 'frozen', request: { freeze: false }, speed: 60 },
  { saved: 'frozen', request: { retrySpeed: 10 }, speed: 10 },
  { saved: 'running', request: {}, speed: 60 },
  { saved: 'running', request: { freeze: true }, speed: 1 },
])(
  'a world of a $saved state, created with $request, has the retry speed $speed',
  async ({ saved, request, speed }) => {
    const { body: state } = await startInProcess({ freeze: saved === 'frozen' }).control('GET', '/state');
    const { control } = startInProcess({ freeze: undefined, retrySpeed: undefined });
    const { id } = (await control('POST', '/worlds', { state, ...request })).body;
    expect((await control('GET', `/worlds/${id}/info`)).body.options.retrySpeed).toBe(speed);
  },
);

test.each([
  { saved: 'frozen', options: {}, speed: 1 },
  { saved: 'frozen', options: { retrySpeed: 10 }, speed: 10 },
  { saved: 'running', options: {}, speed: 60 },
])(
  'a sandbox that starts with a $saved state and $options has the retry speed $speed, and so has a world of it',
  async ({ saved, options, speed }) => {
    const { body: state } = await startInProcess({ freeze: saved === 'frozen' }).control('GET', '/state');
    const { control } = startInProcess({
      fixtures: [fixtureFile(JSON.stringify(state), 'saved.json')],
      freeze: undefined,
      retrySpeed: undefined,
      ...options,
    });
    const { id } = (await control('POST', '/worlds', {})).body;
    for (const path of ['/info', `/worlds/${id}/info`])
      expect((await control('GET', path)).body.options).toMatchObject({
        retrySpeed: speed,
        freeze: saved === 'frozen',
      });
  },
);

/** A sandbox, and what is behind it. */
function startReloadable(fixtures: readonly string[]) {
  const cores: SandboxCore[] = [];
  const { api, control, stop } = openInProcess({ fixtures }, {}, (...given) => {
    const core = createSandboxCore(...given);
    cores.push(core);
    return core;
  });
  onTestFinished(stop);
  const [sandbox] = cores;
  if (sandbox === undefined) throw new Error('there is a sandbox');
  return { api, control, sandbox };
}

test('after a reload, a new partner has the records that its fixture has now', async () => {
  const file = personFile();
  const { control, sandbox } = startReloadable(['empty', file]);
  const peopleOfNew = async () => {
    const { id } = (await control('POST', '/partners', { fixture: file })).body;
    return (await control('GET', `/cardholders?partnerId=${id}`)).body;
  };
  expect(await peopleOfNew()).toMatchObject([{ externalUserId: 'mia' }]);
  writeFileSync(file, JSON.stringify({ cardholders: [{ externalUserId: 'zoe' }] }));
  sandbox.reload();
  expect(await peopleOfNew()).toMatchObject([{ externalUserId: 'zoe' }]);
});

test('a reload reads the fixtures again, says what was created meanwhile and is a new start', async () => {
  const file = personFile();
  const { api, control, sandbox } = startReloadable(['empty', file]);
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
