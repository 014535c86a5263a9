import { expect, test } from 'vitest';
import { bypassProxyForLoopback } from '../../../src/cli/connection/proxy.ts';

const PROXY = { HTTP_PROXY: 'http://user:secret@proxy.test:3128', NODE_USE_ENV_PROXY: '1' };

function bypassed(environment: Record<string, string>, flags: readonly string[] = []) {
  const changed: Record<string, string | undefined> = { ...environment };
  bypassProxyForLoopback(changed, flags);
  return [changed.NO_PROXY, changed.no_proxy];
}

test('loopback bypasses a proxy that Node.js uses, besides the hosts that bypass it already', () => {
  const loopback = 'localhost,127.0.0.1,[::1]';
  expect(bypassed(PROXY)).toEqual([loopback, loopback]);
  expect(bypassed({ ...PROXY, NO_PROXY: 'a.test' })).toEqual([`a.test,${loopback}`, `a.test,${loopback}`]);
  expect(bypassed({ NODE_OPTIONS: '--no-warnings --use-env-proxy' })).toEqual([loopback, loopback]);
  expect(bypassed({}, ['--use-env-proxy'])).toEqual([loopback, loopback]);
});

test('the environment stays as it is when Node.js uses no proxy, or when everything bypasses it', () => {
  expect(bypassed({ HTTP_PROXY: PROXY.HTTP_PROXY })).toEqual([undefined, undefined]);
  expect(bypassed({ ...PROXY, NO_PROXY: '*' })).toEqual(['*', undefined]);
});
