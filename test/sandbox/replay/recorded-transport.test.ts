import { expect, test } from 'vitest';
import { RecordedTransport } from '../../../src/sandbox/replay/recorded-transport.ts';

const webhook = (event: string) => ({ event, url: 'https://hooks.test/', headers: {}, body: '{}' }) as never;
const attempt = (event: string, status: number | null) =>
  ({ event, url: null, status, responseBody: null, cause: null, durationMs: 3 }) as never;

test('a webhook of a record ends as its attempt did, and one without an attempt ends as not known', async () => {
  const sent: unknown[] = [];
  const next = { send: async (each: unknown) => sent.push(each), close: () => sent.push('closed') };
  const transport = new RecordedTransport(next as never);
  const open = new AbortController();
  const [ended, left, last] = ['evt_1', 'evt_2', 'evt_3'].map(event =>
    transport.send(webhook(event), open.signal),
  );
  const order: string[] = [];
  left?.then(() => order.push('evt_2'));
  last?.then(() => order.push('evt_3'));
  expect([transport.end(attempt('evt_1', 500)), transport.end(attempt('evt_1', 200))]).toEqual([true, false]);
  expect(await ended).toMatchObject({ url: 'https://hooks.test/', status: 500, durationMs: 3 });
  expect(sent).toEqual([]);
  transport.release();
  expect(await left).toMatchObject({
    status: null,
    cause: expect.stringContaining('the record ends before'),
  });
  await last;
  expect(order).toEqual(['evt_2', 'evt_3']);
  await transport.send(webhook('evt_4'), open.signal);
  transport.close();
  expect(sent).toEqual([webhook('evt_4'), 'closed']);
});

test('a webhook of a record that is cancelled ends at once', async () => {
  const transport = new RecordedTransport({} as never);
  const cancelled = new AbortController();
  const sending = transport.send(webhook('evt_1'), cancelled.signal);
  cancelled.abort();
  expect(await sending).toMatchObject({ status: null, durationMs: 0 });
  expect(transport.end(attempt('evt_1', 200))).toBe(false);
});
