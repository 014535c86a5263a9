import { CommanderError } from 'commander';
import { RefusedError, UnreachableError } from '../client/client.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { ScenarioError } from '../scenarios/file/problems.ts';
import { callErrorMessage } from './connection/connection.ts';
import { Exit, FAILED, UsageError, WRONG_USAGE } from './exit.ts';
import { failure } from './output/print.ts';

/** Prints the message of a failure, unless it has been printed already, and returns the exit code for it. */
export function reportError(error: unknown): number {
  if (error instanceof Exit) return error.code;
  // Commander has printed its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  failure(errorMessage(error));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}

/** Returns the message of an error for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof FixtureError) return problemList('the fixtures are invalid', error.problems);
  if (error instanceof ScenarioError) return problemList('the scenario is invalid', error.problems);
  if (error instanceof RefusedError || error instanceof UnreachableError) return callErrorMessage(error);
  return error instanceof Error ? error.message : String(error);
}

function problemList(title: string, problems: readonly string[]): string {
  return [`${title}:`, ...problems.map(problem => `  ${problem}`)].join('\n');
}
