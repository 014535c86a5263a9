import { expect, test } from 'vitest';
import { answerOf, receive } from '../../../sandbox/transport/receiver.ts';
import { runInProcess, serveHere } from '../../../support/cli-in-process.ts';

const URL_TO = 'http://127.0.0.1:9/webhooks';

test('forward sends webhooks to a URL, prints the secrets to verify with, and off goes back', async () => {
  const { url, ask } = await serveHere(['--map', 'https://a.test=http://127.0.0.1:9']);
  const forward = async (...args: string[]) => {
    const { code, stdout } = await runInProcess(['forward', ...args, '--url', url, '--json']);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const map = { 'https://a.test': 'http://127.0.0.1:9' };
  const { webhookSecrets, ...set } = await forward(URL_TO, '--allow-http-webhooks');
  expect(set).toEqual({ url: URL_TO, map, allowHttp: true });
  expect(webhookSecrets.partner_acme).toMatch(/^whsec_/);
  expect((await ask('GET', '/_sandbox/forwarding')).body).toMatchObject(set);
  expect(await forward()).toMatchObject(set);
  expect(await forward(URL_TO, '--map', 'https://b.test=http://127.0.0.1:9')).toMatchObject({
    map: { 'https://b.test': 'http://127.0.0.1:9' },
    allowHttp: false,
  });
  expect(await forward('off')).toMatchObject({ url: null, map, allowHttp: false });
});

test('forward changes the world that --world names', async () => {
  const { url, ask } = await serveHere();
  await ask('POST', '/_sandbox/worlds', { id: 'blue' });
  const { code, stdout } = await runInProcess(['forward', URL_TO, '--url', url, '--world', 'blue']);
  expect(code).toBe(0);
  expect(stdout).toContain(URL_TO);
  expect((await ask('GET', '/_sandbox/worlds/blue/forwarding')).body.url).toBe(URL_TO);
  expect((await ask('GET', '/_sandbox/forwarding')).body.url).toBeNull();
});

test.each([
  [['ftp://127.0.0.1'], 'It must be an absolute http:// or https:// URL, such as'],
  [[URL_TO, '--map', 'nothing'], 'It must be FROM=TO'],
  [['off', '--allow-http-webhooks'], 'off takes no --map'],
  [['off', '--map', 'https://a.test=http://127.0.0.1:9'], 'off takes no --map'],
])('forward %j is wrong usage', async (args, message) => {
  const { code, stderr } = await runInProcess(['forward', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('events redeliver sends a delivery once more', async () => {
  // A running clock would retry the delivery meanwhile.
  const { url, ask } = await serveHere(['--freeze']);
  await ask('PUT', '/_sandbox/forwarding', { url: URL_TO });
  const { body } = await ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await ask('POST', '/_sandbox/deliveries/settle');
  const { code, stdout } = await runInProcess(['events', 'redeliver', body.id, '--url', url, '--json']);
  // It was sent, and did not arrive.
  expect(code).toBe(1);
  expect(JSON.parse(stdout).attempts.at(-1)).toMatchObject({ redelivery: true, cause: 'connection refused' });
});

test('events redeliver prints each delivery with its result', async () => {
  const { url, ask } = await serveHere(['--freeze']);
  const receiver = await receive(socket => socket.write(answerOf(204)));
  const redeliver = (...args: string[]) => runInProcess(['events', 'redeliver', ...args, '--url', url]);
  await ask('PUT', '/_sandbox/forwarding', { url: URL_TO });
  const { body } = await ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await ask('POST', '/_sandbox/deliveries/settle');
  for (const [target, code, result] of [
    [receiver.url, 0, '204'],
    [URL_TO, 1, 'none connection refused'],
  ]) {
    await ask('PUT', '/_sandbox/forwarding', { url: target });
    expect(await redeliver(body.id)).toMatchObject({ code, stdout: `${body.id} card.issued ${result}\n` });
  }
  for (const filter of [
    ['--type', 'card.issued'],
    ['--status', 'failed'],
  ])
    expect(await redeliver(body.id, ...filter)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--type and --status are for --all'),
    });
});

test('events redeliver --print prints the member of each delivery', async () => {
  const { url, ask } = await serveHere(['--freeze']);
  await ask('PUT', '/_sandbox/forwarding', { url: URL_TO });
  const ids: string[] = [];
  for (const eventType of ['card.issued', 'balance.low'])
    ids.push((await ask('POST', '/_sandbox/events', { eventType })).body.id);
  await ask('POST', '/_sandbox/deliveries/settle');
  const { stdout } = await runInProcess(['events', 'redeliver', '--all', '--print', 'id', '--url', url]);
  expect(stdout.trim().split('\n')).toEqual(ids);
});
