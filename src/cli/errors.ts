import { type Command, CommanderError } from 'commander';
import { RefusedError, UnreachableError } from '../client/client.ts';
import { isError } from '../core/values/is-error.ts';
import { messageOf } from '../core/values/read-thrown.ts';
import { FixtureError } from '../sandbox/fixtures/file/fixture-error.ts';
import type { OptionError } from '../sandbox/options.ts';
import { wordsOf } from './command.ts';
import { callErrorMessage } from './connection/connection.ts';
import { failure, problemLine, usageProblem } from './output/print.ts';

export const FAILED = 1;
export const WRONG_USAGE = 2;

/** Arguments that contradict each other or are missing; the message says what is wrong and what to pass instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The option that is to blame, in code; null for several. */
  readonly option: string | null;

  constructor(message: string, option: string | null = null) {
    super(message);
    this.option = option;
  }
}

/** An address that the sandbox cannot listen on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly option: 'host' | 'port';

  constructor(option: 'host' | 'port', message: string) {
    super(message);
    this.option = option;
  }
}

/** Ends the command with an exit code. What people read of the reason is printed already. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;
  /** Why the command failed, for `--json`; null when a program that it ran failed, or when it is printed already. */
  readonly reason: string | null;

  constructor(code: number, reason: string | null = null) {
    super(reason ?? `exit ${code}`);
    this.code = code;
    this.reason = reason;
  }
}

/** Prints the message of a failed command, unless it has been printed already, and returns the exit code for it. */
export function reportError(thrown: unknown, command: Command | null, isJson: boolean): number {
  const error = command !== null && isOptionError(thrown) ? refuseOption(command, thrown) : thrown;
  const words = command === null ? [] : wordsOf(command);
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
  const isInFile = error instanceof FixtureError;
  const text = withConfigFile(command, error);
  failure(text, isInFile ? 'correct the file at the places that the message names' : help);
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}

export function errorMessage(error: unknown): string {
  if (error instanceof FixtureError) {
    return [`${error.subject} invalid:`, ...error.problems.map(problem => `  ${problem}`)].join('\n');
  }
  if (error instanceof RefusedError || error instanceof UnreachableError) return callErrorMessage(error);
  return messageOf(error);
}

/** Runs an action whose failure is reported and changes nothing else. Resolves with whether it succeeded. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    failure(errorMessage(error));
    return false;
  }
}

/** Returns the code of an error of the system, such as ENOENT; the error itself if it has none. */
export function errorCode(error: unknown): unknown {
  return isError(error) && 'code' in error ? error.code : error;
}

/** Names the configuration file in the message about an option that it sets, because nobody typed the flag. */
function withConfigFile(command: Command | null, error: unknown): string {
  const message = errorMessage(error);
  const option = isError(error) && 'option' in error ? String(error.option) : '';
  if (command?.getOptionValueSource(option) !== 'config') return message;
  return `${command.getOptionValue('config')}: ${message.replace(/^--/, '')}`;
}

/** By its name, so that a command that starts no sandbox does not load the options of one. */
function isOptionError(error: unknown): error is OptionError {
  return isError(error) && error.name === 'OptionError';
}

/**
 * Reports the value of an option as wrong usage, as commander does, or as a mistake in the configuration file that has it.
 * Returns an error of another option as it is.
 */
function refuseOption(command: Command, error: OptionError): unknown {
  const option = command.options.find(each => each.attributeName() === error.option);
  if (option === undefined) return error;
  if (command.getOptionValueSource(error.option) === 'config') {
    return new Error(`${command.getOptionValue('config')}: ${option.name()}: ${error.rule}`);
  }
  const value: unknown = command.getOptionValue(error.option);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = isMap
    ? Object.entries(value)
        .map(pair => pair.join('='))
        .join(', ')
    : String(value);
  try {
    command.error(`error: option '${option.flags}' argument '${text}' is invalid. It ${error.rule}.`);
  } catch (usage) {
    return usage;
  }
}
