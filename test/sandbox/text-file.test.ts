import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTextFile } from '../../src/sandbox/text-file.ts';
import { runInProcess as run } from '../support/cli-in-process.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'card-sandbox-files-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const FIXTURE = '{"partners": [{"id": "p", "apiKey": "sk_test_p", "name": "Zoë"}]}';

/** The contents of a file that is no text in UTF-8, with what is said about each. */
const ENCODINGS: readonly [what: string, content: Buffer, message: string][] = [
  [
    'UTF-16 with its mark',
    Buffer.from(`\uFEFF${FIXTURE}`, 'utf16le'),
    'is encoded as UTF-16; save it as UTF-8',
  ],
  ['UTF-16 without a mark', Buffer.from(FIXTURE, 'utf16le'), 'is encoded as UTF-16; save it as UTF-8'],
  [
    'big-endian UTF-16',
    Buffer.from(`\uFEFF${FIXTURE}`, 'utf16le').swap16(),
    'is encoded as UTF-16; save it as UTF-8',
  ],
  [
    'Latin-1',
    Buffer.from('{"partners": [\n  {"name": "Zoë"}]}', 'latin1'),
    'is not UTF-8 at line 2, column 15 (byte 0xeb); save it as UTF-8',
  ],
  [
    'cut within a character',
    Buffer.from('é\né').subarray(0, 4),
    'is not UTF-8 at line 2, column 1 (byte 0xc3); save it as UTF-8',
  ],
];

test.each(ENCODINGS)('a file in %s is refused with what to do', (_, content, message) => {
  const file = join(folder(), 'file.json');
  writeFileSync(file, content);
  expect(() => readTextFile(file)).toThrow(message);
});

test('a byte order mark is no part of the text', () => {
  const file = join(folder(), 'file.json');
  writeFileSync(file, `\uFEFF${FIXTURE}`);
  expect(readTextFile(file)).toBe(FIXTURE);
});

test('a file that is larger than the limit is refused before it is read', () => {
  const file = join(folder(), 'file.json');
  writeFileSync(file, '');
  truncateSync(file, 65 * 1024 * 1024);
  expect(() => readTextFile(file)).toThrow('is larger than 64 MiB, which is the limit');
});

/** Creates what is not a regular file at a path. */
const IRREGULAR: readonly [what: string, create: (path: string) => unknown][] = [
  ['a pipe', path => execFileSync('mkfifo', [path])],
  ['a folder', path => mkdirSync(path)],
  ['a link to a device', path => execFileSync('ln', ['-s', '/dev/zero', path])],
  [
    'a socket',
    async path => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    },
  ],
];

/** Commands that read a file, each with `FILE` in the place of its path. */
const COMMANDS: readonly (readonly string[])[] = [
  ['start', '--port', '0', '--fixtures', 'FILE'],
  ['start', '--port', '0', '--config', 'FILE'],
  ['start', '--port', '0', '--state', 'FILE'],
  ['start', '--port', '0', '--webhook-ca', 'FILE'],
  ['start', '--port', '0', '--scenarios', 'FILE'],
  ['start', '--port', '0', '--handlers', 'FILE'],
  ['exec', '--fixtures', 'FILE', '--', 'true'],
  ['fixtures', 'validate', 'FILE'],
  ['run', 'FILE', '--base-url', 'http://127.0.0.1:9/v1', '--api-key', 'sk_test_x'],
  ['demo', 'FILE'],
  ['state', 'load', 'FILE'],
  ['share-tokens', 'add', '--body', '@FILE'],
  ['worlds', 'add', '--state', 'FILE'],
  ['doctor', 'webhook', 'http://127.0.0.1:9/', '--secret', 'a-secret-of-some-length', '--webhook-ca', 'FILE'],
];

test.each(IRREGULAR)('every command refuses %s in the place of a file, and ends', async (what, create) => {
  const path = join(folder(), 'input.json');
  await create(path);
  for (const words of COMMANDS) {
    // A folder can hold records.
    if (words[0] === 'run' && what === 'a folder') continue;
    const result = await run(words.map(word => word.replace('FILE', path)));
    expect([words, result.code, result.stderr]).toEqual([
      words,
      expect.toSatisfy(code => code === 1 || code === 2),
      expect.stringMatching(/is not a regular file|is a folder/),
    ]);
  }
});

test('a configuration file in the working folder that is a pipe is refused, too', async () => {
  const path = folder();
  execFileSync('mkfifo', [join(path, 'card-sandbox.config.yaml')]);
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => process.chdir(before));
  const { code, stderr } = await run(['exec', '--', 'true']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not a regular file') });
});
