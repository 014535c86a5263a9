import { expect, test } from 'vitest';
import { createNameTranslator } from '../../src/core/values/names.ts';
import { createHostRule, SurfaceAddress } from '../../src/sandbox/surface-address.ts';

const SERVED = {
  origin: 'http://127.0.0.1:4242',
  host: '127.0.0.1',
  ownNames: ['host'],
  controlToken: 'secret',
};

test('the port of an address without one is that of http', () => {
  const listening = (origin: string) => {
    const address = new SurfaceAddress(null);
    address.set({ ...SERVED, origin });
    return address.listening;
  };
  expect(new SurfaceAddress(null).listening).toBeNull();
  expect(listening('http://127.0.0.1:4242')).toEqual({ host: '127.0.0.1', port: 4242 });
  expect(listening('http://127.0.0.1')).toEqual({ host: '127.0.0.1', port: 80 });
});

test('the control plane needs the token beyond loopback, or where it always does', () => {
  const needs = (change: Partial<typeof SERVED> & { requireToken?: boolean }) =>
    new SurfaceAddress(null).set({ ...SERVED, ...change });
  expect(needs({})).toBe(false);
  expect(needs({ host: 'localhost' })).toBe(false);
  expect(needs({ host: '0.0.0.0' })).toBe(true);
  expect(needs({ requireToken: true })).toBe(true);
});

test('with names, the header of a signature has both', () => {
  expect(new SurfaceAddress(null).accessGuard.signatureHeaders).toEqual(['x-service-signature']);
  const names = createNameTranslator({ service: 'acme' });
  expect(new SurfaceAddress(names).accessGuard.signatureHeaders).toEqual([
    'x-service-signature',
    'x-acme-signature',
  ]);
});

test('the refusal of a host names the flag that allows it, with the name where it is one', () => {
  const rule = createHostRule({ isLoopbackOnly: true, allowed: ['a.test'], ownNames: [], map: () => [] });
  const hint = (host: string) => /--allow-host (\S+) /.exec(rule(host) ?? '')?.[1] ?? null;
  expect(rule('a.test:80')).toBeNull();
  expect(hint('b.test')).toBe('b.test');
  expect(hint('b.test:80')).toBe('b.test');
  expect(hint('[2001:db8::1]')).toBe('2001:db8::1');
  expect(hint('b.test/<script>')).toBe('NAME');
  expect(hint('')).toBe('NAME');
});

test('a request without a Host gets links to the address that is served', () => {
  const address = new SurfaceAddress(null);
  address.set(SERVED);
  expect(address.linkOrigin({ headers: {} })).toBe('http://127.0.0.1:4242');
  expect(address.linkOrigin({ headers: { host: '' } })).toBe('http://127.0.0.1:4242');
  expect(address.linkOrigin({ headers: { host: 'localhost:8080' } })).toBe('http://localhost:8080');
});
