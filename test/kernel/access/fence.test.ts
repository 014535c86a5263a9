import { expect, test } from 'vitest';
import { checkFence } from '../../../src/kernel/access/fence.ts';

const RULE = { kind: 'assumed', id: 'control-fence' };

/** Sends a call with these headers to a sandbox that needs a token and is also called `box`. */
function call(headers: Record<string, string>, token: string | null = 'right') {
  const request = {
    method: 'GET',
    path: '/',
    query: '',
    headers: { host: 'localhost', ...headers },
    body: Buffer.from(''),
    remoteAddress: '127.0.0.1',
  };
  return () => checkFence(request, { ownNames: ['box', '10.0.0.5'], token });
}

test.each(['Bearer right', 'bearer right', 'BEARER   right'])('%j opens the control plane', authorization => {
  expect(call({ authorization })).not.toThrow();
});

test.each([
  '',
  'right',
  'Bearer',
  'Bearer wrong',
  'Bearer righT',
  'Bearer right!',
  'xBearer right',
  'Bearer right\nx',
  'Basic right',
])('%j does not', authorization => {
  const message = expect.stringMatching(/^header Authorization: .* needs "Bearer <control token>"/);
  expect(call({ authorization })).toThrow(expect.objectContaining({ status: 401, rule: RULE, message }));
  expect(call({ authorization }, null)).not.toThrow();
});

test.each([
  'localhost',
  'LOCALHOST:4242',
  'app.localhost',
  '127.0.0.1:80',
  '127.9.9.9',
  '[::1]:4242',
  '[::1]',
  'Box:1',
  '10.0.0.5',
])('a call to %j is one to us', host => expect(call({ host }, null)).not.toThrow());

test.each([
  '',
  'example.com',
  'localhost.example.com',
  'localhost.',
  'xlocalhost',
  'box.example.com',
  '10.0.0.6',
  '[::2]',
  '[::1',
  'x[::1]',
  '[::1]x',
])('a call to %j is not', host => {
  const message = expect.stringContaining(
    `header Host: ${JSON.stringify(host)} is not a name of this sandbox`,
  );
  expect(call({ host }, null)).toThrow(expect.objectContaining({ status: 403, rule: RULE, message }));
});

test('a page of our own may drive the sandbox, one of another site may not', () => {
  expect(call({ host: 'Localhost:1', origin: 'http://localhost:1' }, null)).not.toThrow();
  expect(call({ host: 'localhost:1', origin: 'HTTP://LOCALHOST:1' }, null)).not.toThrow();
  for (const origin of ['http://localhost:2', 'https://localhost:1', 'null', 'http://example.com']) {
    const message = expect.stringContaining(
      `header Origin: a page of ${JSON.stringify(origin)} may not control`,
    );
    expect(call({ host: 'localhost:1', origin }, null)).toThrow(
      expect.objectContaining({ status: 403, message }),
    );
  }
});
