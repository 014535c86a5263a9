import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/index.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { launchHere, runInProcess } from '../../support/cli-in-process.ts';

/** JSON text of lists nested in an object, as deep as this in all. */
const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const RULE = 'body: must be nested at most 100 deep';
const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** A sandbox, and a function that sends it a text. */
function open(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  const send = async (path: string, body: string) => {
    const headers = { ...POST.headers, 'x-service-api-key': sandbox.apiKey };
    const response = await sandbox.fetch(path, { ...POST, headers, body });
    return { status: response.status, body: await response.text() };
  };
  return { sandbox, send };
}

test.each([
  ['/v1/partner/kyc-sessions', 201],
  // An unknown member is a 400 in the control plane, whatever is in it.
  ['/_sandbox/balance/top-up', 400],
  ['/_sandbox/worlds', 400],
])('%s takes a body that is nested 100 deep, and refuses a deeper one', async (path, status) => {
  const { send } = open();
  const shallow = await send(path, nested(100));
  expect(shallow.status).toBe(status);
  expect(shallow.body).not.toContain(RULE);
  for (const depth of [101, 2_000, 200_000]) {
    expect(await send(path, nested(depth))).toEqual({
      status: 400,
      body: JSON.stringify({ success: false, error: RULE }),
    });
  }
});

test('what was sent and received can be listed and saved, however deep it is', async () => {
  const { sandbox, send } = open({ webhookReceiver: () => new Response(nested(30_000)) });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://app.test/',
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 1 });
  await sandbox.webhooks.settle();
  await send('/v1/partner/kyc-sessions', nested(100));
  await send('/v1/partner/kyc-sessions', nested(30_000));
  for (const path of ['/requests', '/deliveries', '/history', '/state']) {
    expect((await sandbox.fetch(`/_sandbox${path}`)).status).toBe(200);
  }
});

test.each(['yaml', 'json'])('a %s file that is nested deeper is refused with its name', async extension => {
  const file = await temporaryFile(`deep.${extension}`);
  const deep = [101, 400].map(depth => `{"cardholders":${nested(depth)}}`);
  const endless = extension === 'yaml' ? ['cards: &cards\n  - *cards\n'] : [];
  for (const text of [...deep, ...endless]) {
    await writeFile(file, text);
    expect(await runInProcess(['fixtures', 'validate', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}: must be nested at most 100 deep`),
    });
  }
});

test('a listener keeps running after a webhook that is nested deeply', async () => {
  const receiver = launchHere(['listen', '--port', '0', '--json']);
  const { url } = JSON.parse((await receiver.printed(/^.*\n/))[0]);
  for (const depth of [100, 50_000]) {
    expect((await fetch(url, { ...POST, body: nested(depth) })).status).toBe(200);
  }
  await receiver.printed(/"type":"webhook".*\n.*"type":"webhook"/);
});
