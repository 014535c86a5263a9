import { expect, test } from 'vitest';
import { answerOf, receive } from '../../../sandbox/transport/receiver.ts';
import { launchHere, runInProcess, serveHere } from '../../../support/cli-in-process.ts';
import { isSigned } from '../../../support/receiver.ts';

/** A sandbox, an application that responds with a status, and `listen --forward-to` between them. */
async function relayed(status: number) {
  const sandbox = await serveHere(['--freeze']);
  const app = await receive(socket => socket.write(answerOf(status, 'from the app')));
  const listening = launchHere([
    ...['listen', '--port', '0', '--json', '--url', sandbox.url, '--forward-to', `${app.url}?from=relay`],
  ]);
  const [line] = await listening.printed(/^.*\n/);
  const lines = () =>
    listening
      .stdout()
      .trim()
      .split('\n')
      .slice(1)
      .map(each => JSON.parse(each));
  return { sandbox, app, listening, lines, url: JSON.parse(line).url };
}

test('listen --forward-to passes webhooks on as they are, and the sandbox gets the response', async () => {
  const { sandbox, app, listening, lines, url } = await relayed(418);
  const { body: forwarding } = await sandbox.ask('GET', '/_sandbox/forwarding');
  expect(forwarding.url).toBe(url);
  const { body: event } = await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await sandbox.ask('POST', '/_sandbox/deliveries/settle');
  await listening.printed(/"webhook".*\n/);
  const { body: delivery } = await sandbox.ask('GET', `/_sandbox/deliveries/${event.id}`);
  expect(delivery.attempts).toMatchObject([{ url: `${url}/`, status: 418, cause: 'answered 418' }]);
  expect(delivery.lastResponseBody).toBe('from the app');
  expect(lines()).toMatchObject([
    { id: event.id, eventType: 'card.issued', attempt: 1, signature: 'valid', answer: '418' },
  ]);
  const [head = '', body = ''] = app.requests[0]?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^POST \/hook\?from=relay HTTP\/1\.1\r\n/);
  expect(body).toBe(delivery.payload);
  for (const [name, value] of Object.entries(delivery.attempts[0].requestHeaders)) {
    expect(head).toContain(`\r\n${name}: ${value}`);
  }
  const signature = /X-Service-Signature: (.*)\r/.exec(head)?.[1] ?? '';
  const webhook = { url, headers: { 'X-Service-Signature': signature }, body };
  expect(isSigned(webhook, forwarding.webhookSecrets.partner_acme)).toBe(true);
});

test('it puts the former forwarding back when it ends, unless that has been changed meanwhile', async () => {
  const first = await relayed(200);
  await first.listening.stop();
  expect((await first.sandbox.ask('GET', '/_sandbox/forwarding')).body).toMatchObject({ url: null });
  const second = await relayed(200);
  await second.sandbox.ask('PUT', '/_sandbox/forwarding', { url: 'http://127.0.0.1:9/mine' });
  await second.listening.stop();
  expect((await second.sandbox.ask('GET', '/_sandbox/forwarding')).body.url).toBe('http://127.0.0.1:9/mine');
});

test('a secret that is configured later is known, and a webhook with a false signature is passed on too', async () => {
  const { sandbox, app, listening, lines } = await relayed(200);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/"webhook".*\n/);
  await sandbox.ask('PATCH', '/_sandbox/webhooks/config', { webhookSecret: 'another-secret-of-the-app' });
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/(?:.*"webhook".*\n){2}/);
  await sandbox.ask('POST', '/_sandbox/webhook-faults', { kind: 'bad_signature' });
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/(?:.*"webhook".*\n){3}/);
  expect(lines().map(({ signature }) => signature)).toEqual(['valid', 'valid', 'invalid']);
  expect(app.requests).toHaveLength(3);
});

test('an application that does not listen is a 502 with the cause', async () => {
  const sandbox = await serveHere(['--freeze']);
  const listening = launchHere([
    ...['listen', '--port', '0', '--json', '--url', sandbox.url, '--forward-to', 'http://127.0.0.1:9/'],
  ]);
  await listening.printed(/^.*\n/);
  const { body: event } = await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await sandbox.ask('POST', '/_sandbox/deliveries/settle');
  await listening.printed(/"answer":"502: connection refused"/);
  const { body } = await sandbox.ask('GET', `/_sandbox/deliveries/${event.id}`);
  expect(body.lastResponseBody).toBe('http://127.0.0.1:9/: connection refused');
});

test('without a sandbox it ends with the reason', async () => {
  const { code, stderr } = await runInProcess([
    ...['listen', '--port', '0', '--url', 'http://127.0.0.1:9', '--forward-to', 'http://127.0.0.1:9/'],
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/start one with card-sandbox start/);
});

test('--forward-to and --respond exclude each other', async () => {
  const { code, stderr } = await runInProcess([
    'listen',
    '--forward-to',
    'http://a.test',
    '--respond',
    '500',
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/cannot be used with option '--respond/);
});

test('people see the address, the application and each response', async () => {
  const sandbox = await serveHere(['--freeze']);
  const app = await receive(socket => socket.write(answerOf(204)));
  const listening = launchHere([...['listen', '--port', '0', '--url', sandbox.url, '--forward-to', app.url]]);
  await listening.complained(/receiving webhooks at http:\S+, for http:\S+\/hook\n/);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/^card\.issued evt_\w+ signature valid -> 204\n {2}\{\n/m);
});

test.each([
  ['HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}', 'status 99'],
  ['HTTP/1.1 000 None\r\ncontent-length: 2\r\n\r\n{}', 'status 0'],
  ['HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'unexpected protocol upgrade'],
])('an application that answers %j is a 502 for the sandbox, and listen goes on', async (answer, cause) => {
  const sandbox = await serveHere(['--freeze']);
  const app = await receive(socket => socket.end(answer));
  const listening = launchHere([
    ...['listen', '--port', '0', '--json', '--url', sandbox.url, '--forward-to', app.url],
  ]);
  await listening.printed(/^.*\n/);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  const [line] = await listening.printed(/.*"webhook".*\n/);
  expect(JSON.parse(line).answer).toBe(`502: not an HTTP response: ${cause}`);
  expect(await listening.stop()).toBe(0);
});
