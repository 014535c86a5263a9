import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/sandbox.ts';
import { ACME_KEY, startSandbox } from '../support/sandbox.ts';

test('a listener that throws does not turn an answer into a crash', async () => {
  const bugs: unknown[] = [];
  const { api } = await startSandbox(
    {},
    {
      onAnswer: () => {
        throw new Error('a listener of ours');
      },
      onBug: error => {
        bugs.push(error);
        throw new Error('another');
      },
    },
  );
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect(bugs).toMatchObject([{ message: 'a listener of ours' }]);
});

test('what a control call did not understand is told in a header', async () => {
  const { control } = await startSandbox();
  const reply = await control('POST', '/share-tokens', { outcom: 'reject' });
  expect(reply.status).toBe(201);
  expect(reply.headers.get('x-sandbox-hint')).toBe(
    'body.outcom is unknown and was ignored, did you mean "outcome"?',
  );
});

test.each(['/v2/partner/cards', '/xx/partner/cards', '/v1x', '/_sandbox/clock'])(
  'a path that is not below the prefix, such as %s, is no operation of the API',
  path => {
    const headers = { 'x-service-api-key': ACME_KEY };
    const sandbox = createSandbox({ fixtures: ['empty'] });
    onTestFinished(() => sandbox.stop());
    const request = { method: 'GET', path, query: '', headers, body: new Uint8Array(), remoteAddress: '::1' };
    expect(sandbox.handle(request)).toMatchObject({
      status: 404,
      body: expect.stringContaining(`no such operation: GET ${path}`),
    });
  },
);
