import { expect, test } from 'vitest';
import { spawnArguments } from '../../../../src/cli/commands/exec/spawn-arguments.ts';

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
