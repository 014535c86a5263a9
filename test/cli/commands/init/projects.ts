/** A project before `init`, and what `init` is to write into it. */
export interface SampleProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The folder in which `init` runs, `.` by default. */
  readonly folder?: string;
  readonly runner: string;
  readonly test: string;
  /** What the runner prints when the test has passed. */
  readonly passed: RegExp;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const TSCONFIG = json({ compilerOptions: { strict: true, module: 'preserve', skipLibCheck: true } });
const NODE_PASSED = /# pass 1|ℹ pass 1/;

/** Projects of the kinds that partners have. */
export const PROJECTS: readonly SampleProject[] = [
  {
    name: 'Vitest in TypeScript',
    files: {
      'package.json': json({ type: 'module', devDependencies: { vitest: '^4', typescript: '^5' } }),
      'tsconfig.json': TSCONFIG,
    },
    runner: 'vitest',
    test: 'tests/card-sandbox.test.ts',
    passed: /1 passed/,
  },
  {
    name: 'Vitest in JavaScript, in a package of CommonJS with a folder test',
    files: {
      'package.json': json({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '^4' } }),
      'test/other.test.js': "import { test } from 'vitest';\ntest('other', () => {});\n",
    },
    runner: 'vitest',
    test: 'test/card-sandbox.test.js',
    passed: /1 passed/,
  },
  {
    name: 'Jest in CommonJS',
    files: {
      'package.json': json({ scripts: { test: 'jest' }, devDependencies: { jest: '^30' } }),
      '__tests__/other.test.js': "test('other', () => {});\n",
    },
    runner: 'jest',
    test: '__tests__/card-sandbox.test.js',
    passed: /1 passed, 1 total/,
  },
  {
    name: 'Jest with ES modules',
    files: {
      'package.json': json({
        type: 'module',
        scripts: { test: 'node --experimental-vm-modules ../node_modules/jest/bin/jest.js' },
        devDependencies: { jest: '^30' },
      }),
      'jest.config.js': 'export default { transform: {} };\n',
    },
    runner: 'jest',
    test: 'tests/card-sandbox.test.js',
    passed: /1 passed, 1 total/,
  },
  {
    name: 'Jest with ts-jest',
    files: {
      'package.json': json({ devDependencies: { jest: '^30', 'ts-jest': '^29', '@types/jest': '^30' } }),
      'jest.config.js': "module.exports = { preset: 'ts-jest' };\n",
      'tsconfig.json': json({
        compilerOptions: { module: 'commonjs', target: 'es2022', strict: true, esModuleInterop: true },
      }),
    },
    runner: 'jest',
    test: 'tests/card-sandbox.test.ts',
    passed: /1 passed, 1 total/,
  },
  {
    name: 'node:test with ES modules',
    files: { 'package.json': json({ type: 'module', scripts: { test: 'node --test' } }) },
    runner: 'node:test',
    test: 'test/card-sandbox.test.js',
    passed: NODE_PASSED,
  },
  {
    name: 'node:test in CommonJS',
    files: { 'package.json': '{\n\t"scripts": {\n\t\t"test": "node --test"\n\t}\n}' },
    runner: 'node:test',
    test: 'test/card-sandbox.test.js',
    passed: NODE_PASSED,
  },
  {
    name: 'Playwright in TypeScript',
    files: {
      'package.json': json({ devDependencies: { '@playwright/test': '^1' } }),
      'playwright.config.ts': "export default { testDir: './e2e' };\n",
      'e2e/README.md': 'Tests in a browser.\n',
      'tsconfig.json': TSCONFIG,
    },
    runner: 'playwright',
    test: 'e2e/card-sandbox.spec.ts',
    passed: /1 passed/,
  },
  {
    name: 'pytest with pyproject.toml',
    files: {
      'pyproject.toml': '[project]\nname = "app"\n',
    },
    runner: 'pytest',
    test: 'tests/test_card_sandbox.py',
    passed: /1 passed/,
  },
  {
    name: 'pytest with requirements, beside a package.json of the pages',
    files: {
      'requirements-dev.txt': 'pytest==9.0.3\n',
      'package.json': json({ devDependencies: { vite: '^8' } }),
    },
    runner: 'pytest',
    test: 'tests/test_card_sandbox.py',
    passed: /1 passed/,
  },
  {
    name: 'an empty folder',
    files: {},
    runner: 'node:test',
    test: 'test/card-sandbox.test.js',
    passed: NODE_PASSED,
  },
  {
    name: 'a package of a monorepo, whose root has the runner',
    files: {
      'package.json': json({ workspaces: ['packages/*'], devDependencies: { vitest: '^4' } }),
      'tsconfig.base.json': TSCONFIG,
      'packages/payments/package.json': json({ name: 'payments', type: 'module' }),
    },
    folder: 'packages/payments',
    runner: 'vitest',
    test: 'tests/card-sandbox.test.ts',
    passed: /1 passed/,
  },
];
