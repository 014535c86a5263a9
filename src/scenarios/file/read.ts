import { FixtureError } from '../../fixtures/file/fixture-error.ts';
import { parseFile } from '../../fixtures/file/parse.ts';
import { type BuiltInKind, builtInNames, readBuiltIn } from '../../fixtures/file/source.ts';
import { checkSteps } from './check.ts';
import { ScenarioError } from './problems.ts';
import { ScenarioFile } from './schema.ts';

const SCENARIOS: BuiltInKind = { word: 'scenario', folder: 'scenarios' };

/** A checked scenario. */
export interface Scenario extends ScenarioFile {
  /** What its file is called in messages. */
  readonly file: string;
  /** `file:line` of a step, by its place in the list. */
  placeOf(step: number): string;
}

/** Names of the scenarios that come with the package. */
export function scenarioNames(): string[] {
  return builtInNames(SCENARIOS);
}

/** Reads a built-in scenario or a file, and checks it. Throws a ScenarioError with a line for each problem. */
export function readScenario(nameOrPath: string): Scenario {
  try {
    const source = readBuiltIn(SCENARIOS, nameOrPath);
    const { content, locate } = parseFile(source, ScenarioFile);
    const problems = checkSteps(content, locate);
    if (problems.length > 0) throw new FixtureError(problems);
    const placeOf = (step: number) => {
      const line = /:(\d+): steps\[\d+\]$/.exec(locate(['steps', step]))?.[1] ?? '1';
      return `${source.name}:${line}`;
    };
    return { ...content, file: source.name, placeOf };
  } catch (error) {
    throw error instanceof FixtureError ? new ScenarioError(error.problems) : error;
  }
}
