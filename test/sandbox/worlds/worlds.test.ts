import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { startInProcess } from '../../support/in-process.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { fixtureFile } from '../fixtures/fixture-files.ts';

/** Returns the error of a request for a new world with these members. */
async function refusalOf(body: unknown, sandbox = startInProcess()) {
  const reply = await sandbox.control('POST', '/worlds', body);
  return [reply.status, reply.body.error];
}

test('a world starts with a state that is larger than other bodies may be', async () => {
  const { control } = await startSandbox();
  const fixtures = ['empty', { cardholders: [{ generate: 2_000 }] }];
  const { id } = (await control('POST', '/worlds', { fixtures })).body;
  const state = (await control('GET', `/worlds/${id}/state`)).body;
  expect(JSON.stringify(state).length).toBeGreaterThan(1_048_576);
  expect((await control('POST', '/worlds', { id: 'copy', state })).status).toBe(201);
  const { body } = await control('GET', '/worlds/copy/cardholders?limit=1');
  expect(body).toHaveLength(1);
});

test('other work runs while a world starts with a large state', async () => {
  const fixture = { cardholders: [{ generate: 2_000 }] };
  const { control } = startInProcess({ fixtures: ['empty', new BuiltFixture('people', fixture)] });
  const { body: state } = await control('GET', '/state');
  const created = control('POST', '/worlds', { id: 'copy', state }).then(({ status }) => status);
  let turns = 0;
  while (!(await Promise.race([created, setImmediate(false)]))) turns += 1;
  expect(await created).toBe(201);
  // Each row is a step, and a turn has a hundred.
  expect(turns).toBeGreaterThan(10);
});

test('a world starts with a copy or with a state, which decide all that it starts with', async () => {
  const sandbox = startInProcess();
  const { body: state } = await sandbox.control('GET', '/state');
  expect(await refusalOf({ from: 'main', state }, sandbox)).toEqual([
    400,
    'body.state: cannot be combined with from; send one of them',
  ]);
  expect(await refusalOf({ state, seed: 7 }, sandbox)).toEqual([
    400,
    'body.seed: cannot be combined with state, which decides it; leave it out',
  ]);
  expect(await refusalOf({ from: 'main', rateLimit: 5 }, sandbox)).toEqual([
    400,
    'body.rateLimit: cannot be combined with from, which decides it; leave it out',
  ]);
  expect(await refusalOf({ from: 'main', assume: {} }, sandbox)).toEqual([
    400,
    'body.assume: cannot be combined with from, which decides it; leave it out',
  ]);
  expect((await sandbox.control('POST', '/worlds', { state, assume: {} })).status).toBe(201);
});

test('a copy of an unknown world is refused with the nearest, or with the first eight', async () => {
  const sandbox = startInProcess();
  for (let world = 1; world < 10; world++) await sandbox.control('POST', '/worlds', { id: `w${world}` });
  expect(await refusalOf({ from: 'mian' }, sandbox)).toEqual([
    400,
    'body.from: there is no world "mian", did you mean "main"?',
  ]);
  expect(await refusalOf({ from: 'elsewhere' }, sandbox)).toEqual([
    400,
    'body.from: there is no world "elsewhere"; there are main, w1, w2, w3, w4, w5, w6, w7 and 2 more',
  ]);
});

test('the amounts of a fixture in a request are judged by the text that was sent', async () => {
  const { origin } = await startSandbox();
  const answers = ['99.999999999999999', '1.000', '1.23'].map(async balance => {
    const body = `{"fixtures":["empty",{"partners":[{"id":"p","apiKey":"sk_test_p","balance":${balance}}]}]}`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${origin}/_sandbox/worlds`, { method: 'POST', headers, body });
    return [response.status, await response.text()];
  });
  const refused = [400, expect.stringMatching(/body\.fixtures\.1\.partners\.0\.balance: must be an amount /)];
  expect(await Promise.all(answers)).toEqual([refused, refused, [201, expect.anything()]]);
});

test('a fixture that a request names is built in, and the refusal of another lists those that are', async () => {
  expect(await refusalOf({ fixtures: ['startr'] })).toEqual([
    400,
    'body.fixtures[0]: there is no built-in fixture "startr", did you mean "starter"?; send the content of a file as an object',
  ]);
  expect(await refusalOf({ fixtures: ['empty', 'zzzzzzzz'] })).toEqual([
    400,
    'body.fixtures[1]: there is no built-in fixture "zzzzzzzz"; built-in fixtures are empty, error-flows, kyc-reimport, starter; send the content of a file as an object',
  ]);
});

test.each([
  ['before a character that 200 code units would split', `${'z'.repeat(199)}\u{1f980}z`, 'z'.repeat(199)],
  ['behind a character that ends there', `${'z'.repeat(198)}\u{1f980}z`, `${'z'.repeat(198)}\u{1f980}`],
])('a message repeats long input up to 200 code units: it is cut %s', async (_, name, shown) => {
  const [, message] = await refusalOf({ fixtures: [name] });
  expect(message).toContain(`there is no built-in fixture "${shown}…"`);
});

test.each([
  ['a record', { cards: [null] }, 'body.fixtures[1]: cards[0]: has no value; must be an object'],
  [
    'the card of generated cardholders',
    { cardholders: [{ generate: 2, kycStatus: 'approved', card: null }] },
    'body.fixtures[1]: cardholders[0].card: has no value; must be an object',
  ],
  [
    'a transaction of generated cards',
    { cards: [{ generate: 2, cardholderId: 'ch_mia', transactions: [null] }] },
    'body.fixtures[1]: cards[0].transactions[0]: has no value; must be an object',
  ],
])('%s that is null is a problem of the fixture', async (_, fixture, problem) => {
  expect(await refusalOf({ fixtures: ['empty', fixture] })).toEqual([400, problem]);
});

test('no world has keys that are of the same form as a key of main', async () => {
  const created = async (fixtures: string[]) => {
    const sandbox = startInProcess({ fixtures });
    const { body } = await sandbox.control('POST', '/worlds', { id: 'blue', fixtures: ['empty'] });
    return { ...sandbox, key: body.partners[0].apiKey };
  };
  const { key: taken } = await created(['empty']);
  const { key, send } = await created([fixtureFile(`partners: [{ id: partner_main, apiKey: ${taken} }]`)]);
  expect(key.slice(0, -4)).not.toBe(taken.slice(0, -4));
  for (const each of [key, taken]) {
    expect((await send(each, 'GET', '/partner/balance')).status).toBe(200);
  }
  await send(null, 'DELETE', '/worlds/blue');
  expect((await send(taken, 'GET', '/partner/balance')).status).toBe(200);
  expect((await send(key, 'GET', '/partner/balance')).status).toBe(401);
});

test('a world that is refused, however late, does not change the keys of later ones', async () => {
  const fixtures = ['empty', new BuiltFixture('guests', { cardholders: [{ generate: 1_000 }] })];
  const keyOfNext = async ({ control }: ReturnType<typeof startInProcess>) =>
    (await control('POST', '/worlds', { id: 'blue', fixtures: ['empty'] })).body.partners[0].apiKey;
  const sandbox = startInProcess({ fixtures });
  const { body: state } = await sandbox.control('GET', '/state');
  state.tables.cardholders[999].email = 5;
  expect((await sandbox.control('POST', '/worlds', { state })).status).toBe(400);
  expect(await keyOfNext(sandbox)).toBe(await keyOfNext(startInProcess({ fixtures })));
});
