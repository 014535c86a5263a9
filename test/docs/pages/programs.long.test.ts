import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../support/at-file-end.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';
import { PAGES, pageBlocks } from './blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = ['vitest', 'msw', 'express', '@mswjs/http-middleware', '@types/node', '@types/express'];
const OPTIONS = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', skipLibCheck: true };
const run = promisify(execFile);

/** The programs in the pages: each TypeScript block with the name of a test. */
const programs = new Map(
  PAGES.flatMap(pageBlocks).flatMap(({ language, file = '', text }) =>
    language === 'ts' && /^tests\/.*\.test\.ts$/.test(file) ? [[file, text] as const] : [],
  ),
);

/** A project with the programs and the built package. */
let project: string;

const atEnd = atFileEnd();
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'card-sandbox-programs-'));
  atEnd(async () => rmSync(project, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  const link = (name: string, target: string) => {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(project, 'node_modules', name));
  };
  link('card-sandbox', ROOT);
  for (const name of PACKAGES) link(name, join(ROOT, 'node_modules', name));
  write('package.json', '{ "type": "module" }');
  const lib = ['es2022', 'esnext.disposable', 'dom'];
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...OPTIONS, lib, types: ['node'] } }));
  for (const [file, text] of programs) write(file, text);
});

test('every program in the pages compiles in strict mode', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch(error => error);
  expect(stdout).toBe('');
});

test('every program in the pages passes, under exec', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = ['exec', '--', process.execPath, vitest, 'run', '--reporter=json'];
  const { stdout } = await run(process.execPath, [CLI_PROGRAM, ...args], { cwd: project }).catch(
    error => error,
  );
  const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const failed = report.testResults.filter(({ status }: { status: string }) => status !== 'passed');
  expect(failed).toEqual([]);
  expect(report.testResults).toHaveLength(programs.size);
  expect(programs.size).toBeGreaterThan(7);
});
