import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signWebhook } from '../../src/core/values/signature.ts';
import { transportWith } from '../sandbox/transport/receiver.ts';
import { startProcess } from '../support/cli-process.ts';

const SECRET = 'whsec_0123456789abcdef';
const body = (id: string) =>
  JSON.stringify({ id, eventType: 'card.issued', createdAt: new Date(), data: { name: 'Zoë' } });
/** The receivers accept 300 s. The ages below leave a busy machine a minute to send them. */
const now = () => Math.floor(Date.now() / 1_000);
const never = new AbortController().signal;

const RECEIVERS: [command: string, file: string][] = [
  [process.execPath, 'node.js'],
  ['python3', 'python.py'],
];

test.each(RECEIVERS)('%s %s accepts each genuine event once', async (command, file) => {
  // Only Node.js is certain to be installed.
  if (spawnSync(command, ['--version']).error !== undefined) return;
  const receiver = startProcess(command, [join(import.meta.dirname, '../../examples/receivers', file)], {
    SERVICE_WEBHOOK_SECRET: SECRET,
    PORT: '0',
    // A shell that starts Python complains on stderr about a locale that the machine does not have.
    LC_ALL: 'C',
  });
  const [, url = ''] = await receiver.printed(/^receiving on (\S+)$/m);
  const transport = transportWith();
  const send = async (text: string, signature: string | null) => {
    const headers = {
      'x-service-event': 'card.issued',
      ...(signature && { 'x-service-signature': signature }),
    };
    const { status, cause } = await transport.send({ url, headers, body: text }, never);
    return status ?? cause;
  };
  const signed = (text: string, at = now(), secret = SECRET) => send(text, signWebhook(text, secret, at));

  const first = body('evt_1');
  expect(await signed(first)).toBe(200);
  expect(await signed(first)).toBe(200);
  expect(await send(body('evt_tampered'), signWebhook(first, SECRET, now()))).toBe(401);
  expect(await signed(body('evt_other'), now(), 'another secret')).toBe(401);
  expect(await signed(body('evt_stale'), now() - 302)).toBe(401);
  expect(await signed(body('evt_future'), now() + 360)).toBe(401);
  expect(await send(body('evt_bare'), null)).toBe(401);
  expect(await send(body('evt_invalid'), 't=soon,v1=nonsense')).toBe(401);
  expect(await signed('not json')).toBe(400);
  expect(await signed(body('evt_late'), now() - 240)).toBe(200);
  expect(await signed(body(`evt_${'x'.repeat(1_100_000)}`))).toBe(413);
  expect(await signed(body('evt_last'))).toBe(200);
  await receiver.printed(/^handled card\.issued evt_last$/m);
  const handled = receiver.stdout().match(/(?<=^handled card\.issued )\S+$/gm);
  expect(handled).toEqual(['evt_1', 'evt_late', 'evt_last']);
  expect(receiver.stderr()).toBe('');
});

test('a receiver without a secret does not start', async () => {
  const file = join(import.meta.dirname, '../../examples/receivers/node.js');
  const receiver = startProcess(process.execPath, [file], { SERVICE_WEBHOOK_SECRET: '' });
  expect(await receiver.ended).toMatchObject({ code: 1 });
  expect(receiver.stderr()).toContain('SERVICE_WEBHOOK_SECRET');
});
