import { FixtureError } from '../../fixtures/file/fixture-error.ts';
import { parseFile } from '../../fixtures/file/parse.ts';
import { type BuiltInKind, builtInNames, readBuiltIn } from '../../fixtures/file/source.ts';
import { checkSteps } from './check.ts';
import { ScenarioError } from './problems.ts';
import { ScenarioFile } from './schema.ts';

const SCENARIOS: BuiltInKind = { word: 'scenario', folder: 'scenarios' };

/** A checked scenario. */
export interface Scenario extends ScenarioFile {
  /** The name of its file in messages. */
  readonly file: string;
  /** Returns `file:line` of a step, by its index. */
  placeOf(step: number): string;
}

/** Returns the names of the built-in scenarios. */
export function scenarioNames(): string[] {
  return builtInNames(SCENARIOS);
}

/** Reads and validates a built-in scenario or a file. Throws a ScenarioError with one line per problem. */
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
