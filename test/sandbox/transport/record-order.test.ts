import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answerOf, receive, transportWith } from './receiver.ts';

/** Sends a webhook about `ch_1` to a host, with the host as its body. */
const about = (host: string, port: number) => ({
  url: `http://${host}:${port}/`,
  headers: { 'content-type': 'text/plain' },
  body: host,
  record: 'ch_1',
});
const bodies = (requests: readonly string[]) => requests.map(each => each.split('\r\n\r\n')[1]);

test('a webhook does not overtake the one before about its record, however late that one connects', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith({
    async resolve(hostname) {
      // The lookup of a busy machine: longer than a request takes to arrive.
      if (hostname === 'slow.test') await setTimeout(200);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const { signal } = new AbortController();
  const hosts = ['slow.test', 'fast.test'];
  await Promise.all(hosts.map(host => transport.send(about(host, receiver.port), signal)));
  expect(bodies(receiver.requests)).toEqual(hosts);
});

test('a webhook does not wait for the response to the one before about its record', async () => {
  const receiver = await receive((socket, request) => {
    if (!request.includes('hangs.test')) socket.write(answerOf(200));
  });
  const transport = transportWith({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const ending = new AbortController();
  const first = transport.send(about('hangs.test', receiver.port), ending.signal);
  const second = await transport.send(about('answers.test', receiver.port), ending.signal);
  expect(second).toMatchObject({ status: 200 });
  expect(bodies(receiver.requests)).toEqual(['hangs.test', 'answers.test']);
  ending.abort();
  expect(await first).toMatchObject({ status: null });
});
