import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';

/** A sandbox without a surface, whose streams the test reads itself. */
function start() {
  const sandbox = createSandboxCore({ fixtures: ['empty'], clock: START, freeze: true, rateLimit: 0 });
  onTestFinished(() => sandbox.stop());
  const request = (method: string, path: string, query = '', body = '') => ({
    ...{ method, path, query, body: Buffer.from(body), remoteAddress: '127.0.0.1' },
    headers: { 'x-service-api-key': ACME_KEY, host: '127.0.0.1', 'content-type': 'application/json' },
  });
  return {
    get: (path: string) => sandbox.handle(request('GET', `/v1/partner${path}`)),
    control: (method: string, path: string, query = '', body = '') =>
      sandbox.control(request(method, `/_sandbox${path}`, query, body)),
    /** Opens the stream, and returns what it has sent and a function that disconnects. */
    async open(query = '', path = '/stream') {
      const { stream } = await sandbox.control(request('GET', `/_sandbox${path}`, query));
      const sent: string[] = [];
      const reader = { isEnded: false };
      const stop = stream?.(
        // Several messages may come in one text.
        text => sent.push(...text.split(/(?<=\n\n)/)),
        () => {
          reader.isEnded = true;
        },
      );
      // The greeting is sent at once.
      sent.splice(0);
      const paths = () => sent.flatMap(text => /"path":"\/v1\/partner([^"]*)"/.exec(text)?.[1] ?? []);
      return Object.assign(reader, { sent, paths, stop: stop ?? (() => undefined) });
    },
  };
}

const idsOf = (sent: readonly string[]) =>
  sent.flatMap(text => (/^id: (\d+)$/m.exec(text) ?? []).slice(1).map(Number));

test('no message is formatted before the response to the request that caused it', async () => {
  const { get, open } = start();
  const reader = await open();
  for (let count = 0; count < 3; count++) expect(get('/cards').status).toBe(200);
  expect(reader.sent).toEqual([]);
  await nextTurn();
  await expect.poll(() => reader.sent.length).toBe(3);
  const [first = 0] = idsOf(reader.sent);
  expect(idsOf(reader.sent)).toEqual([first, first + 1, first + 2]);
});

test('all readers get the same text in the same order, each from the moment at which it connected', async () => {
  const { get, open } = start();
  const early = await open();
  get('/cards');
  const late = await open();
  const requests = await open('kinds=request');
  const clocks = await open('kinds=clock');
  get('/cards/card_none');
  get('/cards');
  await expect.poll(() => [early, late, requests].map(({ sent }) => sent.length)).toEqual([3, 2, 2]);
  expect(late.sent).toEqual(early.sent.slice(1));
  expect(requests.sent).toEqual(late.sent);
  expect(clocks.sent).toEqual([]);
});

test.each(['', 'newest=3'])(
  'with %j a reader that disconnects gets none of the messages that wait, and the others get them all',
  async query => {
    const { get, open } = start();
    const [leaving, staying] = [await open(query), await open(query)];
    for (let count = 0; count < 3; count++) get('/cards');
    leaving.stop();
    await expect.poll(() => staying.sent.length).toBe(3);
    staying.stop();
    get('/cards');
    const next = await open(query);
    get('/cards');
    await expect.poll(() => next.sent.length).toBe(1);
    expect([leaving.sent.length, staying.sent.length]).toEqual([0, 3]);
  },
);

test('with newest, a burst sends only the newest messages of a kind, and says of which it skipped some', async () => {
  const { get, open } = start();
  const { sent, paths } = await open('newest=3');
  const clocks = await open('newest=3&kinds=clock');
  for (let count = 0; count < 20; count++) get(`/cards/card_${count}`);
  await expect.poll(() => paths().length).toBe(3);
  expect(paths()).toEqual(['/cards/card_17', '/cards/card_18', '/cards/card_19']);
  expect(idsOf(sent)).toEqual([18, 19, 20]);
  const skipped = 'event: skipped\ndata: {"kinds":["request"]}\n\n';
  expect(sent[3]).toBe(skipped);
  // Later messages follow, and none of a burst that fits is left out.
  for (const id of ['a', 'b', 'c']) get(`/cards/card_${id}`);
  await expect.poll(() => paths().slice(3)).toEqual(['/cards/card_a', '/cards/card_b', '/cards/card_c']);
  expect(sent.filter(text => text === skipped)).toHaveLength(1);
  expect(clocks.sent).toEqual([]);
});

test('readers take turns: one with thousands of messages to come does not keep another one waiting, of another world either', async () => {
  const { get, control, open } = start();
  await control('POST', '/worlds', '', '{"id":"blue"}');
  const busy = [await open(), await open()];
  const other = await open('', '/worlds/blue/stream');
  for (let count = 0; count < 5_000; count++) get(`/cards/card_${count}`);
  await control('POST', '/worlds/blue/clock/advance', '', '{"duration":"1s"}');
  await expect.poll(() => other.sent.length, { interval: 0 }).toBe(1);
  for (const { sent } of busy) expect(sent.length).toBeLessThan(5_000);
  await expect.poll(() => busy.map(({ sent }) => sent.length)).toEqual([5_000, 5_000]);
});

test('the stream of a reader ends when more messages wait for it than are kept', async () => {
  const { get, open } = start();
  const [slow, newest] = [await open(), await open('newest=3')];
  for (let count = 0; count < 10_000; count++) get('/cards');
  expect(slow.isEnded).toBe(false);
  get('/cards');
  expect(slow.isEnded).toBe(true);
  await expect.poll(() => newest.sent.length).toBe(4);
  expect([slow.sent.length, newest.isEnded]).toEqual([0, false]);
});

test('newest must be a whole number from 1', async () => {
  expect((await start().control('GET', '/stream', 'newest=0')).status).toBe(400);
});

test('a stream that a surface starts after its world has ended ends at once', async () => {
  const { control } = start();
  await control('POST', '/worlds', '', '{"id":"blue"}');
  const { stream } = await control('GET', '/worlds/blue/stream');
  expect((await control('DELETE', '/worlds/blue')).status).toBe(204);
  const events: string[] = [];
  stream?.(
    chunk => events.push(chunk),
    () => events.push('end'),
  );
  expect(events).toEqual(['end']);
});
