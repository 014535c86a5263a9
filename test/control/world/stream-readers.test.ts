import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';

/** A sandbox without a surface, whose streams the test reads itself. */
function start() {
  const sandbox = createSandboxCore({ fixtures: ['empty'], clock: START, freeze: true, rateLimit: 0 });
  onTestFinished(() => sandbox.stop());
  const request = (method: string, path: string, query = '') => ({
    method,
    path,
    query,
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
    headers: { 'x-service-api-key': ACME_KEY, host: '127.0.0.1' },
  });
  return {
    api: (method: string, path: string) => sandbox.handle(request(method, `/v1/partner${path}`)),
    /** Opens the stream, and returns what it has sent and a function that disconnects. */
    async open(query = '') {
      const { stream } = await sandbox.control(request('GET', '/_sandbox/stream', query));
      const sent: string[] = [];
      const stop = stream?.(
        // Several messages may come in one text.
        text => sent.push(...text.split(/(?<=\n\n)/)),
        () => undefined,
      );
      // The greeting is sent at once.
      sent.splice(0);
      return { sent, stop: stop ?? (() => undefined) };
    },
  };
}

const idsOf = (sent: readonly string[]) => sent.map(text => Number(/\nid: (\d+)\n/.exec(text)?.[1]));

test('no message is formatted before the response to the request that caused it', async () => {
  const { api, open } = start();
  const reader = await open();
  for (let count = 0; count < 3; count++) expect(api('GET', '/cards').status).toBe(200);
  expect(reader.sent).toEqual([]);
  await nextTurn();
  await expect.poll(() => reader.sent.length).toBe(3);
  const [first = 0] = idsOf(reader.sent);
  expect(idsOf(reader.sent)).toEqual([first, first + 1, first + 2]);
});

test('all readers get the same text in the same order, each from the moment at which it connected', async () => {
  const { api, open } = start();
  const early = await open();
  api('GET', '/cards');
  const late = await open();
  const requests = await open('kinds=request');
  const clocks = await open('kinds=clock');
  api('GET', '/cards/card_none');
  api('GET', '/cards');
  await expect.poll(() => early.sent.length).toBe(3);
  expect(late.sent).toEqual(early.sent.slice(1));
  expect(requests.sent).toEqual(late.sent);
  expect(clocks.sent).toEqual([]);
});

test('a reader that disconnects gets none of the messages that wait, and the others get them all', async () => {
  const { api, open } = start();
  const [leaving, staying] = [await open(), await open()];
  for (let count = 0; count < 3; count++) api('GET', '/cards');
  leaving.stop();
  await expect.poll(() => staying.sent.length).toBe(3);
  staying.stop();
  api('GET', '/cards');
  const next = await open();
  api('GET', '/cards');
  await expect.poll(() => next.sent.length).toBe(1);
  expect([leaving.sent.length, staying.sent.length]).toEqual([0, 3]);
});
