import { expect, test } from 'vitest';
import { checkSender, checkToken } from '../../../src/core/access/access-guard.ts';

/** Checks a request with these headers against a sandbox with a token. */
function checking(headers: Record<string, string>, token: string | null = 'right') {
  const request = {
    method: 'GET',
    path: '/',
    query: '',
    headers: { host: 'localhost', ...headers },
    body: Buffer.from(''),
    remoteAddress: '127.0.0.1',
  };
  const guard = {
    ownNames: [],
    token,
    publicUrl: null,
    signatureHeaders: ['x-service-signature'],
  };
  return () => {
    checkSender(request, guard);
    checkToken(request, guard);
  };
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
])('%j is not the token, and a 401 where one is needed', authorization => {
  expect(checking({ authorization })).toThrow(expect.objectContaining({ status: 401 }));
  expect(checking({ authorization }, null)).not.toThrow();
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
