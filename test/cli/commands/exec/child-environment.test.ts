import { expect, test } from 'vitest';
import { childEnvironment } from '../../../../src/cli/commands/exec/child-environment.ts';

const URL = 'http://127.0.0.1:4242';

function proxies(inherited: Record<string, string>, url = URL) {
  const { NO_PROXY, no_proxy } = childEnvironment(inherited, { CARD_SANDBOX_URL: url });
  return [NO_PROXY, no_proxy];
}

test('the host of the sandbox is added to NO_PROXY and no_proxy, which keep what they list', () => {
  expect(proxies({})).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(proxies({ NO_PROXY: 'a.test, b.test' })).toEqual([
    'a.test,b.test,127.0.0.1',
    'a.test,b.test,127.0.0.1',
  ]);
  expect(proxies({ NO_PROXY: 'a.test', no_proxy: 'b.test' })).toEqual([
    'a.test,127.0.0.1',
    'b.test,127.0.0.1',
  ]);
});

test('a host that is listed already is not added again, and * stays alone', () => {
  expect(proxies({ NO_PROXY: '127.0.0.1' })).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(proxies({ no_proxy: '*' })).toEqual(['*', '*']);
});

test('an IPv6 address is added with and without brackets', () => {
  expect(proxies({}, 'http://[::1]:4242')).toEqual(['::1,[::1]', '::1,[::1]']);
});
