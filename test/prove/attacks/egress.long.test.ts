import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { post, receive, transportWith } from '../../sandbox/transport/receiver.ts';
import { recordResult } from '../../support/proof/proof-size.ts';

/** Link-local metadata services and other addresses that no delivery may reach, in all forms. */
const FORBIDDEN_HOSTS = [
  '169.254.169.254',
  '2852039166',
  '0251.0376.0251.0376',
  '0xa9.0xfe.0xa9.0xfe',
  '0xa9fea9fe',
  '0251.254.0xa9.254',
  '169.254.43518',
  '169.16689662',
  '１６９.254.169.254',
  '169。254。169。254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2002:a9fe:a9fe::1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::169.254.169.254]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '0.0.0.0',
  '0',
  '[::]',
  '[::ffff:0.0.0.0]',
  '224.0.0.1',
  '[ff02::1]',
  '[2002:e000:1::1]',
];

test('SSRF: no form of a link-local, multicast or unspecified address is reached, even with --egress any', async context => {
  let attempts = 0;
  for (const host of FORBIDDEN_HOSTS) {
    for (const egress of ['private', 'any'] as const) {
      const outcome = await post(transportWith({ egress }), `http://${host}/latest/meta-data`);
      expect([host, egress, outcome]).toEqual([
        host,
        egress,
        expect.objectContaining({ status: null, cause: expect.stringMatching(/^destination not allowed: /) }),
      ]);
      attempts += 1;
    }
  }
  recordResult(context, `${FORBIDDEN_HOSTS.length} forms, ${attempts} attempts, all refused`);
});

test('SSRF: a DNS name that resolves to such an address, at once or at the second lookup, is not reached', async context => {
  const receiver = await receive(socket => socket.end());
  const addresses = FORBIDDEN_HOSTS.map(host => host.replace(/^\[|\]$/g, '')).filter(
    host => isIPv6(host) || (/^\d+\.\d+\.\d+\.\d+$/.test(host) && !/^0\d/.test(host)),
  );
  for (const address of addresses) {
    let lookups = 0;
    const transport = transportWith({
      egress: 'any',
      resolve: async () => {
        lookups += 1;
        return [{ address, family: isIPv6(address) ? 6 : 4 }];
      },
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await post(transport, `http://hooks.partner.test:${receiver.port}/`);
      expect([address, outcome]).toEqual([
        address,
        expect.objectContaining({ status: null, cause: expect.stringMatching(/^destination not allowed: /) }),
      ]);
    }
    expect(lookups).toBeGreaterThan(0);
  }
  expect(receiver.accepted()).toBe(0);
  recordResult(context, `${addresses.length} addresses behind a name, 0 connections`);
});
