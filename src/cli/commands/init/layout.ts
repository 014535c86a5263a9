import type { Project, Runner } from './project.ts';

export interface Layout {
  /** The path of the test, relative to the project. */
  readonly test: string;
  readonly language: 'TypeScript' | 'JavaScript' | 'Python';
  /** Whether the test is an ES module; it is CommonJS otherwise. */
  readonly isModule: boolean;
  readonly command: string;
}

/** The folders of tests that projects use, the usual ones first. */
const FOLDERS = ['tests', 'test', '__tests__', 'e2e', 'spec'];
const MODULE_FLAG = '--experimental-vm-modules';
const MODULE_JEST = `node ${MODULE_FLAG} node_modules/jest/bin/jest.js`;
const TRANSFORMERS = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

export function layoutFor(runner: Runner, project: Project): Layout {
  const folders = runner === 'playwright' ? ['e2e', ...FOLDERS] : FOLDERS;
  const tests = folders.find(each => project.has(RegExp(`^${each}$`))) ?? defaultFolder(runner);
  const script = (name: string, isTypeScript: boolean, isModule: boolean, command: string): Layout => ({
    test: `${tests}/${name}`,
    language: isTypeScript ? 'TypeScript' : 'JavaScript',
    isModule,
    command: `${command} ${tests}/${name}`,
  });
  const { isTypeScript, isModule } = project;
  const ending = isTypeScript ? 'ts' : 'js';
  switch (runner) {
    case 'vitest':
      // Vitest compiles every test as a module.
      return script(`card-sandbox.test.${ending}`, isTypeScript, true, 'vitest run');
    case 'playwright':
      return script(`card-sandbox.spec.${ending}`, isTypeScript, isModule, 'playwright test');
    case 'jest':
      return jestLayout(project, script);
    case 'node:test':
      return nodeLayout(project, script);
    case 'pytest': {
      const test = `${tests}/test_card_sandbox.py`;
      const command = `card-sandbox exec --freeze -- pytest ${test}`;
      return { test, language: 'Python', isModule: false, command };
    }
  }
}

type Script = (test: string, isTypeScript: boolean, isModule: boolean, command: string) => Layout;

/** Jest runs CommonJS, and modules only with a flag of Node.js. It needs a transformer for TypeScript. */
function jestLayout(project: Project, script: Script): Layout {
  const { dependencies, scripts } = project;
  const isTypeScript = project.isTypeScript && TRANSFORMERS.some(each => dependencies.has(each));
  const flagged = Object.values(scripts).find(command => command.includes(MODULE_FLAG));
  const isModule = isTypeScript ? flagged !== undefined : project.isModule;
  const moduleJest = /^.*?\bjest(\.js)?(?=\s|$)/.exec(flagged ?? '')?.[0] ?? MODULE_JEST;
  const test = `card-sandbox.test.${isTypeScript ? 'ts' : 'js'}`;
  return script(test, isTypeScript, isModule, isModule ? moduleJest : 'jest');
}

/** Node.js runs TypeScript with a loader. Without one the test is JavaScript. */
function nodeLayout({ isTypeScript, isModule, dependencies }: Project, script: Script): Layout {
  if (isTypeScript && dependencies.has('tsx')) {
    return script('card-sandbox.test.ts', true, true, 'node --import tsx --test');
  }
  const name = isTypeScript ? 'card-sandbox.test.mjs' : 'card-sandbox.test.js';
  return script(name, false, isTypeScript || isModule, 'node --test');
}

function defaultFolder(runner: Runner): string {
  return runner === 'node:test' ? 'test' : 'tests';
}
