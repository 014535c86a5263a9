import { expect, test } from 'vitest';
import { isAllowed } from '../../../src/core/access/authenticate.ts';
import { covers, isLoopback, parseRange, ranges } from '../../../src/core/access/ip-ranges.ts';
import { entryProblem } from '../../../src/core/access/settings-schema.ts';

test.each([
  ['10.0.0.1', { address: '10.0.0.1', family: 'ipv4', prefix: 32 }],
  ['10.0.0.0/8', { address: '10.0.0.0', family: 'ipv4', prefix: 8 }],
  ['0.0.0.0/0', { address: '0.0.0.0', family: 'ipv4', prefix: 0 }],
  ['10.0.0.0/32', { address: '10.0.0.0', family: 'ipv4', prefix: 32 }],
  ['10.0.0.0/33', null],
  ['2001:db8::', { address: '2001:db8::', family: 'ipv6', prefix: 128 }],
  ['2001:db8::/128', { address: '2001:db8::', family: 'ipv6', prefix: 128 }],
  ['2001:db8::/129', null],
  ['fe80::1%eth0', null],
  ['10.0.0.0/', null],
  ['10.0.0.0/x8', null],
  ['10.0.0.0/8x', null],
  ['10.0.0.0/0008', null],
  ['10.0.0.0/8/8', null],
  ['10.0.0', null],
  ['', null],
])('%j as a range is %j', (entry, range) => expect(parseRange(entry)).toEqual(range));

test('a list covers the addresses in its ranges, IPv4-mapped ones too, and no other text', () => {
  const list = ranges(['10.0.0.0/8', '2001:db8::/32', 'nowhere']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1'])
    expect(covers(list, address)).toBe(true);
  for (const address of ['11.0.0.1', '2001:db9::1', '', 'nowhere', '10.1.2']) {
    expect(covers(list, address)).toBe(false);
  }
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual(Array(4).fill(true));
  expect(['128.0.0.1', '::2', ''].map(isLoopback)).toEqual(Array(3).fill(false));
});

test.each([
  ['localhost', null],
  ['127.0.0.1', null],
  ['127.0.0.0/8', null],
  ['::1', null],
  ['::1/128', null],
  ['8.8.8.8', null],
  ['8.8.8.0/24', null],
  ['2001:4860::/32', null],
  ['10.1.2.3', 'must be public or loopback; it overlaps 10.0.0.0/8, which is private'],
  ['192.168.0.0/16', expect.stringContaining('overlaps 192.168.0.0/16')],
  ['169.254.1.1', expect.stringContaining('overlaps 169.254.0.0/16, which is link-local')],
  ['100.64.0.1', expect.stringContaining('overlaps 100.64.0.0/10, which is shared')],
  ['240.0.0.1', expect.stringContaining('overlaps 240.0.0.0/4, which is reserved')],
  ['0.0.0.0/0', expect.stringContaining('must be public or loopback')],
  ['127.0.0.1/0', expect.stringContaining('must be public or loopback')],
  ['::1/0', expect.stringContaining('must be public or loopback')],
  ['::/0', expect.stringContaining('must be public or loopback')],
  ['64:ff9b::a00:1', expect.stringContaining('overlaps 10.0.0.0/8')],
  ['2002:c0a8:1::/48', expect.stringContaining('overlaps 192.168.0.0/16')],
  ['::10.0.0.1', expect.stringContaining('overlaps 10.0.0.0/8')],
  ['64:ff9b::808:808', null],
  ['1.2.3.4/08', 'must be an IP address, a CIDR range or localhost'],
  ['nowhere', 'must be an IP address, a CIDR range or localhost'],
])('an allow-list entry of %j: %j', (entry, problem) => expect(entryProblem(entry)).toEqual(problem));

test('an empty list admits every address, any other only its entries', () => {
  expect(isAllowed([], 'anything')).toBe(true);
  const list = ['localhost', '8.8.8.0/24'];
  for (let round = 0; round < 2; round++) {
    expect(['127.0.0.1', '::1', '8.8.8.9'].map(address => isAllowed(list, address))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['8.8.9.8', 'anything'].map(address => isAllowed(list, address))).toEqual([false, false]);
  }
});
