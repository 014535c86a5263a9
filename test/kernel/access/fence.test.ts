import { expect, test } from 'vitest';
import { checkFence } from '../../../src/kernel/access/fence.ts';

const RULE = { kind: 'assumed', id: 'control-fence' };

/** Checks a request with these headers against a sandbox with a token and the own names `box` and `10.0.0.5`. */
function checking(headers: Record<string, string>, token: string | null = 'right') {
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

test.each(['Bearer right', 'bearer right', 'BEARER   right'])(
  '%j is accepted by the control plane',
  authorization => {
    expect(checking({ authorization })).not.toThrow();
  },
);

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
])('%j is refused by the control plane', authorization => {
  const message = expect.stringMatching(/^header Authorization: .* needs "Bearer <control token>"/);
  expect(checking({ authorization })).toThrow(expect.objectContaining({ status: 401, rule: RULE, message }));
  expect(checking({ authorization }, null)).not.toThrow();
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
])('the host %j is accepted', host => expect(checking({ host }, null)).not.toThrow());

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
])('the host %j is refused', host => {
  const message = expect.stringContaining(
    `header Host: ${JSON.stringify(host)} is not a name of this sandbox`,
  );
  expect(checking({ host }, null)).toThrow(expect.objectContaining({ status: 403, rule: RULE, message }));
});

test("the sandbox's own page may control it, a page of another site may not", () => {
  expect(checking({ host: 'Localhost:1', origin: 'http://localhost:1' }, null)).not.toThrow();
  expect(checking({ host: 'localhost:1', origin: 'HTTP://LOCALHOST:1' }, null)).not.toThrow();
  for (const origin of ['http://localhost:2', 'https://localhost:1', 'null', 'http://example.com']) {
    const message = expect.stringContaining(
      `header Origin: a page of ${JSON.stringify(origin)} may not control`,
    );
    expect(checking({ host: 'localhost:1', origin }, null)).toThrow(
      expect.objectContaining({ status: 403, message }),
    );
  }
});
