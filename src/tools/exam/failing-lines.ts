import { stripVTControlCharacters } from 'node:util';

/** Words with which test runners of many languages begin a failure. */
const FAILURE =
  /\b(?:not ok|FAIL(?:ED|URE)?|(?:[A-Z]\w*)?(?:Error|Exception)|Traceback|panic|error|expected|assert|failed)\b|[✗✖×⨯]/;
/** Lines that count failures, and say nothing of them. */
const COUNT = /\b0 (?:failed|failures?|errors?)\b|\bfail(?:ed|ures?)?:? 0\b/i;
const MAX_LINES = 8;
const MAX_LENGTH = 300;

/** Returns the first lines of an output that report a failure, or its last lines when none do. Without colours. */
export function failingLines(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(line => line.trimEnd().slice(0, MAX_LENGTH))
    .filter(line => line !== '');
  const first = lines.findIndex(line => FAILURE.test(line) && !COUNT.test(line));
  return first === -1 ? lines.slice(-MAX_LINES) : lines.slice(first, first + MAX_LINES);
}
