import { shellWord } from '../../../core/values/text.ts';
import type { Project, Runner } from './project.ts';

/** How the test of a project has to be written, where it goes, and what runs it. */
export interface Layout {
  /** The path of the test, relative to the project. */
  readonly test: string;
  readonly language: 'TypeScript' | 'JavaScript' | 'Python';
  /** Whether the test is an ES module; it is CommonJS otherwise. */
  readonly isModule: boolean;
  readonly command: string;
}

/** The folders of tests that projects use, the usual ones first. */
const FOLDERS = /^(tests|test|__tests__|e2e|spec)$/;
const MODULE_FLAG = '--experimental-vm-modules';
const MODULE_JEST = `node ${MODULE_FLAG} node_modules/jest/bin/jest.js`;
const TRANSFORMERS = ['ts-jest', '@swc/jest', '@babel/preset-typescript'];

export function layoutFor(runner: Runner, project: Project): Layout {
  const tests = configuredFolder(runner, project) ?? project.find(FOLDERS) ?? defaultFolder(runner);
  const path = (name: string) => (tests === '.' ? name : `${tests}/${name}`);
  const script = (test: string, isTypeScript: boolean, isModule: boolean, command: string): Layout => ({
    test: path(test),
    language: isTypeScript ? 'TypeScript' : 'JavaScript',
    isModule,
    command: `${command} ${fileWord(path(test))}`,
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
      const test = path('test_card_sandbox.py');
      const command = `card-sandbox exec --freeze -- pytest ${fileWord(test)}`;
      return { test, language: 'Python', isModule: false, command };
    }
  }
}

/** Quotes a path for a command line, with ./ before one that would be read as a flag. */
function fileWord(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
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

/** The folder that the configuration of a runner names, if it is a literal. */
function configuredFolder(runner: Runner, project: Project): string | undefined {
  const patterns: Partial<Record<Runner, readonly [RegExp, RegExp]>> = {
    playwright: [/^playwright\.config\./, /testDir:\s*['"`]([^'"`]+)['"`]/],
    pytest: [/^(pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg)$/, /testpaths\s*=\s*\[?\s*["']?([\w./-]+)/],
  };
  const [files, setting] = patterns[runner] ?? [];
  const file = files === undefined ? undefined : project.find(files);
  if (file === undefined || setting === undefined) return undefined;
  return setting.exec(project.read(file))?.[1]?.replace(/^\.\//, '').replace(/\/$/, '') || undefined;
}
