import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

test('a listener that throws does not break the response', async () => {
  const bugs: unknown[] = [];
  const { api } = await startSandbox(
    {},
    {
      onResponse: () => {
        throw new Error('a broken listener');
      },
      onBug: error => {
        bugs.push(error);
        throw new Error('another');
      },
    },
  );
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect(bugs).toMatchObject([{ message: 'a broken listener' }]);
});

test.each(['/v2/partner/cards', '/xx/partner/cards', '/v1x', '/_sandbox/clock'])(
  'a path that is not below the prefix, such as %s, is not an operation of the API',
  path => {
    const headers = { 'x-service-api-key': ACME_KEY };
    const sandbox = createSandboxCore({ fixtures: ['empty'] });
    onTestFinished(() => sandbox.stop());
    const request = { method: 'GET', path, query: '', headers, body: new Uint8Array(), remoteAddress: '::1' };
    expect(sandbox.handle(request)).toMatchObject({
      status: 404,
      body: expect.stringContaining(`no such operation: GET ${path}`),
    });
  },
);

test('with --documented-only the 404 names the operation, and suggests only documented ones', async () => {
  const { api } = await startSandbox({ documentedOnly: true });
  expect((await api('GET', '/partner/cards/card_1')).body.error).toMatch(
    /^no such operation: GET \/partner\/cards\/card_1 \(it rests on the assumption card-moves, /,
  );
  expect((await api('GET', '/partner/crads/card_1')).body.error).not.toContain('did you mean');
  expect((await api('POST', '/partner/cards/card_1/reveal-htm')).body.error).toMatch(
    /; did you mean POST \/partner\/cards\/\{id\}\/reveal-html\?$/,
  );
});
