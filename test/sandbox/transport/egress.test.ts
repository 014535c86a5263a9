import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { networkInterfaces } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { destinationProblem } from '../../../src/sandbox/transport/egress.ts';
import { answerOf, post, receive, transportWith } from './receiver.ts';

/** The channel on which Node.js reports that it connects. */
const CONNECTS = 'net.client.socket';

const FLAG = 'destination not allowed: pass --egress any';
const never = (what: string) => `destination not allowed: ${what} are never allowed`;
const OWN = 'destination not allowed: it is the sandbox itself';

type Judgement = [address: string, withPrivate: string | null, withAny: string | null];
const ADDRESSES: Judgement[] = [
  ['127.0.0.1', null, null],
  ['127.255.255.254', null, null],
  ['::1', null, null],
  ['::ffff:127.0.0.1', null, null],
  ['::ffff:7f00:1', null, null],
  ['10.0.0.1', null, null],
  ['172.16.0.1', null, null],
  ['172.31.255.255', null, null],
  ['192.168.1.1', null, null],
  ['::ffff:192.168.1.1', null, null],
  ['fc00::1', null, null],
  ['fdff::1', null, null],
  ['9.255.255.255', FLAG, null],
  ['11.0.0.0', FLAG, null],
  ['128.0.0.1', FLAG, null],
  ['172.15.255.255', FLAG, null],
  ['172.32.0.0', FLAG, null],
  ['192.167.255.255', FLAG, null],
  ['192.169.0.0', FLAG, null],
  ['100.64.0.1', FLAG, null],
  ['8.8.8.8', FLAG, null],
  ['::ffff:8.8.8.8', FLAG, null],
  ['2001:db8::1', FLAG, null],
  ['64:ff9b::10.0.0.1', FLAG, null],
  ['fbff::1', FLAG, null],
  ['fe00::1', FLAG, null],
  ['169.254.0.0', never('link-local addresses'), never('link-local addresses')],
  ['169.254.169.254', never('link-local addresses'), never('link-local addresses')],
  ['::ffff:169.254.169.254', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b::169.254.169.254', never('link-local addresses'), never('link-local addresses')],
  ['fe80::1', never('link-local addresses'), never('link-local addresses')],
  ['febf::1', never('link-local addresses'), never('link-local addresses')],
  ['fe80::1%lo', never('link-local addresses'), never('link-local addresses')],
  ['224.0.0.1', never('multicast addresses'), never('multicast addresses')],
  ['239.255.255.255', never('multicast addresses'), never('multicast addresses')],
  ['ff02::1', never('multicast addresses'), never('multicast addresses')],
  ['255.255.255.255', never('broadcast addresses'), never('broadcast addresses')],
  ['0.0.0.0', never('unspecified addresses'), never('unspecified addresses')],
  ['0.1.2.3', never('unspecified addresses'), never('unspecified addresses')],
  ['::', never('unspecified addresses'), never('unspecified addresses')],
  ['fd00:ec2::254', never('metadata addresses'), never('metadata addresses')],
  ['fd00:0ec2:0:0:0:0:0:0254', never('metadata addresses'), never('metadata addresses')],
  ...[
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd20:00ce:0::0254',
    'fd00:c1::a9fe:a9fe',
    'fd00:c1::169.254.169.254',
    'fd00:42::42',
  ].map((address): Judgement => [address, never('metadata addresses'), never('metadata addresses')]),
  ['100.100.100.200', FLAG, null],
  ['::ffff:100.100.100.200', FLAG, null],
  ['::169.254.169.254', never('link-local addresses'), never('link-local addresses')],
  ['::a9fe:a9fe', never('link-local addresses'), never('link-local addresses')],
  ['2002:a9fe:a9fe::1', never('link-local addresses'), never('link-local addresses')],
  ['2002:a9fe:a9fe:ffff::', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b::a9fe:a9fe', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b:1::169.254.169.254', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b:1::a9fe:a9fe', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b:1:a9fe:a9:fe00::', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b:1:a9:fe:a9fe::', never('link-local addresses'), never('link-local addresses')],
  ['64:ff9b:1:ffff:a9:fea9:fe00:0', never('link-local addresses'), never('link-local addresses')],
  ['::ffff:0:a9fe:a9fe', never('link-local addresses'), never('link-local addresses')],
  ['2002:e000:1::', never('multicast addresses'), never('multicast addresses')],
  ['64:ff9b:1::224.0.0.1', never('multicast addresses'), never('multicast addresses')],
  ['::224.0.0.1', never('multicast addresses'), never('multicast addresses')],
  ['2002:ffff:ffff::', never('broadcast addresses'), never('broadcast addresses')],
  ['2002::1', never('unspecified addresses'), never('unspecified addresses')],
  ['64:ff9b::', never('unspecified addresses'), never('unspecified addresses')],
  ['64:ff9b:1::', never('unspecified addresses'), never('unspecified addresses')],
  ['::2', never('unspecified addresses'), never('unspecified addresses')],
  ['::ffff', never('unspecified addresses'), never('unspecified addresses')],
  ['::0.1.2.3', never('unspecified addresses'), never('unspecified addresses')],
  ['2002:808:808::', FLAG, null],
  ['64:ff9b::8.8.8.8', FLAG, null],
  ['::8.8.8.8', FLAG, null],
  ['2002:a00:1::', FLAG, null],
  ['64:ff9b:1::8.8.8.8', FLAG, null],
  ['64:ff9b:1:808:8:800::', FLAG, null],
  ['64:ff9b:1::0.1.2.3', never('unspecified addresses'), never('unspecified addresses')],
  ['2003:a9fe:a9fe::1', FLAG, null],
  ['64:ff9c::a9fe:a9fe', FLAG, null],
  ['fd00:ec2::253', null, null],
  ['::ffff:0.0.0.0', never('unspecified addresses'), never('unspecified addresses')],
];

test.each(ADDRESSES)('%s: %j, and with --egress any %j', (address, withPrivate, withAny) => {
  expect(destinationProblem(address, 80, 'private', null)).toBe(withPrivate);
  expect(destinationProblem(address, 80, 'any', null)).toBe(withAny);
});

const lan = Object.values(networkInterfaces())
  .flatMap(each => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const OWN_OR_NOT: [listensOn: string, address: string, isOwn: boolean][] = [
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '::ffff:127.0.0.1', true],
  ['127.0.0.1', '::1', true],
  ['127.0.0.1', '::127.0.0.1', true],
  ['127.0.0.1', '2002:7f00:1::', true],
  ['127.0.0.1', '64:ff9b::7f00:1', true],
  ['10.1.2.3', '64:ff9b:1::10.1.2.3', true],
  ['10.1.2.3', '2002:a01:204::', false],
  ['localhost', '::1', true],
  ['localhost', '127.0.0.1', true],
  ['localhost', '10.1.2.3', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
  ['10.1.2.3', '127.0.0.1', false],
  ['0.0.0.0', '127.0.0.1', true],
  ['::', '::1', true],
  ['0.0.0.0', '10.255.255.1', false],
  ['my-machine', '127.0.0.1', true],
];
if (lan !== undefined)
  OWN_OR_NOT.push(['0.0.0.0', lan, true], ['127.0.0.1', lan, false], ['localhost', lan, false]);

test.each(OWN_OR_NOT)('a sandbox that listens on %s: %s is itself: %j', (host, address, isOwn) => {
  for (const egress of ['private', 'any'] as const) {
    const problem = destinationProblem(address, 4242, egress, { host, port: 4242 });
    expect(problem === OWN).toBe(isOwn);
    expect(destinationProblem(address, 4243, egress, { host, port: 4242 })).not.toBe(OWN);
  }
});

test.each([
  ['http://0x7f.1', null],
  ['http://2130706433', null],
  ['http://017700000001', null],
  ['http://[::ffff:127.0.0.1]', null],
  ['http://[0:0:0:0:0:ffff:7f00:0001]', null],
  ['http://0xa9.0xfe.0xa9.0xfe', never('link-local addresses')],
  ['http://2852039166', never('link-local addresses')],
  ['http://0251.254.0xa9.254', never('link-local addresses')],
  ['http://169.254.43518', never('link-local addresses')],
  ['http://169.16689662', never('link-local addresses')],
  ['http://１６９.254.169.254', never('link-local addresses')],
  ['http://169。254。169。254', never('link-local addresses')],
  ['http://[2002:e000:1::1]', never('multicast addresses')],
  ['http://[::ffff:a9fe:a9fe]', never('link-local addresses')],
  ['http://[fd20:ce::254]', never('metadata addresses')],
  ['http://[fd00:42:0:0:0:0:0:42]', never('metadata addresses')],
  ['http://0144.0144.0144.0310', FLAG],
  ['http://0', never('unspecified addresses')],
  ['http://[::]', never('unspecified addresses')],
  ['http://134744072', FLAG],
])('however it is written, %s is judged by its address: %j', async (origin, cause) => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith({ egress: 'private' });
  const outcome = await post(transport, `${origin}:${receiver.port}/hook`);
  if (cause !== null) expect(outcome).toMatchObject({ status: null, body: null, cause });
  // IPv4 in IPv6 clothes reaches an IPv4 receiver where the machine can do that; it is never called a bad destination.
  else expect(outcome.cause ?? '').not.toMatch(/destination/);
  expect(receiver.accepted()).toBe(outcome.status === 200 ? 1 : 0);
});

test('the sandbox itself is refused even with --egress any', async () => {
  const { port, url, accepted } = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith({ egress: 'any', ownAddress: () => ({ host: '127.0.0.1', port }) });
  for (const each of [url, `http://localhost:${port}/`, `http://127.1:${port}/`]) {
    expect(await post(transport, each)).toMatchObject({ status: null, cause: OWN });
  }
  expect(accepted()).toBe(0);
});

const at = (...addresses: string[]) =>
  addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a host is checked by the addresses it resolves to at connect time', async () => {
  const receiver = await receive(socket =>
    socket.write(answerOf(200).replace('\r\n', '\r\nconnection: close\r\n')),
  );
  const answers = [at('127.0.0.1'), at('8.8.8.8'), at('169.254.169.254'), at('127.0.0.1')];
  const transport = transportWith({ resolve: async () => answers.shift() ?? [] });
  const causes: (string | null)[] = [];
  for (let count = 0; count < 5; count += 1) {
    causes.push((await post(transport, `http://rebound.test:${receiver.port}/`)).cause);
  }
  expect(causes).toEqual([null, FLAG, never('link-local addresses'), null, 'host not found: rebound.test']);
  expect(receiver.accepted()).toBe(2);
});

test('only the allowed addresses of a host are connected to', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith({ resolve: async () => at('169.254.1.1', '8.8.8.8', '127.0.0.1') });
  expect(await post(transport, `http://mixed.test:${receiver.port}/`)).toMatchObject({
    status: 200,
    cause: null,
  });
});

test('concurrent lookups of a host are shared, and a host that is not found is named', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  let asked = 0;
  let found = () => {};
  const transport = transportWith({
    resolve: hostname =>
      new Promise((resolve, reject) => {
        asked += 1;
        if (hostname !== 'slow.test') reject(new Error('no such host'));
        found = () => resolve(at('127.0.0.1'));
      }),
  });
  let connecting = 0;
  const count = () => (connecting += 1);
  subscribe(CONNECTS, count);
  onTestFinished(() => void unsubscribe(CONNECTS, count));
  const sends = Array.from({ length: 10 }, () => post(transport, `http://slow.test:${receiver.port}/`));
  await expect.poll(() => connecting).toBe(sends.length);
  // The last of them asks in the same turn.
  await setImmediate();
  expect(asked).toBe(1);
  found();
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  const lost = await post(transport, 'https://hooks.example.test/');
  expect(lost).toMatchObject({ status: null, cause: 'host not found: hooks.example.test' });
});

test('a host whose lookup hangs times out', async () => {
  const transport = transportWith({ timeoutMs: 300, resolve: () => new Promise(() => {}) });
  const outcome = await post(transport, 'http://lost.test/');
  expect(outcome).toMatchObject({ status: null, cause: 'timed out after 0.3 s' });
});

test('localhost resolves in both address families', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)), { host: '127.0.0.1' });
  const outcome = await post(transportWith(), `http://localhost:${receiver.port}/`);
  expect(outcome).toMatchObject({ status: 200, cause: null });
  const refused = await post(transportWith(), 'http://localhost:1/');
  expect(refused).toMatchObject({ status: null, cause: 'connection refused' });
});
