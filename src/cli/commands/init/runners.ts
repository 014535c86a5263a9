import type { Project } from './project.ts';

/** The test runners that `init` knows. When a project has several, the first of them is chosen. */
export const RUNNERS = ['vitest', 'jest', 'playwright', 'node:test', 'pytest'] as const;
/** A test runner that `init` knows. */
export type Runner = (typeof RUNNERS)[number];

const FINDERS: Readonly<Record<Runner, (project: Project) => boolean>> = {
  vitest: project =>
    project.dependencies.has('vitest') ||
    hasFile(project, /^vitest\.(config|workspace)\./) ||
    runs(project, 'vitest'),
  jest: project =>
    project.dependencies.has('jest') || hasFile(project, /^jest\.config\./) || runs(project, 'jest'),
  playwright: project =>
    project.dependencies.has('@playwright/test') || hasFile(project, /^playwright\.config\./),
  'node:test': project => runs(project, 'node( --?\\S+)* --test'),
  pytest: project =>
    hasFile(project, /^(pytest\.ini|conftest\.py)$/) ||
    project.find(/^(pyproject\.toml|requirements.*\.(txt|in)|setup\.(py|cfg)|tox\.ini|Pipfile)$/) !==
      undefined,
};

/** Returns the runners of a project, the first being the one to use; `node:test`, which needs nothing, if it has none. */
export function runnersOf(project: Project): readonly [Runner, ...Runner[]] {
  const [first = 'node:test', ...others] = RUNNERS.filter(runner => FINDERS[runner](project));
  return [first, ...others];
}

function hasFile(project: Project, pattern: RegExp): boolean {
  return project.find(pattern, true) !== undefined;
}

/** Whether a script of the project calls a program. */
function runs({ scripts }: Project, program: string): boolean {
  const call = new RegExp(`(^|[\\s;&|/])${program}(\\s|$)`);
  return Object.values(scripts).some(command => call.test(command));
}
