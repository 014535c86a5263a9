import { expect, test } from 'vitest';
import { childEnvironment, spawnArguments } from '../../../../src/cli/commands/exec/run-child.ts';

test.each(['linux', 'darwin'] as const)(
  'on %s a command is started with its arguments as they are',
  platform => {
    expect(spawnArguments(['npm', 'test', '--', 'a "b" & c'], platform)).toEqual({
      file: 'npm',
      args: ['test', '--', 'a "b" & c'],
      shell: false,
    });
  },
);

test.each(['npm', 'npm.cmd', 'node.exe', 'run.bat'])('on Windows cmd.exe runs %s', name => {
  expect(spawnArguments([name, 'test'], 'win32')).toEqual({
    file: `${name} ^"test^"`,
    args: [],
    shell: true,
  });
});

test.each([
  ['a b', '^"a^ b^"'],
  ['', '^"^"'],
  ['%PATH%', '^"^%PATH^%^"'],
  ['a & del b | c > d', '^"a^ ^&^ del^ b^ ^|^ c^ ^>^ d^"'],
  ['say "hi"', '^"say^ \\^"hi\\^"^"'],
  ['C:\\folder\\', '^"C:\\folder\\\\^"'],
  ['a\\"b', '^"a\\\\\\^"b^"'],
])('on Windows the argument %s arrives unchanged', (argument, quoted) => {
  expect(spawnArguments(['npm', argument], 'win32').file).toBe(`npm ${quoted}`);
});

test('on Windows the path of a script may have spaces and slashes', () => {
  expect(spawnArguments(['./my tools/run.cmd'], 'win32').file).toBe('.\\my^ tools\\run.cmd');
});

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
