import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { startInProcess } from '../../support/in-process.ts';
import { startSandbox } from '../../support/sandbox.ts';

/** From a frozen clock or a given start, a reset goes back to the first state, which takes no time. */
const RUNNING = { clock: undefined, freeze: false };
const MANY = { id: 'many', fixtures: ['starter', { cardholders: [{ generate: 2_000 }] }] };

type InProcess = ReturnType<typeof startInProcess>;

/** Returns a function that sends a request in each turn of the event loop until a response arrives. */
function answersDuring({ api }: InProcess) {
  return async (slow: ReturnType<InProcess['control']>) => {
    let answered = 0;
    while (!(await Promise.race([slow.then(() => true), setImmediate(false)]))) {
      expect(api('GET', '/partner/cards').status).toBe(200);
      answered += 1;
    }
    expect(answered).toBeGreaterThan(10);
    return slow;
  };
}

test('other worlds answer while a world with many records is created and reset', async () => {
  const sandbox = startInProcess(RUNNING);
  const { control, send } = sandbox;
  const expectAnswersDuring = answersDuring(sandbox);
  const { status, body } = await expectAnswersDuring(control('POST', '/worlds', MANY));
  expect([status, body.id]).toEqual([201, 'many']);
  const [{ apiKey }] = body.partners;
  const total = async () => (await send(apiKey, 'GET', '/partner/cardholders?limit=1')).body.total;
  const created = await total();
  expect(created).toBeGreaterThan(2_000);
  await control('POST', '/worlds/many/cardholders', {});
  expect(await total()).toBe(created + 1);
  expect((await expectAnswersDuring(control('POST', '/worlds/many/reset'))).status).toBe(204);
  expect(await total()).toBe(created);
});

const MANY_PEOPLE = new BuiltFixture('many', MANY.fixtures[1]);

test('the same partner is served while one with many records is added', async () => {
  const sandbox = startInProcess({ fixtures: ['starter', MANY_PEOPLE] });
  const before = sandbox.api('GET', '/partner/cardholders').body;
  const { status, body } = await answersDuring(sandbox)(
    sandbox.control('POST', '/partners', { name: 'New', fixture: 'many' }),
  );
  expect([status, body.name]).toEqual([201, 'New']);
  const { total } = (await sandbox.send(body.apiKey, 'GET', '/partner/cardholders?limit=1')).body;
  expect(total).toBe(2_000);
  expect(sandbox.api('GET', '/partner/cardholders').body).toEqual(before);
});

test('a partner that is being added when its world is reset is not in it', async () => {
  const { control } = startInProcess({ fixtures: ['starter', MANY_PEOPLE] });
  const partners = async () => (await control('GET', '/partners')).body.length;
  const before = await partners();
  const adding = control('POST', '/partners', { fixture: 'many' });
  await control('POST', '/reset');
  const { status, body } = await adding;
  expect([status, body.error]).toEqual([409, expect.stringContaining('add the partner again')]);
  expect(await partners()).toBe(before);
});

test('a world that ends while it is reset leaves nothing running', async () => {
  const { control } = startInProcess(RUNNING);
  await control('POST', '/worlds', MANY);
  const resetting = control('POST', '/worlds/many/reset');
  expect((await control('DELETE', '/worlds/many')).status).toBe(204);
  expect((await resetting).status).toBe(404);
  expect((await control('GET', '/worlds')).body).toHaveLength(1);
});

test('the id and the place of a world are taken while it is created', async () => {
  const { control } = await startSandbox({ maxWorlds: 2 });
  const creating = control('POST', '/worlds', MANY);
  const again = await control('POST', '/worlds', { id: 'many' });
  expect([again.status, again.body.error]).toEqual([
    400,
    expect.stringContaining('body.id: there is a world "many"'),
  ]);
  const other = await control('POST', '/worlds', {});
  const third = await control('POST', '/worlds', {});
  expect([other.status, third.status, third.body.error]).toEqual([
    201,
    400,
    expect.stringContaining('there are 2 worlds'),
  ]);
  const { status, body } = await creating;
  expect(status).toBe(201);
  expect(body.partners[0].apiKey).not.toBe(other.body.partners[0].apiKey);
  expect((await control('GET', '/worlds')).body.map(({ id }: { id: string }) => id)).toEqual([
    'main',
    other.body.id,
    'many',
  ]);
});

test.each([
  ['one record', [{ cardholders: [{ generate: 100_001 }] }], '[0].cardholders[0].generate', 100_001],
  ['its cards', [{ cardholders: [{ generate: 50_001, card: {} }] }], '[0].cardholders[0].generate', 100_002],
  [
    'the transactions of its cards',
    [{ cardholders: [{ generate: 1_000, card: { transactions: [{ generate: 100 }] } }] }],
    '[0].cardholders[0].generate',
    102_000,
  ],
  [
    'the transactions of a card that is not generated',
    [{ cards: [{ cardholderId: 'ch_mia', transactions: [{ generate: 100_001, amount: 1 }] }] }],
    '[0].cards[0]',
    100_001,
  ],
  [
    'several fixtures together',
    ['starter', { shareTokens: [{ token: 'a', generate: 60_000 }] }, { usage: [{}, { generate: 60_000 }] }],
    '[2].usage[1].generate',
    120_000,
  ],
])(
  'a request whose fixtures generate too many records is refused: %s',
  async (_case, fixtures, place, sum) => {
    const { control } = await startSandbox();
    const { status, body } = await control('POST', '/worlds', { fixtures });
    expect([status, body.error]).toEqual([
      400,
      `body.fixtures${place}: brings the generated records to ${sum}; a request may generate at most 100000; start the sandbox with a fixture file (--fixtures), or send a state document to PUT /_sandbox/worlds/{world}/state`,
    ]);
    expect((await control('GET', '/worlds')).body).toHaveLength(1);
  },
);
