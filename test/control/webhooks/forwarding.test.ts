import { expect, test } from 'vitest';
import { answerOf, receive } from '../../sandbox/transport/receiver.ts';
import { responseTo } from '../../server/http/raw.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const receiver = () => receive(socket => socket.write(answerOf(200)));

/** The URL of the only attempt of the newest delivery, once a cardholder has been created. */
async function destination(sandbox: TestSandbox): Promise<string | null> {
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const { body } = await sandbox.control('GET', '/deliveries?limit=1');
  return body[0].attempts[0].url;
}

test('forwarding that is set while the sandbox runs sends the first webhook of a partner, signed', async () => {
  const { url, requests } = await receiver();
  const sandbox = await startSandbox();
  expect((await sandbox.control('GET', '/forwarding')).body).toEqual({
    url: null,
    map: {},
    allowHttp: false,
  });
  const { status, body } = await sandbox.control('PUT', '/forwarding', { url });
  expect(status).toBe(200);
  expect(body).toEqual({
    url,
    map: {},
    allowHttp: false,
    webhookSecrets: { partner_acme: expect.any(String), partner_globex: expect.any(String) },
  });
  expect((await sandbox.control('GET', '/forwarding')).body).toEqual(body);
  expect(await destination(sandbox)).toBe(url);
  const [head = '', sent = ''] = requests[0]?.split('\r\n\r\n') ?? [];
  const signature = /^x-service-signature: (.*)$/im.exec(head)?.[1]?.trim() ?? '';
  const webhook = { url, headers: { 'X-Service-Signature': signature }, body: sent };
  expect(isSigned(webhook, body.webhookSecrets.partner_acme)).toBe(true);
});

test('a mapping and http:// URLs can be set, and what is left out is as the sandbox was started', async () => {
  const { port } = await receiver();
  const map = { [new URL(HOOKS).origin]: `http://127.0.0.1:${port}` };
  const started = { 'https://a.test': 'http://127.0.0.1:9' };
  const sandbox = await startSandbox({ map: ['https://a.test=http://127.0.0.1:9'] });
  await subscribe(sandbox);
  expect((await sandbox.control('PUT', '/forwarding', { allowHttp: true })).body).toMatchObject({
    url: null,
    map: started,
    allowHttp: true,
  });
  const webhookUrl = `http://127.0.0.1:${port}/own`;
  expect((await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl })).status).toBe(200);
  expect((await sandbox.control('PUT', '/forwarding', { map })).body).toMatchObject({
    map,
    allowHttp: false,
  });
  expect((await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl })).body.error).toMatch(
    /must use https:.*PUT \/_sandbox\/forwarding/,
  );
  await subscribe(sandbox);
  expect(await destination(sandbox)).toBe(`http://127.0.0.1:${port}/events`);
  expect((await sandbox.control('DELETE', '/forwarding')).status).toBe(204);
  expect((await sandbox.control('GET', '/forwarding')).body).toMatchObject({ map: started });
});

test('forwarding stays in force after a reset, a restore, a rewind and a loaded state', async () => {
  const { url } = await receiver();
  const sandbox = await startSandbox();
  const { body: state } = await sandbox.control('GET', '/state');
  await sandbox.control('POST', '/checkpoints/before');
  await sandbox.control('PUT', '/forwarding', { url, allowHttp: true });
  const changes = [
    ['POST', '/reset'],
    ['POST', '/checkpoints/before/restore'],
    ['POST', '/rewind', { steps: 1 }],
    ['PUT', '/state', state],
  ] as const;
  for (const [method, path, body] of changes) {
    expect((await sandbox.control(method, path, body)).status).toBeLessThan(300);
    expect((await sandbox.control('GET', '/forwarding')).body).toMatchObject({ url, allowHttp: true });
  }
  expect(await destination(sandbox)).toBe(url);
});

test('a url of null forwards nothing in a sandbox that was started with forwarding', async () => {
  const { url } = await receiver();
  const sandbox = await startSandbox({ forwardTo: url });
  expect((await sandbox.control('PUT', '/forwarding', { url: null })).body).toEqual({
    url: null,
    map: {},
    allowHttp: false,
  });
  expect((await sandbox.api('GET', '/partner/webhooks/config')).body.webhookUrl).toBeNull();
  await sandbox.control('DELETE', '/forwarding');
  expect(await destination(sandbox)).toBe(url);
});

test.each([
  [{ url: 'not a url' }, /^body\.url: must be .* such as http:/],
  [{ url: 'http://user:word@127.0.0.1/' }, /^body\.url: must not hold a user name or password/],
  [{ map: { 'https://a.test': 'nowhere' } }, /^body\.map\["https:\/\/a\.test"\]: must map one .* such as/],
  [{ map: { 'https://a.test?q=1': 'http://127.0.0.1' } }, /^body\.map\[.* without user name, query/],
  [{ allowHttp: 'yes' }, /^body\.allowHttp: /],
  [{ ulr: 'http://127.0.0.1' }, /^body\.ulr: .*url/],
  [{ map: 'https://a.test=http://127.0.0.1' }, /^body\.map: /],
])('%j is refused with what is wrong and changes nothing', async (body, message) => {
  const sandbox = await startSandbox();
  const { body: before } = await sandbox.control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/' });
  const refused = await sandbox.control('PUT', '/forwarding', { allowHttp: true, ...body });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatch(message);
  expect((await sandbox.control('GET', '/forwarding')).body).toEqual(before);
});

test('each world has its own forwarding: a copy that of its source, any other that of the start', async () => {
  const sandbox = await startSandbox({ forwardTo: 'http://127.0.0.1:9/start' });
  await sandbox.control('PUT', '/forwarding', {
    url: 'http://127.0.0.1:9/main',
    map: { 'https://a.test': 'http://127.0.0.1:9' },
  });
  await sandbox.control('POST', '/worlds', { id: 'plain' });
  await sandbox.control('POST', '/worlds', { id: 'copy', from: 'main' });
  await sandbox.control('POST', '/worlds', {
    id: 'other',
    from: 'main',
    forwardTo: 'http://127.0.0.1:9/own',
  });
  const inForce = async (world: string) => (await sandbox.control('GET', `/worlds/${world}/forwarding`)).body;
  expect(await inForce('plain')).toMatchObject({ url: 'http://127.0.0.1:9/start', map: {} });
  const { map } = await inForce('main');
  expect(await inForce('copy')).toMatchObject({ url: 'http://127.0.0.1:9/main', map });
  expect((await inForce('other')).url).toBe('http://127.0.0.1:9/own');
  await sandbox.control('PUT', '/worlds/plain/forwarding', { url: null });
  expect((await inForce('main')).url).toBe('http://127.0.0.1:9/main');
  await sandbox.control('DELETE', '/worlds/copy/forwarding');
  expect((await inForce('copy')).url).toBe('http://127.0.0.1:9/main');
});

test('the hosts of the mappings in force are names of the sandbox', async () => {
  const sandbox = await startSandbox({ map: ['https://a.partner.test=http://127.0.0.1:9'] });
  const statusFor = async (host: string) => {
    const head = ['GET /openapi.json HTTP/1.1', `Host: ${host}`, 'Connection: close', '', ''];
    return (await responseTo(sandbox.origin, head.join('\r\n'))).status;
  };
  expect([await statusFor('a.partner.test'), await statusFor('b.partner.test')]).toEqual([200, 400]);
  await sandbox.control('PUT', '/forwarding', { map: { 'https://b.partner.test': 'http://127.0.0.1:9' } });
  expect([await statusFor('a.partner.test'), await statusFor('b.partner.test')]).toEqual([400, 200]);
});

test('a change of the forwarding is an entry of the history, a read is not', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('GET', '/forwarding');
  await sandbox.control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/' });
  await sandbox.control('DELETE', '/forwarding');
  const { body } = await sandbox.control('GET', '/history');
  expect(body.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)).toEqual([
    'DELETE /_sandbox/forwarding',
    'PUT /_sandbox/forwarding',
  ]);
});

test('a partner with a configuration keeps its secret, which the forwarding does not name', async () => {
  const sandbox = await startSandbox();
  await subscribe(sandbox);
  const { body } = await sandbox.control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/' });
  expect(Object.keys(body.webhookSecrets)).toEqual(['partner_globex']);
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test('a state with an http:// URL is loaded whether or not such URLs are allowed', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('PUT', '/forwarding', { allowHttp: true });
  await subscribe(sandbox);
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: 'http://127.0.0.1:9/own' });
  const { body: state } = await sandbox.control('GET', '/state');
  expect((await sandbox.control('PUT', '/state', state)).status).toBe(204);
  await sandbox.control('DELETE', '/forwarding');
  expect((await sandbox.control('PUT', '/state', state)).status).toBe(204);
});
