import { expect, test } from 'vitest';
import { signWebhook } from '../../../../src/core/values/signature.ts';
import { launchHere, type RunningHere, runInProcess } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';

const SECRET = 'a-secret-of-some-length';
const BODY = JSON.stringify({
  id: 'evt_1',
  eventType: 'card.issued',
  createdAt: 'now',
  data: { id: 'card_1' },
});
const now = () => Math.floor(Date.now() / 1000);

const LISTEN = ['listen', '--port', '0', '--json'];
const listen = (...flags: string[]) => receiverOf(launchHere([...LISTEN, ...flags]));

/** A running receiver, and what posts to it. */
async function receiverOf<T extends Pick<RunningHere, 'printed' | 'stdout'>>(running: T) {
  const [line] = await running.printed(/^.*\n/);
  const { url } = JSON.parse(line);
  const post = (signature?: string, body = BODY) =>
    fetch(url, {
      method: 'POST',
      body,
      headers: {
        'x-service-event': 'card.issued',
        ...(signature === undefined ? {} : { 'x-service-signature': signature }),
      },
    });
  const lines = () =>
    running
      .stdout()
      .trim()
      .split('\n')
      .slice(1)
      .map(each => JSON.parse(each));
  return { ...running, post, lines, url };
}

test('a signed delivery is verified, printed and gets 200, an invalid one gets 401', async () => {
  const receiver = await receiverOf(
    startProcess(process.execPath, [CLI_PROGRAM, ...LISTEN, '--secret', SECRET]),
  );
  const responses = [
    await receiver.post(signWebhook(BODY, SECRET, now())),
    await receiver.post(signWebhook(BODY, SECRET, now() - 3_600)),
    await receiver.post(signWebhook(BODY, 'another-secret-altogether', now())),
    await receiver.post(),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
  await receiver.printed(/is missing/);
  const [good, stale, forged, unsigned] = receiver.lines();
  expect(good).toEqual({
    type: 'webhook',
    id: 'evt_1',
    eventType: 'card.issued',
    attempt: 1,
    signature: 'valid',
    problem: null,
    answer: '200',
    path: '/',
    body: JSON.parse(BODY),
  });
  expect(stale).toMatchObject({
    attempt: 2,
    signature: 'invalid',
    problem: expect.stringMatching(/too old/),
  });
  expect(forged.problem).toBe('the signature does not match the body and the secret');
  expect(unsigned.problem).toBe('X-Service-Signature is missing');
  receiver.child.kill('SIGINT');
  expect(await receiver.ended).toEqual({ code: 0, signal: null });
});

test.each(['', 'null', '{"cut', '{}'])(
  'the body %j is printed as JSON, and as text where it is none',
  async body => {
    const receiver = await listen();
    await receiver.post(undefined, body);
    await receiver.printed(/"answer"/);
    expect(receiver.lines()[0].body).toEqual(body === 'null' ? null : body === '{}' ? {} : body);
  },
);

test('a request of another method and a body of more than 1 MiB are refused, and not printed', async () => {
  const receiver = await listen();
  const { status, headers } = await fetch(receiver.url);
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  await expect(receiver.post(undefined, ' '.repeat(1024 * 1024 + 1))).rejects.toThrow('fetch failed');
  expect((await receiver.post(undefined, ' '.repeat(1024 * 1024))).status).toBe(200);
  await receiver.printed(/"answer"/);
  expect(receiver.lines()).toHaveLength(1);
});

test('a port that is in use is named, with the way out', async () => {
  const { url } = await listen();
  const { port } = new URL(url);
  const { code, stderr } = await runInProcess(['listen', '--port', port]);
  expect([code, stderr]).toEqual([
    1,
    `error: port ${port} on 127.0.0.1 is in use; pass another --port, or 0 for a free one\n`,
  ]);
});

test.each([
  ['--respond', '500, 503,204'],
  ['--respond', '500', '--respond', '503,204'],
])('responses follow the order of --respond, and the last is repeated: %j', async (...flags) => {
  const receiver = await listen(...flags);
  const received = [];
  for (let count = 0; count < 4; count++) received.push((await receiver.post()).status);
  expect(received).toEqual([500, 503, 204, 204]);
  await receiver.printed(/(?:.*"webhook".*\n){4}/);
  expect(receiver.lines()[0]).toMatchObject({ signature: 'unchecked', answer: '500' });
});

test('a webhook with the id of an earlier one, as after a reset, and another body is a first attempt', async () => {
  const receiver = await listen();
  const other = JSON.stringify({ ...JSON.parse(BODY), data: { id: 'card_2' } });
  for (const body of [BODY, other, other]) await receiver.post(undefined, body);
  await receiver.printed(/(?:.*"webhook".*\n){3}/);
  expect(receiver.lines().map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
});

test('for people each delivery is a head line and its body', async () => {
  const running = launchHere(['listen', '--port', '0', '--secret', SECRET]);
  const [, url = ''] = await running.complained(/receiving webhooks at (\S+)\n/);
  await fetch(url, { method: 'POST', body: BODY, headers: { 'x-service-event': 'card.issued' } });
  await running.printed(
    /^card\.issued evt_1 signature invalid: X-Service-Signature is missing -> 401\n {2}\{\n {4}"id": "evt_1",$/m,
  );
});

test('invalid responses are wrong usage', async () => {
  const { code, stderr } = await runInProcess(['listen', '--respond', '99']);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be a comma-separated list of statuses, such as 500,500,200.');
});

test('a webhook with other names is refused with the option that takes them', async () => {
  const { url, printed, lines } = await listen('--secret', SECRET);
  const headers = { 'x-acme-event': 'card.issued', 'x-acme-signature': signWebhook(BODY, SECRET, now()) };
  expect((await fetch(url, { method: 'POST', body: BODY, headers })).status).toBe(401);
  await printed(/"webhook".*\n/);
  expect(lines()[0].problem).toBe(
    'X-Service-Signature is missing; the webhook has x-acme-signature: --names service=acme',
  );
});
