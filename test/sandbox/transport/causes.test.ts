import { expect, test } from 'vitest';
import { causeOfError, causeOfStatus, responseText } from '../../../src/sandbox/transport/send-request.ts';

/** An error with a code, as the system and Node.js throw them. */
const failure = (code: string, message = 'what happened', members: object = {}) =>
  Object.assign(new Error(message), { code }, members);

test.each([
  [200, null],
  [204, null],
  [299, null],
  [300, 'redirect refused'],
  [399, 'redirect refused'],
  [400, 'answered 400'],
  [500, 'answered 500'],
  [199, 'answered 199'],
])('a receiver that responds with %i has the cause %j', (status, cause) => {
  expect(causeOfStatus(status)).toBe(cause);
});

const PASS = 'pass --webhook-ca or --insecure-webhook-tls';

test.each([
  [failure('ECONNREFUSED'), 'connection refused'],
  [failure('ECONNRESET'), 'connection reset'],
  [failure('EPIPE'), 'connection reset'],
  [failure('EHOSTUNREACH'), 'host unreachable'],
  [failure('ENETUNREACH'), 'network unreachable'],
  [failure('EADDRNOTAVAIL'), 'no local address or port left to connect from'],
  [failure('ETIMEDOUT'), 'timed out while connecting'],
  [failure('HPE_HEADER_OVERFLOW'), 'not an HTTP response: its headers are too large'],
  [failure('EOTHER'), 'could not be sent: what happened'],
  [new Error('no code'), 'could not be sent: no code'],
  ['a text', 'could not be sent: a text'],
  [new AggregateError([failure('ECONNREFUSED'), failure('ETIMEDOUT')], 'all failed'), 'connection refused'],
  [new AggregateError([], 'none'), 'could not be sent: none'],
  [failure('ECONNRESET', 'socket hang up'), 'connection closed before a response'],
  [
    failure('HPE_INVALID_TOKEN', 'Parse Error: Invalid header', { reason: 'Invalid header' }),
    'not an HTTP response: Invalid header',
  ],
  [failure('HPE_INVALID_TOKEN', 'Parse Error'), 'not an HTTP response: Parse Error'],
  [
    failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate; if so, use --some-flag'),
    `TLS: self-signed certificate; ${PASS}`,
  ],
  [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify'), `TLS: unable to verify; ${PASS}`],
  [
    failure('ERR_TLS_CERT_ALTNAME_INVALID', 'x', { host: 'hooks.test' }),
    'TLS: the certificate is not for hooks.test',
  ],
  [failure('ERR_TLS_CERT_ALTNAME_INVALID', 'x'), 'TLS: the certificate is not for this host'],
  [
    failure('EPROTO', 'write EPROTO: SSL routines:WRONG VERSION NUMBER'),
    'TLS: the receiver does not speak TLS; is it http://?',
  ],
  [failure('ERR_SSL_X', 'long text', { reason: 'unsupported protocol' }), 'TLS: unsupported protocol'],
  [failure('CERT_HAS_EXPIRED', 'certificate has expired', { reason: 5 }), 'TLS: certificate has expired'],
  [
    failure('ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
    'TLS: connection closed during the handshake',
  ],
])('an attempt that ends with %o has a cause in words', (error, cause) => {
  expect(causeOfError(error)).toBe(cause);
});

test('a response is kept up to 64 KiB, without half a character and without half a number at the end', () => {
  const limit = 64 * 1024;
  const read = (text: string) => responseText(Buffer.from(text).subarray(0, limit));
  expect(read('short')).toBe('short');
  expect(read('x'.repeat(limit - 1))).toHaveLength(limit - 1);
  expect(read('x'.repeat(limit + 5))).toBe('x'.repeat(limit));
  expect(read(`${'x'.repeat(limit - 1)}ü`)).toBe('x'.repeat(limit - 1));
  expect(read(`${'x'.repeat(limit - 9)} 4242424242424242`)).not.toContain('4242');
});
