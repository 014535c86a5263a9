import { expect, test } from 'vitest';
import { post, transportWith } from './receiver.ts';

test.each([
  ['http://127.0.0.1/hook', 80],
  ['https://127.0.0.1/hook', 443],
])('%s is the sandbox itself where it listens on port %i', async (url, port) => {
  const transport = transportWith({ ownAddress: () => ({ host: '127.0.0.1', port }) });
  expect(await post(transport, url)).toMatchObject({
    status: null,
    cause: 'destination not allowed: it is the sandbox itself',
  });
});
