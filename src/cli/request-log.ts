import chalk, { type ChalkInstance } from 'chalk';
import type { LoggedRequest } from '../logged-request.ts';
import { printable } from './output.ts';

/** One line for a request, and below it one for each thing worth knowing: the rule that refused it, hints. */
export function prettyRequest(request: LoggedRequest): string {
  const { method, url, status, durationMs, refusal, rule, hints } = request;
  const head = `${chalk.bold(method.padEnd(5))} ${printable(url)} ${paint(status)(status)} ${chalk.dim(`${durationMs.toFixed(1)} ms`)}`;
  const refused = refusal === null ? [] : [`${chalk.yellow(printable(refusal))} ${chalk.dim(`[${rule}]`)}`];
  const notes = [...refused, ...hints.map(hint => chalk.dim(`hint: ${printable(hint)}`))];
  return [head, ...notes.map(note => `      ${note}`)].join('\n');
}

/** The same as one line of JSON. */
export function jsonRequest(request: LoggedRequest): string {
  return JSON.stringify({ type: 'request', ...request });
}

function paint(status: number): ChalkInstance {
  if (status >= 500) return chalk.red;
  return status >= 400 ? chalk.yellow : chalk.green;
}
