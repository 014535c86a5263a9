import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, answerOf, post, receive, transportWith } from './receiver.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');
/** Made for these tests and trusted by nobody; good for localhost, 127.0.0.1, ::1 and receiver.test until 2120. */
const [KEY, CERTIFICATE, EXPIRED] = [file('key.pem'), file('certificate.pem'), file('expired.pem')];

const thanks: Answer = socket => socket.write(answerOf(200, 'thanks'));
const trusted = () => receive(thanks, { tls: { key: KEY, cert: CERTIFICATE } });

test('an untrusted certificate is refused, and the cause names the flags that accept it', async () => {
  const receiver = await trusted();
  expect(await post(transportWith(), receiver.url)).toMatchObject({
    status: null,
    body: null,
    cause: 'TLS: self-signed certificate; pass --webhook-ca or --insecure-webhook-tls',
  });
  expect(receiver.requests).toEqual([]);
});

test('a certificate from webhookCa is trusted for its own names', async () => {
  const { url, port } = await trusted();
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const transport = transportWith({ ca: CERTIFICATE, resolve });
  const good = { status: 200, body: 'thanks', cause: null };
  expect(await post(transport, url)).toMatchObject(good);
  expect(await post(transport, `https://receiver.test:${port}/`)).toMatchObject(good);
  expect(await post(transport, `https://other.test:${port}/`)).toMatchObject({
    status: null,
    cause: 'TLS: the certificate is not for other.test',
  });
});

test('an expired certificate is refused even if it is trusted', async () => {
  const { url } = await receive(thanks, { tls: { key: KEY, cert: EXPIRED } });
  const outcome = await post(transportWith({ ca: EXPIRED }), url);
  expect(outcome).toMatchObject({ status: null, cause: 'TLS: certificate has expired' });
});

test.each([
  ['untrusted', CERTIFICATE, 'localhost'],
  ['expired', EXPIRED, 'localhost'],
  ['for another name', CERTIFICATE, 'other.test'],
])('an %s certificate is taken when TLS need not be safe', async (_, cert, host) => {
  const { port } = await receive(thanks, { tls: { key: KEY, cert } });
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const outcome = await post(transportWith({ insecureTls: true, resolve }), `https://${host}:${port}/`);
  expect(outcome).toMatchObject({ status: 200, cause: null });
});

test('the cause distinguishes a receiver without TLS from one with a bad certificate', async () => {
  const server = createServer((_, response) => response.end());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const outcome = await post(transportWith(), `https://127.0.0.1:${port}/`);
  server.close();
  expect(outcome).toMatchObject({
    status: null,
    cause: 'TLS: the receiver does not speak TLS; is it http://?',
  });
});

test('a TLS receiver behind http:// does not send an HTTP response', async () => {
  const { port } = await trusted();
  const { status, cause } = await post(transportWith(), `http://127.0.0.1:${port}/`);
  expect({ status, cause }).toEqual({
    status: null,
    cause: expect.stringMatching(/^(not an HTTP response|connection)/),
  });
});

test('a hanging handshake times out, and the cause names an interrupted one', async () => {
  const silent = await receive(() => {});
  const outcome = await post(transportWith({ timeoutMs: 300 }), silent.url.replace('http:', 'https:'));
  expect(outcome).toMatchObject({ status: null, cause: 'timed out after 0.3 s' });
  const cut = await receive(() => {}, { onConnection: socket => socket.destroy() });
  const { status, cause } = await post(transportWith(), cut.url.replace('http:', 'https:'));
  expect({ status, cause }).toEqual({
    status: null,
    cause: expect.stringMatching(/^TLS: |^connection reset$/),
  });
});
