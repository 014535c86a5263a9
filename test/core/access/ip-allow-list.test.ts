import { expect, test } from 'vitest';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const SETTINGS = '/partners/partner_acme/settings';

const allow = ({ control }: TestSandbox, ipAllowList: unknown) => control('PATCH', SETTINGS, { ipAllowList });

test('an empty allow-list admits every address, any other only its entries, from the next request on', async () => {
  const sandbox = await startSandbox();
  const { api, globex } = sandbox;
  const statusWith = async (...entries: string[]) => {
    expect((await allow(sandbox, entries)).body.ipAllowList).toEqual(entries);
    return (await api('GET', '/partner/cards')).status;
  };
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect(await statusWith('203.0.113.7')).toBe(401);
  expect(await statusWith('203.0.113.7', '127.0.0.1')).toBe(200);
  expect(await statusWith('127.0.0.2')).toBe(401);
  expect(await statusWith('127.0.0.0/30')).toBe(200);
  expect(await statusWith('127.0.0.4/30')).toBe(401);
  expect(await statusWith('localhost')).toBe(200);
  expect(await statusWith('::1')).toBe(401);
  expect((await globex('GET', '/partner/cards')).status).toBe(200);
  expect(await statusWith()).toBe(200);
});

test("a refusal names the caller's address and does not count against the rate limit", async () => {
  const sandbox = await startSandbox();
  await allow(sandbox, ['203.0.113.7']);
  const { status, body, headers } = await sandbox.api('GET', '/partner/cards');
  expect({ status, body }).toEqual({
    status: 401,
    body: { success: false, error: expect.stringContaining('127.0.0.1 is not on the allow-list') },
  });
  expect(headers.get('x-ratelimit-limit')).toBeNull();
  await allow(sandbox, []);
  const { headers: after } = await sandbox.api('GET', '/partner/cards');
  expect(after.get('x-ratelimit-remaining')).toBe('999');
  const { body: journal } = await sandbox.control('GET', '/requests?status=401');
  expect(journal[0].rule).toMatchObject({ fidelity: 'assumed', id: 'allow-list-status' });
});

test.each([
  '10.1.2.3',
  '10.0.0.0/8',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  'fc00::1',
  'fd12:3456::/32',
  'fe80::1',
  '::ffff:10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '100.64.0.0/10',
  '224.0.0.1',
  '239.255.255.255',
  'ff02::1',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '240.0.0.1',
  '255.255.255.255',
  '96.0.0.0/4',
  '192.0.0.0/3',
  'fd00:ec2::254',
  '0.0.0.0/0',
  '::/0',
  '8.0.0.0/5',
  '127.0.0.0/1',
  '127.0.0.1/0',
  '::1/0',
  '1.2.3.4/33',
  '2001:db8::/129',
  '1.2.3.4/-1',
  '1.2.3.4/',
  '1.2.3.4/8/8',
  '1.2.3.4/08',
  '1.2.3.4/x8',
  '1.2.3.4/8x',
  '64:ff9b::a00:1',
  '2002:c0a8:1::/48',
  '::10.0.0.1',
  '1.2.3.256',
  '1.2.3',
  '01.2.3.4',
  'fe80::1%eth0',
  '2001:4860::1%eth0',
  'LOCALHOST.',
  'example.com',
  ' 8.8.8.8',
  '',
])('the entry %j is refused, and the settings stay as they were', async entry => {
  const sandbox = await startSandbox();
  await allow(sandbox, ['localhost']);
  const { status, body } = await allow(sandbox, ['8.8.8.8', entry]);
  expect({ status, body }).toEqual({
    status: 400,
    body: { success: false, error: expect.stringMatching(/^body\.ipAllowList\.1: must be /) },
  });
  expect((await sandbox.control('GET', SETTINGS)).body.ipAllowList).toEqual(['localhost']);
});

test.each([
  ['10.1.2.3', 'must be public or loopback; it overlaps 10.0.0.0/8, which is private'],
  ['240.0.0.1', 'must be public or loopback; it overlaps 240.0.0.0/4, which is reserved'],
  ['nowhere', 'must be an IP address, a CIDR range or localhost'],
])('the refusal of %j says why', async (entry, rule) => {
  const { body } = await allow(await startSandbox(), [entry]);
  expect(body.error).toBe(`body.ipAllowList.0: ${rule}`);
});

test('public, documentation and loopback entries are accepted, up to the edges of the refused ranges', async () => {
  const sandbox = await startSandbox();
  const entries = [
    '8.8.8.8',
    '64:ff9b::808:808',
    '9.255.255.255',
    '11.0.0.0/8',
    '172.15.255.255',
    '172.32.0.0/11',
    '192.167.255.255',
    '192.169.0.0/16',
    '100.63.255.255',
    '100.128.0.0/9',
    '223.255.255.255',
    '1.0.0.0/8',
    '192.0.2.0/24',
    '198.51.100.7',
    '203.0.113.0/24',
    '2001:db8::/32',
    '2001:db8::7',
    '2001:4860:4860::8888',
    '2001:4860::/32',
    '127.0.0.1',
    '127.0.0.0/8',
    '::1',
    '::1/128',
    'localhost',
  ];
  expect(await allow(sandbox, entries)).toMatchObject({ status: 200, body: { ipAllowList: entries } });
});

test('the last entry of X-Forwarded-For counts, and only if the sandbox trusts its proxy', async () => {
  const headers = { 'x-forwarded-for': '127.0.0.1, 198.51.100.1,203.0.113.9' };
  const trusting = await startSandbox({}, {}, { trustProxy: true });
  const plain = await startSandbox();
  for (const sandbox of [trusting, plain]) await allow(sandbox, ['203.0.113.9']);
  expect((await trusting.api('GET', '/partner/cards', undefined, headers)).status).toBe(200);
  expect((await trusting.api('GET', '/partner/cards')).status).toBe(401);
  expect((await plain.api('GET', '/partner/cards', undefined, headers)).status).toBe(401);
  for (const sandbox of [trusting, plain]) await allow(sandbox, ['localhost']);
  expect((await trusting.api('GET', '/partner/cards', undefined, headers)).status).toBe(401);
  expect((await plain.api('GET', '/partner/cards', undefined, headers)).status).toBe(200);
});

test.each(['unknown', '', ',', 'fe80::1%eth0', '::ffff:203.0.113.9', '203.0.113.9:1234', '\xff'])(
  'behind a trusted proxy the forwarded address %j is judged without harm',
  async forwarded => {
    const bugs: unknown[] = [];
    const sandbox = await startSandbox({}, { onBug: error => bugs.push(error) }, { trustProxy: true });
    await allow(sandbox, ['203.0.113.10']);
    const { status } = await sandbox.api('GET', '/partner/cards', undefined, {
      'x-forwarded-for': forwarded,
    });
    expect({ status, bugs }).toEqual({ status: 401, bugs: [] });
  },
);

test('a forwarded address may have a port, and an IPv6 address brackets', async () => {
  const sandbox = await startSandbox({}, {}, { trustProxy: true });
  await allow(sandbox, ['203.0.113.9', '2001:db8::1', 'localhost']);
  const statusOf = async (forwarded: string) =>
    (await sandbox.api('GET', '/partner/cards', undefined, { 'x-forwarded-for': forwarded })).status;
  for (const caller of [
    '203.0.113.9:1234',
    '[2001:db8::1]:443',
    '[2001:db8::1]',
    '2001:db8::1',
    '[::1]:443',
  ]) {
    expect({ caller, status: await statusOf(caller) }).toEqual({ caller, status: 200 });
  }
  expect(await statusOf('203.0.113.10:1234')).toBe(401);
});
