import { expect, test } from 'vitest';
import { answerOf, receive } from '../../../sandbox/transport/receiver.ts';
import { launchHere, runInProcess, serveHere, startHere } from '../../../support/cli-in-process.ts';
import { isSigned } from '../../../support/receiver.ts';

/** A sandbox, an application that responds with a status, and `listen --forward-to` beside them. */
async function watched(status: number) {
  const sandbox = await serveHere(['--freeze']);
  const app = await receive(socket => socket.write(answerOf(status, 'from the app')));
  const url = `${app.url}?from=sandbox`;
  const listening = launchHere(['listen', '--json', '--url', sandbox.url, '--forward-to', url]);
  await listening.printed(/^.*\n/);
  const lines = () =>
    listening
      .stdout()
      .trim()
      .split('\n')
      .slice(1)
      .map(each => JSON.parse(each));
  return { sandbox, app, listening, lines, url };
}

test('listen --forward-to has the sandbox send its webhooks to the application, and prints each with its response', async () => {
  const { sandbox, app, listening, lines, url } = await watched(418);
  const { body: forwarding } = await sandbox.ask('GET', '/_sandbox/forwarding');
  expect(forwarding.url).toBe(url);
  const { body: event } = await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/"webhook".*\n/);
  await sandbox.ask('POST', '/_sandbox/clock/advance', { duration: '1m' });
  await listening.printed(/(?:.*"webhook".*\n){2}/);
  const { body: delivery } = await sandbox.ask('GET', `/_sandbox/deliveries/${event.id}`);
  const webhook = { type: 'webhook', id: event.id, eventType: 'card.issued', answer: '418', path: '/hook' };
  const unverified = { signature: null, problem: null };
  expect(lines()).toEqual([
    { ...webhook, ...unverified, attempt: 1, body: JSON.parse(delivery.payload) },
    { ...webhook, ...unverified, attempt: 2, body: JSON.parse(delivery.payload) },
  ]);
  const [head = '', body = ''] = app.requests[0]?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^POST \/hook\?from=sandbox HTTP\/1\.1\r\n/);
  const signature = /X-Service-Signature: (.*)\r/.exec(head)?.[1] ?? '';
  const received = { url, headers: { 'X-Service-Signature': signature }, body };
  expect(isSigned(received, forwarding.webhookSecrets.partner_acme)).toBe(true);
});

test('it puts the former forwarding back when it ends, unless that has been changed meanwhile', async () => {
  const first = await watched(200);
  await first.listening.stop();
  expect((await first.sandbox.ask('GET', '/_sandbox/forwarding')).body).toMatchObject({ url: null });
  const second = await watched(200);
  await second.sandbox.ask('PUT', '/_sandbox/forwarding', { url: 'http://127.0.0.1:9/mine' });
  await second.listening.stop();
  expect(second.listening.stderr()).toMatch(
    /^the sandbox at \S+ forwards to http:\/\/127\.0\.0\.1:9\/mine now; /m,
  );
  expect((await second.sandbox.ask('GET', '/_sandbox/forwarding')).body.url).toBe('http://127.0.0.1:9/mine');
});

test('an attempt to a URL that somebody has set meanwhile is not taken for one of the application', async () => {
  const { sandbox, app, listening, lines } = await watched(500);
  const other = await receive(socket => socket.write(answerOf(200)));
  await sandbox.ask('PUT', '/_sandbox/forwarding', { url: other.url });
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/"webhook".*\n/);
  expect(lines()).toMatchObject([{ answer: '200', sentTo: other.url }]);
  expect(app.requests).toEqual([]);
});

test('an application that does not listen is shown with the cause, at its URL however that is written', async () => {
  const sandbox = await serveHere(['--freeze']);
  const listening = launchHere([
    ...['listen', '--json', '--url', sandbox.url, '--forward-to', 'http://127.0.0.1:9'],
  ]);
  await listening.printed(/^.*\n/);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/"answer":"connection refused","path":"\/"/);
});

test('without a sandbox it ends with the reason', async () => {
  const { code, stderr } = await runInProcess([
    ...['listen', '--url', 'http://127.0.0.1:9', '--forward-to', 'http://127.0.0.1:9/'],
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/start one with card-sandbox start/);
});

test('it ends when the sandbox stops', async () => {
  const sandbox = await startHere(['--freeze']);
  const { url } = sandbox.listening;
  const listening = launchHere(['listen', '--json', '--url', url, '--forward-to', 'http://127.0.0.1:9/']);
  await listening.printed(/^.*\n/);
  await sandbox.ask('POST', '/_sandbox/stop', {});
  await listening.complained(/^the sandbox at \S+ has stopped\n/m);
  expect(await listening.stop()).toBe(0);
});

test('it ends when its world ends, and does not say that the sandbox has stopped', async () => {
  const { url, ask } = await serveHere(['--freeze']);
  await ask('POST', '/_sandbox/worlds', { id: 'blue' });
  const listening = launchHere([
    ...['listen', '--json', '--url', url, '--world', 'blue', '--forward-to', 'http://127.0.0.1:9/'],
  ]);
  await listening.printed(/^.*\n/);
  await ask('DELETE', '/_sandbox/worlds/blue');
  await listening.complained(/^the world blue has ended, or the sandbox at \S+ has stopped\n/m);
  expect(await listening.stop()).toBe(0);
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
  const listening = launchHere(['listen', '--url', sandbox.url, '--forward-to', app.url]);
  await listening.complained(/showing the webhooks that http:\S+ sends to http:\S+\/hook\n/);
  await sandbox.ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await listening.printed(/^card\.issued evt_\w+ -> 204\n {2}\{\n/m);
});
