import { expect, test } from 'vitest';
import { bypassProxyForLoopback, proxyNote } from '../../../src/cli/connection/proxy.ts';
import { runInProcess } from '../../support/cli-in-process.ts';

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

test('the note names the proxy and its variable, and no password', () => {
  expect(proxyNote(PROXY, [])).toBe(
    'requests go through the proxy http://proxy.test:3128 of HTTP_PROXY; if it cannot reach the sandbox, add the host to NO_PROXY',
  );
  expect(proxyNote({ HTTP_PROXY: PROXY.HTTP_PROXY }, [])).toBe(null);
});

test('a call that fails names the proxy, unless the address is on this machine', async () => {
  const at = (url: string) => runInProcess(['clock', 'now', '--url', url], PROXY);
  expect((await at('http://sandbox.invalid:4242')).stderr).toContain(
    'through the proxy http://proxy.test:3128 of HTTP_PROXY',
  );
  expect((await at('http://127.0.0.1:1')).stderr).not.toContain('proxy');
});
