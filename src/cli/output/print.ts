import chalk, { Chalk, chalkStderr } from 'chalk';

/** How much may wait for a reader of standard output, in bytes, before log lines are dropped. */
const LARGEST_BACKLOG = 4 * 1024 * 1024;
/** How long the end of the process waits for readers. */
const FLUSH_MS = 300;

const noColor = (process.env.NO_COLOR ?? '') !== '';

/** Colours for standard output: none where it is no terminal, or where NO_COLOR asks for none. */
export const colour = new Chalk({ level: noColor ? 0 : chalk.level });
const errorColour = new Chalk({ level: noColor ? 0 : chalkStderr.level });

let isClosed = false;
let isBehind = false;
let waiting = '';

/**
 * Prints a result line, with those of the same moment in one write. Lines are dropped when nobody reads any
 * more or the reader is far behind: memory is not for logs.
 */
export function print(text: string): void {
  if (isClosed) return;
  if (waiting === '') setImmediate(flush);
  waiting += `${text}\n`;
}

/** Prints the result of a command as a line, as `printWhole` does. */
export function printResult(text: string): Promise<void> {
  return isClosed ? Promise.resolve() : printWhole(`${text}\n`);
}

/** Says on standard error how things go, for people. */
export function progress(message: string): void {
  process.stderr.write(`${message.split('\n').map(printable).join('\n')}\n`);
}

/** Whether whoever read standard output has gone, so that there is nothing left to print for. */
export function isUnread(): boolean {
  return isClosed;
}

function flush(): void {
  const text = waiting;
  waiting = '';
  const behind = process.stdout.writableLength > LARGEST_BACKLOG;
  if (behind && !isBehind) failure('standard output is not being read; lines are dropped until it is');
  isBehind = behind;
  if (!behind && text !== '') process.stdout.write(text);
}

/** Prints a result that is of no use in part: resolves once its reader has taken all of it, or is gone. */
export function printWhole(text: string): Promise<void> {
  flush();
  return new Promise(resolve => process.stdout.write(text, () => resolve()));
}

/** Prints what went wrong, for people, on standard error. */
export function failure(message: string): void {
  process.stderr.write(`${errorText(`error: ${message}`)}\n`);
}

/** A message that begins with `error:`, painted and safe to print. */
export function errorText(message: string): string {
  const safe = message.split('\n').map(printable).join('\n');
  return safe.replace(/^error:/, word => errorColour.red(word));
}

/** Lets output that cannot be written pass: a pipe closed early (`| head`) in silence, a full disk with one line. */
export function tolerateLostOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosed && error.code !== 'EPIPE') failure(`standard output cannot be written: ${error.message}`);
    isClosed = true;
  });
  process.stderr.on('error', () => {});
}

/** Resolves when everything printed has been taken, or after a short while when nobody takes it. */
export function flushed(): Promise<unknown> {
  flush();
  const written = [process.stdout, process.stderr].map(
    stream => new Promise<void>(resolve => stream.write('', () => resolve())),
  );
  const tooLong = new Promise<void>(resolve => setTimeout(resolve, FLUSH_MS));
  return Promise.race([Promise.all(written), tooLong]);
}

/** How many characters fit into a line of standard output; Infinity where it is no terminal. */
export function lineWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/**
 * Text from outside, safe to print. Control characters, which terminals obey, and invisible ones that
 * reorder or hide text are written as JSON escapes, so a JSON text stays the same JSON.
 */
export function printable(text: string): string {
  // Most lines of a log are plain, and this is far quicker to find out.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, character =>
    character.split('').map(escaped).join(''),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
