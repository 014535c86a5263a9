import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';

test('a stream that a surface starts after its world has ended ends at once', async () => {
  const { control, stop } = createSandboxCore({ fixtures: ['empty'] });
  onTestFinished(stop);
  const ask = (method: string, path: string, body = '') =>
    control({
      ...{ method, path: `/_sandbox/worlds${path}`, query: '', remoteAddress: '127.0.0.1' },
      headers: { host: '127.0.0.1', 'content-type': 'application/json' },
      body: Buffer.from(body),
    });
  await ask('POST', '', '{"id":"blue"}');
  const { stream } = await ask('GET', '/blue/stream');
  expect((await ask('DELETE', '/blue')).status).toBe(204);
  const events: string[] = [];
  stream?.(
    chunk => events.push(chunk),
    () => events.push('end'),
  );
  expect(events).toEqual(['end']);
});
