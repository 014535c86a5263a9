import chalk, { Chalk, chalkStderr } from 'chalk';
import { setImmediate, setTimeout } from '../../core/values/builtins.ts';

export { printable } from '../../core/values/text.ts';

import { printable, printableLines } from '../../core/values/text.ts';
import { wrapLines } from './wrap.ts';

/** How many bytes may be buffered for the reader of standard output before log lines are dropped. */
const MAX_BACKLOG = 4 * 1024 * 1024;
const FLUSH_MS = 300;

const noColor = (process.env.NO_COLOR ?? '') !== '';

/** Colours for standard output: none when it is not a terminal, or when NO_COLOR is set. */
export const colour = new Chalk({ level: noColor ? 0 : chalk.level });
const errorColour = new Chalk({ level: noColor ? 0 : chalkStderr.level });

let areFailuresJson = false;
let isClosed = false;
let isIncomplete = false;
let isBehind = false;
let waiting = '';

/**
 * Prints a line on standard output, together with other lines of the same tick in one write. Drops lines when the
 * reader is gone or far behind, so that a log never fills the memory.
 */
export function print(text: string): void {
  if (isClosed) return;
  if (waiting === '') setImmediate(flush);
  waiting += `${text}\n`;
}

/** Prints the result of a command and a line break. Resolves when the reader has taken it, or is gone. */
export function printResult(text: string): Promise<void> {
  return isClosed ? Promise.resolve() : printWhole(`${text}\n`);
}

/** Prints a message on standard error, wrapped to the terminal. */
export function progress(message: string): void {
  printToPaste(wrapLines(message, lineWidth(process.stderr)));
}

/** Prints lines on standard error as they are, such as commands that people paste. */
export function printToPaste(lines: string): void {
  process.stderr.write(`${printableLines(lines)}\n`);
}

export function isUnread(): boolean {
  return isClosed;
}

function flush(): void {
  const text = waiting;
  waiting = '';
  const behind = process.stdout.writableLength > MAX_BACKLOG;
  if (behind && !isBehind) failure('standard output is not being read; lines are dropped until it is');
  isBehind = behind;
  if (!behind && text !== '') process.stdout.write(text);
}

/** Prints a text that must not be cut off. Resolves when the reader has taken all of it, or is gone. */
export function printWhole(text: string | Uint8Array): Promise<void> {
  flush();
  return new Promise(resolve => process.stdout.write(text, () => resolve()));
}

/** Selects how failures are printed from now on: as JSON, for programs, or for people. */
export function printFailuresAsJson(isJson: boolean): void {
  areFailuresJson = isJson;
}

/** Prints what commander says of a mistake. It is for people: `reportError` prints it for programs. */
export function printUsage(text: string): void {
  if (!areFailuresJson) process.stderr.write(errorText(plainUsage(text)));
}

/** Prints a failure on standard error: a message for people, or with `--json` a line of JSON. */
export function failure(message: string, fallback: string | null = null): void {
  const text = areFailuresJson
    ? printable(problemLine(problemOf(message, fallback)))
    : errorText(wrapLines(`error: ${message}`, lineWidth(process.stderr)));
  process.stderr.write(`${text}\n`);
}

/** Returns a message that begins with `error:`, coloured and safe to print. */
export function errorText(message: string): string {
  return printableLines(message).replace(/^error:/, word => errorColour.red(word));
}

/**
 * Keeps failed writes from ending the process at once. A reader that goes away (`| head`) is ignored; any other failure,
 * such as a full disk, is reported once, and `isOutputIncomplete` returns true from then on.
 */
export function tolerateLostOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosed && error.code !== 'EPIPE') {
      isIncomplete = true;
      failure(`standard output cannot be written: ${error.message}`);
    }
    isClosed = true;
  });
  process.stderr.on('error', () => {});
}

/** Whether a part of standard output was lost although its reader was there. */
export function isOutputIncomplete(): boolean {
  return isIncomplete;
}

/** Resolves when everything printed has been read, or after a short timeout. */
export function flushOutput(): Promise<unknown> {
  flush();
  const written = [process.stdout, process.stderr].map(
    stream => new Promise<void>(resolve => stream.write('', () => resolve())),
  );
  const timeout = new Promise<void>(resolve => setTimeout(resolve, FLUSH_MS));
  return Promise.race([Promise.all(written), timeout]);
}

/** The width of the terminal that a stream writes to; infinite for a file or a pipe, to which nothing is cut or wrapped. */
export function lineWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

/** A failure for programs: what is wrong, and the way out if there is one. */
interface Problem {
  readonly message: string;
  readonly hint: string | null;
}

/** Where a message says the way out: `no partner with id "x", did you mean "y"?`, `…; pass another --port`. */
const WAY_OUT = /^(.*?)(?:; |, (?=did you mean ))([^\n]*)$/s;

/** Splits a message into what is wrong and the way out. `fallback` is the way out of a message without one. */
function problemOf(text: string, fallback: string | null = null): Problem {
  const [, message, hint] = WAY_OUT.exec(text) ?? [];
  if (message === undefined || hint === undefined || message.includes('\n')) {
    return { message: text, hint: fallback };
  }
  return { message, hint };
}

/** Options whose values are secrets. */
const SECRET_OPTION =
  /(?<=option '--(?:api-key|control-token|secret)\b[^']*' (?:argument|value)) '.*?'(?= (?:from|is))/s;

/** Returns a message of commander with the value of an argument as people name it, and without secrets. */
export function plainUsage(text: string): string {
  return text
    .replace(SECRET_OPTION, '')
    .replace(/sk_live_[^\s']+/g, 'sk_live_…')
    .replace(/command-argument value '(.*?)' is invalid for argument '(.*?)'/s, "'$1' is not a valid $2");
}

/** Returns the problem of an error of commander, such as an unknown option. `help` says where the usage is shown. */
export function usageProblem(text: string, help: string): Problem {
  const message = plainUsage(text).replace(/^error: /, '');
  const [, plain = message, meant] =
    /^(.*)\n\(((?:Did you mean|The commands are) .*)\)$/s.exec(message) ?? [];
  return { message: plain, hint: meant === undefined ? help : `${meant} ${help}` };
}

export function problemLine({ message, hint }: Problem): string {
  return JSON.stringify({ error: { message, hint } });
}
