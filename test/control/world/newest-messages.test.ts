import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';

/** A sandbox without a surface, and the messages that its stream sends with this query. */
async function follow(query: string) {
  const sandbox = createSandboxCore({ fixtures: ['empty'], clock: START, freeze: true, rateLimit: 0 });
  onTestFinished(() => sandbox.stop());
  const request = (method: string, path: string, text = '') => ({
    method,
    path,
    query: text,
    body: Buffer.alloc(0),
    remoteAddress: '127.0.0.1',
    headers: { 'x-service-api-key': ACME_KEY, host: '127.0.0.1' },
  });
  const { status, stream } = await sandbox.control(request('GET', '/_sandbox/stream', query));
  let sent = '';
  const stop = stream?.(
    text => {
      sent += text;
    },
    () => undefined,
  );
  return {
    status,
    stop: () => stop?.(),
    api: (path: string) => sandbox.handle(request('GET', `/v1/partner${path}`)),
    paths: () => [...sent.matchAll(/"path":"\/v1\/partner([^"]*)"/g)].map(([, path]) => path),
    skipped: () =>
      [...sent.matchAll(/^event: skipped\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)),
    numbers: () => [...sent.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number)),
  };
}

test('with newest, a burst sends only the newest messages of a kind, and says of which it skipped some', async () => {
  const { api, paths, numbers, skipped } = await follow('newest=3');
  for (let count = 0; count < 20; count++) api(`/cards/card_${count}`);
  await expect.poll(() => paths().length).toBe(3);
  expect(paths()).toEqual(['/cards/card_17', '/cards/card_18', '/cards/card_19']);
  expect(numbers()).toEqual([18, 19, 20]);
  expect(skipped()).toEqual([{ kinds: ['request'] }]);
  // Later messages follow, and none of a burst that fits is left out.
  for (const id of ['a', 'b', 'c']) api(`/cards/card_${id}`);
  await expect.poll(() => paths().slice(3)).toEqual(['/cards/card_a', '/cards/card_b', '/cards/card_c']);
  expect(skipped()).toHaveLength(1);
});

test('with newest, a reader gets the kinds that it names, and nothing after it disconnected', async () => {
  const clocks = await follow('newest=3&kinds=clock');
  clocks.api('/cards');
  const requests = await follow('newest=3&kinds=request,clock');
  requests.api('/cards');
  await expect.poll(requests.paths).toEqual(['/cards']);
  requests.stop();
  requests.api('/balance');
  const next = await follow('newest=3');
  next.api('/cards');
  await expect.poll(next.paths).toEqual(['/cards']);
  expect([clocks.paths(), requests.paths()]).toEqual([[], ['/cards']]);
});

test('newest must be a whole number from 1', async () => {
  expect((await follow('newest=0')).status).toBe(400);
});
