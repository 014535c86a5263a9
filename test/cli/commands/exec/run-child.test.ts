import { expect, test } from 'vitest';
import { childEnvironment, spawnArguments } from '../../../../src/cli/commands/exec/run-child.ts';

const windows = (...words: string[]) => spawnArguments(words, 'win32', { ComSpec: 'C:\\Windows\\cmd.exe' });

test.each(['linux', 'darwin'] as const)(
  'on %s a command is started with its arguments as they are',
  platform => {
    expect(spawnArguments(['npm', 'test', '--', 'a "b" & c'], platform, {})).toEqual({
      file: 'npm',
      args: ['test', '--', 'a "b" & c'],
      windowsVerbatimArguments: false,
    });
  },
);

test.each(['node.exe', 'C:\\Program Files\\nodejs\\NODE.EXE', 'more.com'])(
  'on Windows %s is started itself',
  name => {
    expect(windows(name, 'a b')).toEqual({ file: name, args: ['a b'], windowsVerbatimArguments: false });
  },
);

test.each(['npm', 'npm.cmd', 'npx.cmd', 'run.bat'])('on Windows cmd.exe runs %s', name => {
  expect(windows(name, 'test')).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', `"${name} ^"test^""`],
    windowsVerbatimArguments: true,
  });
});

test('on Windows cmd.exe is found without ComSpec', () => {
  expect(spawnArguments(['npm'], 'win32', {}).file).toBe('cmd.exe');
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
  expect(windows('npm', argument).args.at(-1)).toBe(`"npm ${quoted}"`);
});

test('on Windows the path of a script may have spaces and slashes', () => {
  expect(windows('./my tools/run.cmd').args.at(-1)).toBe('".\\my^ tools\\run.cmd"');
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
