import { expect, test } from 'vitest';
import { compareDigests, readManifest, writeManifest } from '../../../src/tools/evidence/manifest.ts';

const [A, B, C] = ['a', 'b', 'c'].map(digit => digit.repeat(64)) as [string, string, string];

/** The error about a manifest. */
function problemOf(text: string): string {
  try {
    readManifest(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'none';
}

test('a manifest has the lines of sha256sum, sorted by path, and is read as it is written', () => {
  const digests = new Map([
    ['runs/b/1-main/start.json', B],
    ['evidence.json', A],
    ['runs/a+b#1/x.yaml', C],
  ]);
  const text = writeManifest(digests);
  expect(text).toBe(`${A}  evidence.json\n${C}  runs/a+b#1/x.yaml\n${B}  runs/b/1-main/start.json\n`);
  expect(new Map(readManifest(text))).toEqual(digests);
});

test('a manifest that sha256sum has written in binary mode, or without a line break at the end, is read too', () => {
  expect([...readManifest(`${A} *report.html`)]).toEqual([['report.html', A]]);
});

test.each<[what: string, line: string, problem: string]>([
  ['no digest', 'evidence.json', 'is not a line of sha256sum'],
  ['a short digest', `${A.slice(1)}  evidence.json`, 'is not a line of sha256sum'],
  ['a long digest', `a${A}  evidence.json`, 'is not a line of sha256sum'],
  ['a digest in upper case', `${A.toUpperCase()}  evidence.json`, 'is not a line of sha256sum'],
  ['one space', `${A} evidence.json`, 'is not a line of sha256sum'],
  ['no path', `${A}  `, 'is not a line of sha256sum'],
  ['an empty line', '', 'is not a line of sha256sum'],
  ['a path to a parent', `${A}  ../x`, '"../x" is not a path in the folder'],
  ['a path through a parent', `${A}  runs/../x`, '"runs/../x" is not a path in the folder'],
  ['an absolute path', `${A}  /etc/passwd`, '"/etc/passwd" is not a path in the folder'],
  ['a folder', `${A}  runs/`, '"runs/" is not a path in the folder'],
  ['a hidden file', `${A}  .profile`, '".profile" is not a path in the folder'],
  ['a space in the path', `${A}  a b`, '"a b" is not a path in the folder'],
  ['a quote in the path', `${A}  a"b`, '"a\\"b" is not a path in the folder'],
  ['a path twice', `${B}  first.json`, 'first.json is listed twice'],
])('a line with %s is refused with its number', (_, line, problem) => {
  expect(problemOf(`${A}  first.json\n${line}\n`)).toBe(
    `MANIFEST:2: ${problem}; evidence writes no such line`,
  );
});

test('each file that differs from the manifest is one line, sorted by path', () => {
  const listed = new Map([
    ['same.json', A],
    ['removed.json', B],
    ['changed.json', C],
  ]);
  const found = new Map([
    ['changed.json', A],
    ['added.json', B],
    ['same.json', A],
  ]);
  expect(compareDigests(listed, found)).toEqual([
    'added.json: is not in MANIFEST',
    'changed.json: has been changed since MANIFEST was written',
    'removed.json: is missing, and MANIFEST lists it',
  ]);
  expect(compareDigests(found, found)).toEqual([]);
});
