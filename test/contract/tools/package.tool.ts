import { beforeAll, expect, test } from 'vitest';
import { compile, type Installed, install, linkPackages, ROOT, run } from '../../package/installed.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { CLI_PROGRAM, startProcess } from '../../support/cli-process.ts';
import { sample } from '../../support/proof/proof-size.ts';
import { NODES, nodeProgram, TOOLS } from './nodes.js';
import { tool } from './run.ts';

const OLDER_COMPILER = `${TOOLS}/node_modules/typescript/bin/tsc`;
const COMPILER = `${ROOT}/node_modules/typescript/bin/tsc`;
const NODE = { types: ['node'] };

let installed: Installed;
/** Compiled programs. */
let story: string;
let peers: string;

const atEnd = atFileEnd();
beforeAll(async () => {
  installed = await install(atEnd);
  linkPackages(installed, ['@types/node', 'undici-types', 'msw', 'vitest']);
  const kind = { module: 'nodenext', ...NODE };
  story = await compile(installed, 'story', COMPILER, kind);
  // The declarations of the peers may have errors.
  const lib = ['ES2022', 'DOM', 'ESNext.Disposable'];
  peers = await compile(installed, 'peers', COMPILER, { ...kind, lib, skipLibCheck: true });
});

test('publint reports nothing', async () => {
  const output = await tool('publint/src/cli.js', ['run', installed.packed.file, '--strict']);
  expect(output).toContain('All good!');
});

test('attw resolves the types of every entry point, by every kind of resolution', async () => {
  const args = [installed.packed.file, '--ignore-rules', 'no-resolution', '--format', 'json'];
  const { analysis, problems } = JSON.parse(await tool('@arethetypeswrong/cli/dist/index.js', args));
  expect(Object.keys(analysis.entrypoints)).toEqual([
    '.',
    './msw',
    './vitest',
    './schemas/*.json',
    './package.json',
  ]);
  // The last entry point cannot be required, but Vitest runs tests of CommonJS projects, which are compiled so.
  expect(problems).toEqual({});
});

const KINDS = [
  ['5.9', OLDER_COMPILER, { module: 'esnext', moduleResolution: 'node10', esModuleInterop: true }],
  ['5.9', OLDER_COMPILER, { module: 'node16' }],
  ['5.9', OLDER_COMPILER, { module: 'nodenext' }],
  ['5.9', OLDER_COMPILER, { module: 'esnext', moduleResolution: 'bundler' }],
  ['7', COMPILER, { module: 'node16' }],
  ['7', COMPILER, { module: 'nodenext' }],
  ['7', COMPILER, { module: 'esnext', moduleResolution: 'bundler' }],
] as const;

test.each(sample(KINDS, 2))(
  'TypeScript %s compiles a program under strict (%#)',
  async (_version, compiler, kind) => {
    await compile(installed, 'story', compiler, { ...kind, ...NODE });
  },
);

const REQUIRED = [
  ['5.9', OLDER_COMPILER, { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true }],
  ['5.9', OLDER_COMPILER, { module: 'node16' }],
  ['7', COMPILER, { module: 'nodenext' }],
] as const;

test.each(sample(REQUIRED, 1))(
  'TypeScript %s compiles a CommonJS program, which runs (%#)',
  async (_version, compiler, kind) => {
    const options = { ...kind, ...NODE, verbatimModuleSyntax: false };
    const program = await compile(installed, 'required.cts', compiler, options);
    expect(await run(process.execPath, [program], installed.folder)).toMatch('required on v');
  },
);

const COMPILERS = [
  ['7', COMPILER],
  ['5.9', OLDER_COMPILER],
] as const;

test.each(sample(COMPILERS, 1))(
  'TypeScript %s compiles with the types of browsers only',
  async (_version, compiler) => {
    await compile(installed, 'browser', compiler, { module: 'nodenext', lib: ['ES2022', 'DOM'], types: [] });
  },
);

test.each(sample(NODES, 2))(
  'Node.js %s runs the command, the server, the sandbox in process and MSW',
  async version => {
    const node = nodeProgram(version);
    expect(await run(node, [story], installed.folder)).toMatch(`story complete on v${version}.`);
    expect(await run(node, [peers], installed.folder)).toMatch(`peers complete on v${version}.`);
  },
);

/** A module that prints at the end whether Node.js has loaded its Fetch API, which takes a sixth of a start. */
const TELL_FETCH = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => console.log('fetch:', process.moduleLoadList.some(each => /deps.undici/.test(each))))`,
)}`;

test.each(NODES)('Node.js %s starts a sandbox without loading its Fetch API', async version => {
  const args = ['--import', TELL_FETCH, CLI_PROGRAM, 'start', '--port', '0', '--json'];
  const { child, printed, ended, stdout } = startProcess(nodeProgram(version), args);
  await printed(/^.*\n/);
  child.kill();
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(stdout()).toMatch(/^fetch: false$/m);
});
