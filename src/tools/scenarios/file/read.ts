import * as z from 'zod';
import { FixtureError } from '../../../sandbox/fixtures/file/fixture-error.ts';
import { parseFile } from '../../../sandbox/fixtures/file/parse.ts';
import {
  type BuiltInKind,
  builtInNames,
  type FixtureSource,
  readBuiltIn,
} from '../../../sandbox/fixtures/file/source.ts';
import { checkSteps } from './check.ts';
import { ScenarioFile } from './schema.ts';

const SCENARIOS: BuiltInKind = { word: 'scenario', folder: 'scenarios' };

/** A checked scenario. */
export interface Scenario extends ScenarioFile {
  /** The name of its file in messages. */
  readonly file: string;
  /** Returns `file:line` of a step, by its index. */
  placeOf(step: number): string;
}

/** The scenarios that a presenter shows first, in this order. */
const FIRST = ['kyc-reimport', 'error-flows', 'card-lifecycle'];

/** Returns the names of the built-in scenarios: those to show first, then the others by name. */
export function scenarioNames(): string[] {
  return [...FIRST, ...builtInNames(SCENARIOS).filter(name => !FIRST.includes(name))];
}

/** Reads and validates a built-in scenario or a file. Throws a FixtureError with one line per problem. */
export function readScenario(nameOrPath: string): Scenario {
  try {
    const source = readBuiltIn(SCENARIOS, nameOrPath);
    const { content: raw, locate } = parseFile(source, z.unknown());
    const problems = checkSteps(raw, locate);
    const content = parseWith(source, problems);
    const placeOf = (step: number) => {
      const line = /:(\d+): steps\[\d+\]$/.exec(locate(['steps', step]))?.[1] ?? '1';
      return `${source.name}:${line}`;
    };
    return { ...content, file: source.name, placeOf };
  } catch (error) {
    throw error instanceof FixtureError ? invalidScenario(error.all, error.omitted) : error;
  }
}

/** Returns the error of an invalid scenario file. */
export function invalidScenario(problems: readonly string[], omitted = 0): FixtureError {
  return new FixtureError(problems, omitted, 'the scenario is');
}

/** Returns the content of a file. Throws its problems together with those that are known already. */
function parseWith(source: FixtureSource, known: readonly string[]): ScenarioFile {
  try {
    const { content } = parseFile(source, ScenarioFile);
    if (known.length === 0) return content;
  } catch (error) {
    throw error instanceof FixtureError ? new FixtureError([...error.all, ...known], error.omitted) : error;
  }
  throw new FixtureError(known);
}
