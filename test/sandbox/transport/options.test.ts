import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CoreOptions, OptionError } from '../../../src/sandbox/options.ts';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { HOOKS, SECRET, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { answerOf, receive } from './receiver.ts';

const certificateFile = join(import.meta.dirname, 'certificates/certificate.pem');
const tls = {
  key: readFileSync(join(import.meta.dirname, 'certificates/key.pem')),
  cert: readFileSync(certificateFile),
};
const receiver = (options = {}) => receive(socket => socket.write(answerOf(200, 'thanks')), options);

/** What became of the one delivery of a sandbox with these options, its webhook configured as given. */
async function deliveryWith(options: CoreOptions, webhookUrl = HOOKS) {
  const sandbox = await startSandbox(options);
  await subscribe(sandbox, ['cardholder.created']);
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl });
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/deliveries/settle');
  const list = await sandbox.control('GET', '/deliveries');
  const { body } = await sandbox.control('GET', `/deliveries/${list.body[0].id}`);
  const config = await sandbox.api('GET', '/partner/webhooks/config');
  return { delivery: body, origin: sandbox.origin, config: config.body };
}

test('--forward-to sends deliveries there, signed, and keeps the configuration', async () => {
  const { url, requests } = await receiver();
  const { delivery, config } = await deliveryWith({ forwardTo: url });
  expect(delivery).toMatchObject({ status: 'delivered', cause: null });
  expect(delivery.attempts).toMatchObject([{ url, status: 200, cause: null }]);
  expect(config).toMatchObject({ webhookUrl: HOOKS, webhookSecret: SECRET });
  expect(requests[0]).toMatch(/^x-service-signature: t=\d+,v1=[0-9a-f]{64}\r$/im);
});

test('--map sends a delivery to the same path of another URL', async () => {
  const { port, requests } = await receiver();
  const { delivery } = await deliveryWith({ map: [`${new URL(HOOKS).origin}=http://127.0.0.1:${port}/in`] });
  expect(delivery.attempts).toMatchObject([{ url: `http://127.0.0.1:${port}/in/events`, status: 200 }]);
  expect(requests[0]).toMatch(/^POST \/in\/events HTTP/);
});

test.each([
  [{}, 'TLS: self-signed certificate; pass --webhook-ca or --insecure-webhook-tls'],
  [{ webhookCa: certificateFile }, null],
  [{ insecureWebhookTls: true }, null],
])('with %j a receiver with a certificate of its own gives the cause %j', async (options, cause) => {
  const { url } = await receiver({ tls });
  expect((await deliveryWith(options, url)).delivery.cause).toBe(cause);
});

test('the cause of a refused public address names the flag that allows it', async () => {
  const { delivery } = await deliveryWith({}, 'https://192.0.2.1/hooks');
  expect(delivery.attempts).toMatchObject([
    { status: null, cause: 'destination not allowed: pass --egress any' },
  ]);
});

test('a sandbox never sends to itself', async () => {
  const sandbox = await startSandbox({ egress: 'any', allowHttpWebhooks: true });
  await subscribe(sandbox, ['cardholder.created']);
  const webhookUrl = `${sandbox.origin}/_sandbox/reset`;
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl });
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/deliveries/settle');
  const list = await sandbox.control('GET', '/deliveries');
  expect(list.body).toMatchObject([{ cause: 'destination not allowed: it is the sandbox itself' }]);
});

test.each([
  [
    'a file that is not there',
    null,
    /^webhookCa: must be a PEM file; it cannot be read: there is no such file/,
  ],
  [
    'a file without certificates',
    'hello',
    /^webhookCa: must be a PEM file; it does not contain a certificate/,
  ],
  ['a key', String(tls.key), /^webhookCa: must be a PEM file; it does not contain a certificate/],
  [
    'a damaged certificate',
    String(tls.cert).replace(/MII.{20}/, 'MII'),
    /^webhookCa: must be a PEM file; a certificate in it is invalid/,
  ],
])('for --webhook-ca %s is refused', async (_, content, message) => {
  const webhookCa = await temporaryFile('ca.pem');
  if (content !== null) writeFileSync(webhookCa, content);
  const create = () => createSandboxCore({ fixtures: ['empty'], webhookCa });
  expect(create).toThrow(OptionError);
  expect(create).toThrow(message);
});
