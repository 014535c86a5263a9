import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli-process.ts';
import { temporaryFile } from './support/temporary-file.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const DIST = join(import.meta.dirname, '../../dist');
const LOADER = join(DIST, 'cli/code-cache.cjs');

/** Writes a program of the files, loaded from `code` with a cache in `code/cache`, and returns how to use it. */
async function programOf(files: Readonly<Record<string, string>>) {
  const start = await temporaryFile('start.cjs');
  const code = join(dirname(start), 'code');
  const cache = join(code, 'cache');
  await mkdir(code);
  const [main, folder] = [join(code, 'main.cjs'), cache].map(path => JSON.stringify(path));
  await writeFile(
    start,
    `require(${JSON.stringify(LOADER)}).loadWithCache(${main}, ${folder}, process.argv[2]);`,
  );
  const write = (name: string, text: string) => writeFile(join(code, name), text);
  const writeUnseen = async (name: string, text: string) => {
    await write(name, text);
    await utimes(join(code, name), LONG_AGO, LONG_AGO);
  };
  for (const [name, text] of Object.entries(files)) await writeUnseen(name, text);
  return {
    write,
    /** Writes a file without a new time, as a package manager does. */
    writeUnseen,
    /** Runs the program and resolves with its output, also when it fails. */
    async run(command = 'start', variables: Readonly<Record<string, string>> = {}) {
      const env = { ...process.env, NODE_V8_COVERAGE: undefined, ...variables };
      const running = promisify(execFile)(process.execPath, [start, command], { env });
      const { stdout, stderr } = await running.catch(error => error);
      return stdout === '' ? stderr : stdout.trimEnd();
    },
    cached: () => readdir(cache).catch(() => []),
    cacheFile: (name: string) => join(cache, name),
    /** What tells one saved cache from another: each is a new file. */
    async saved(group = 'start') {
      const { ino, size, mtimeMs } = await stat(join(cache, `${group}-${OF_NODE}`));
      return { ino, size, mtimeMs };
    },
  };
}

const OF_NODE = `${process.version}-${process.arch}`;
const SAYS = (word: string) => `const say = () => console.log('${word}');\nsay();\n`;

test('a start leaves what it has compiled for the next, which has nothing to add', async () => {
  const program = await programOf({ 'main.cjs': `require('./say.cjs');`, 'say.cjs': SAYS('one') });
  expect(await program.run()).toBe('one');
  expect(await program.cached()).toEqual([`start-${OF_NODE}`]);
  const first = await program.saved();
  expect(await program.run()).toBe('one');
  expect(await program.saved()).toEqual(first);
});

test('all other commands share a cache, to which each adds its files', async () => {
  const program = await programOf({
    'main.cjs': "require('./' + process.argv[2] + '.cjs');",
    'wait.cjs': SAYS('wait'),
    'stop.cjs': SAYS('stop'),
    'start.cjs': SAYS('start'),
  });
  for (const command of ['start', 'wait', 'stop']) expect(await program.run(command)).toBe(command);
  expect(await program.cached()).toEqual([`others-${OF_NODE}`, `start-${OF_NODE}`]);
  const both = await program.saved('others');
  expect([await program.run('wait'), await program.run('stop')]).toEqual(['wait', 'stop']);
  expect(await program.saved('others')).toEqual(both);
});

test('a file that has changed is compiled again, also with the same length and time', async () => {
  const program = await programOf({ 'main.cjs': `require('./say.cjs');`, 'say.cjs': SAYS('one') });
  const before = await program.run();
  await program.writeUnseen('say.cjs', SAYS('two'));
  expect([before, await program.run(), await program.run()]).toEqual(['one', 'two', 'two']);
});

test('a cache that is damaged or of another V8 is replaced', async () => {
  const program = await programOf({ 'main.cjs': SAYS('one') });
  await program.run();
  const file = program.cacheFile(`start-${OF_NODE}`);
  const whole = await readFile(file);
  const start = whole.indexOf(10) + 1;
  const foreign = Buffer.concat([whole.subarray(0, start), Buffer.alloc(whole.length - start, 1)]);
  for (const damaged of [Buffer.from(''), whole.subarray(0, start), whole.subarray(0, -100), foreign]) {
    await writeFile(file, damaged);
    expect(await program.run()).toBe('one');
    expect(await readFile(file)).toHaveLength(whole.length);
  }
});

test('a run that fails leaves no cache', async () => {
  const program = await programOf({ 'main.cjs': 'process.exit(1);' });
  await program.run();
  expect(await program.cached()).toEqual([]);
});

test('a run that goes on saves its cache after two seconds', async () => {
  const program = await programOf({
    'main.cjs': `
      const { existsSync } = require('node:fs');
      const cache = require('node:path').join(__dirname, 'cache/start-${OF_NODE}');
      setTimeout(() => process.exit(1), 20_000);
      setInterval(() => { if (existsSync(cache)) { console.log('saved'); process.exit(1); } }, 10);`,
  });
  expect(await program.run()).toBe('saved');
});

test.each([
  ['when the cache folder cannot be made', {}],
  ['when code coverage is measured', { NODE_V8_COVERAGE: '/dev/null/none' }],
  ['when compile caches are switched off', { NODE_DISABLE_COMPILE_CACHE: '1' }],
])('Node loads the files as usual %s', async (reason, variables) => {
  const program = await programOf({ 'main.cjs': SAYS('one') });
  const isBlocked = reason.includes('cannot be made');
  if (isBlocked) await program.write('cache', '');
  expect(await program.run('start', variables)).toBe('one');
  expect(await program.cached()).toEqual([]);
});

test('a file is loaded once, also by modules of the user, and circles end', async () => {
  const program = await programOf({
    'main.cjs': `
      exports.isMain = true;
      const own = require('./part.cjs');
      require('./import-url-1.cjs')('./user.mjs').then(({ part }) =>
        console.log(part === own, own.mainOf().isMain, require('node:path').sep));`,
    'part.cjs': `module.exports = { mainOf: () => require('./main.cjs') };`,
    'import-url-1.cjs': 'module.exports = url => import(url);',
    'user.mjs': `export { default as part } from './part.cjs';`,
  });
  for (const run of ['first', 'second'])
    expect([run, await program.run()]).toEqual([run, `true true ${sep}`]);
});

test('a file that could not be loaded is loaded by the next call', async () => {
  const program = await programOf({
    'main.cjs': `
      const { renameSync } = require('node:fs');
      const { join } = require('node:path');
      try {
        require('./part.cjs');
      } catch {
        renameSync(join(__dirname, 'later.cjs'), join(__dirname, 'needed.cjs'));
        console.log(require('./part.cjs').needed);
      }`,
    'part.cjs': `exports.needed = require('./needed.cjs');`,
    'later.cjs': `module.exports = 'loaded';`,
  });
  expect(await program.run()).toBe('loaded');
});

test('a stack trace has the place in the file', async () => {
  const program = await programOf({ 'main.cjs': `'use strict'; console.log(new Error('here').stack);` });
  for (const run of ['first', 'second']) {
    expect([run, await program.run()]).toEqual([run, expect.stringMatching(/code.main\.cjs:1:27\n/)]);
  }
});

test('the command uses a cache, and imports fixtures in code with it', async () => {
  const cache = join(DIST, 'code-cache', `others-${OF_NODE}`);
  await rm(cache, { force: true });
  const fixture = await temporaryFile('people.mjs');
  const index = pathToFileURL(join(DIST, 'index.js')).href;
  await writeFile(
    fixture,
    `import { defineFixture } from '${index}';\nexport default defineFixture(() => undefined);\n`,
  );
  for (const run of ['first', 'second']) {
    expect([run, await runCli(['fixtures', 'validate', 'empty', fixture])]).toMatchObject([run, { code: 0 }]);
    expect(await readFile(cache)).not.toHaveLength(0);
  }
});
