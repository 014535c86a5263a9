import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { install, ROOT, run } from '../../package/installed.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { sample } from '../../support/proof/proof-size.ts';
import { JEST } from './install.ts';

const PROGRAM = readFileSync(join(ROOT, 'test/package/consumer/jest.ts'), 'utf8');
const REQUIRING = PROGRAM.replaceAll(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
const COMPILER_OPTIONS = {
  module: 'commonjs',
  moduleResolution: 'node10',
  esModuleInterop: true,
  strict: true,
};
const TS_JEST = { '^.+\\.ts$': ['ts-jest', { tsconfig: { ...COMPILER_OPTIONS, target: 'es2022' } }] };

let project: string;

const atEnd = atFileEnd();
beforeAll(async () => {
  const { folder } = await install(atEnd);
  const modules = join(folder, 'node_modules');
  const target = join(JEST, 'node_modules/card-sandbox');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(modules, 'card-sandbox'), target, { recursive: true });
  // Jest finds no tests below a folder node_modules, so the tests are elsewhere.
  rmSync(modules, { recursive: true });
  symlinkSync(join(JEST, 'node_modules'), modules, 'junction');
  project = folder;
});

const KINDS = [
  ['CommonJS', 'required.test.js', REQUIRING, {}, ''],
  ['ES modules', 'imported.test.mjs', PROGRAM, {}, '--experimental-vm-modules'],
  ['ts-jest with module commonjs', 'compiled.test.ts', PROGRAM, TS_JEST, ''],
] as const;

test.each(sample(KINDS, 1))(
  'Jest passes with %s and MSW 2.0.0',
  async (_kind, file, text, transform, options) => {
    const folder = join(project, file.replaceAll('.', '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text);
    writeFileSync(
      join(folder, 'jest.config.json'),
      JSON.stringify({ testMatch: [`**/${file}`], testTimeout: 60_000, transform }),
    );
    const args = [join(JEST, 'node_modules/jest/bin/jest.js'), '--rootDir', folder, '-c', 'jest.config.json'];
    // It ends by itself: a closed sandbox leaves nothing open.
    expect(await run(process.execPath, args, folder, { NODE_OPTIONS: options })).toContain(
      '4 passed, 4 total',
    );
  },
);
