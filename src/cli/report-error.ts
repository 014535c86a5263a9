import { CommanderError } from 'commander';
import { RefusedError, UnreachableError } from '../client/client.ts';
import { FixtureError } from '../sandbox/fixtures/file/fixture-error.ts';
import { ScenarioError } from '../tools/scenarios/file/problems.ts';
import { callErrorMessage } from './connection/connection.ts';
import { Exit, FAILED, UsageError, WRONG_USAGE } from './exit.ts';
import { failure } from './output/print.ts';
import { problemLine, usageProblem } from './output/problem.ts';

/**
 * Prints the message of a failure, unless it has been printed already, and returns the exit code for it. `words` are those
 * of the command.
 */
export function reportError(error: unknown, words: readonly string[], isJson: boolean): number {
  const help = `${['card-sandbox', ...words, '--help'].join(' ')} shows ${words.length === 0 ? 'the commands' : 'its usage'}`;
  if (error instanceof Exit) {
    if (isJson && error.reason !== null) failure(error.reason, help);
    return error.code;
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without --json commander has printed its message already.
    const text = error.code === 'commander.help' ? 'the command is missing' : error.message;
    if (isJson) process.stderr.write(`${problemLine(usageProblem(text, help))}\n`);
    return WRONG_USAGE;
  }
  failure(
    errorMessage(error),
    isFileError(error) ? 'correct the file at the places that the message names' : help,
  );
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}

function isFileError(error: unknown): boolean {
  return error instanceof FixtureError || error instanceof ScenarioError;
}

/** Returns the message of an error for people. */
export function errorMessage(error: unknown): string {
  if (error instanceof FixtureError) return problemList(`${error.subject} invalid`, error.problems);
  if (error instanceof ScenarioError) return problemList('the scenario is invalid', error.problems);
  if (error instanceof RefusedError || error instanceof UnreachableError) return callErrorMessage(error);
  return error instanceof Error ? error.message : String(error);
}

function problemList(title: string, problems: readonly string[]): string {
  return [`${title}:`, ...problems.map(problem => `  ${problem}`)].join('\n');
}
