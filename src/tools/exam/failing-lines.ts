import { stripVTControlCharacters } from 'node:util';
import { beginningOf } from '../../core/values/text.ts';

interface Runner {
  /** The line after which failures are listed; the beginning of the output without it. */
  readonly after?: RegExp;
  readonly begins: RegExp;
  /** The last line of a title that has several. */
  readonly titleEnds?: RegExp;
  /** A line that ends it; the first line of another failure does so, too. */
  readonly ends: RegExp;
  /** Its lines that say nothing, besides those that do in no output. */
  readonly drops?: RegExp;
}

/** The default output of test runners. The first that fits is taken, so what fits more than its own comes last. */
const RUNNERS: readonly Runner[] = [
  // Vitest
  {
    begins: /^ FAIL {2}(?:\|[^|]+\| )?\S.*$/,
    ends: /^⎯/,
  },
  // Jest
  {
    begins: /^ {2}● (?!Console$)/,
    ends: /^(?:FAIL|PASS|Test Suites:|Summary of all failing tests)/,
  },
  // node:test, the reporter "spec"
  {
    begins: /^test at .+:\d+:\d+$/,
    ends: /^✖ failing tests:$/,
    drops: /^\s*(?:generatedMessage|code|failureType|actual|expected|operator|diff): |^ {2}\}$/,
  },
  // node:test, the reporter "tap"
  {
    begins: /^\s*not ok \d+ - /,
    ends: /^\s*(?:\.\.\.|# Subtest:.*)$/,
    drops:
      /^\s*(?:---|(?:duration_ms|type|failureType|code|name|operator|exitCode|signal): .*|(?:error|stack|expected|actual):(?: \|-)?|\d: .*)$/,
  },
  // Mocha
  {
    after: /^ {2}\d+ failing$/,
    begins: /^ {2}\d+\) /,
    // The suites of a test stand in the lines above it.
    titleEnds: /:$/,
    ends: /^ {2}\d+ passing/,
    // The message of an AssertionError of Node.js has the difference, too, with other signs.
    drops: /^[-+] /,
  },
  // pytest
  {
    begins: /^_{3,} .+ _{3,}$/,
    ends: /^[=-]{3,}/,
    drops: /^(?![>E] |\S+\.py:\d+: )/,
  },
  // Go
  {
    begins: /^\s*--- FAIL: /,
    ends: /^(?:\s*--- (?:PASS|SKIP): |=== |FAIL\b|ok\b|exit status)/,
  },
];

const EXCEPTION =
  /^\s*(?:Uncaught )?(?:[\w.$]*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)|Traceback \(|panic: )/;
const FAILURE =
  /\b(?:not ok|FAIL(?:ED|URE)?|(?:[A-Z]\w*)?(?:Error|Exception)|error|expected|assert|failed)\b|[✗✖✕×⨯]/;
/** Lines that count failures, and say nothing of them. */
const COUNT = /\b0 (?:failed|failures?|errors?)\b|\bfail(?:ed|ures?)?:? 0\b/i;
const PASSED = /^\s*(?:[✓✔√]|ok \d+ - |PASS\b|--- PASS: |# Subtest: )/;
/** Excerpts of code, and lines without a letter or a digit that are no part of a difference. */
const EMPTY = /^\s*(?:\d*\s*\|.*|[_ .]*)$/;
const PLACE = /^\s*(?:at |❯ |File ")|:\d+:\d+\)?(?: \{)?$|^\S+\.py:\d+: /;
/** Places in libraries and in what runs the tests. */
const FOREIGN = /node_modules|\bnode:|\/site-packages\//;
const PYTHON_PLACE = /^\s*File "/;
const DIFFERENCE = /^\s*[-+>E] /;
const MAX_PLACES = 2;
const MAX_LINES = 8;
const MAX_LENGTH = 300;

/** What differs in the titles of one test from run to run: its number, and how long it took. */
const VARYING = /^\s*\d+\) |\(?\b\d+(?:\.\d+)? ?m?s\)?/g;

/**
 * Returns the first failure in the output of a command, of a test besides `ignored` if there is one: its title, the message
 * and the places in the code. Returns the last lines if there is no failure.
 */
export function findFailure(output: string, ignored: ReadonlySet<string> = new Set()): readonly string[] {
  const lines = linesOf(output);
  const all = failuresIn(lines);
  const others = all.filter(({ name }) => !ignored.has(name));
  const failures = others.length > 0 ? others : all;
  // A suite that fails with its tests has no details.
  const failed = failures.find(({ details }) => details.length > 0) ?? failures[0];
  if (failed !== undefined) return mostTelling([failed.title, ...failed.details]);
  const rest = lines.filter(line => isTelling(line));
  const exception = rest.findIndex(line => EXCEPTION.test(line));
  const first = exception >= 0 ? exception : rest.findIndex(line => FAILURE.test(line) && !COUNT.test(line));
  return first < 0 ? rest.slice(-MAX_LINES) : mostTelling(rest.slice(first));
}

/** Returns the names of the tests that failed; none for the output of an unknown test runner. */
export function failedTests(output: string): ReadonlySet<string> {
  return new Set(failuresIn(linesOf(output)).map(({ name }) => name));
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(line => beginningOf(line.trimEnd(), MAX_LENGTH));
}

interface ReportedFailure {
  readonly title: string;
  /** The title without what differs from run to run. Tests of the same title are counted, since they are several. */
  readonly name: string;
  readonly details: readonly string[];
}

function failuresIn(lines: readonly string[]): readonly ReportedFailure[] {
  const failures = RUNNERS.map(runner => failuresOf(runner, lines)).find(all => all.length > 0) ?? [];
  const times = new Map<string, number>();
  return failures.map(failure => {
    const count = (times.get(failure.name) ?? 0) + 1;
    times.set(failure.name, count);
    return count === 1 ? failure : { ...failure, name: `${failure.name} (${count})` };
  });
}

function failuresOf(
  { after, begins, titleEnds = begins, ends, drops }: Runner,
  lines: readonly string[],
): ReportedFailure[] {
  const section = after === undefined ? 0 : lines.findIndex(line => after.test(line));
  if (section < 0) return [];
  return lines.flatMap((title, start) => {
    if (start < section || !begins.test(title)) return [];
    const next = lines.findIndex((line, index) => index > start && (begins.test(line) || ends.test(line)));
    const end = next < 0 ? lines.length : next;
    const details = lines.slice(start + 1, end).filter(line => isTelling(line) && !drops?.test(line));
    const titleEnd = lines.findIndex((line, index) => index >= start && index < end && titleEnds.test(line));
    const titles = lines.slice(start, Math.max(start, titleEnd) + 1).map(line => line.trim());
    return [{ title, name: titles.join(' ').replace(VARYING, '').trim(), details }];
  });
}

function isTelling(line: string): boolean {
  return !EMPTY.test(line) && !PASSED.test(line) && !(PLACE.test(line) && FOREIGN.test(line));
}

/** Leaves out what is too much: places far from the failure, and what is equal in a difference. */
function mostTelling([title = '', ...details]: readonly string[]): string[] {
  const allPlaces = details.filter(line => PLACE.test(line));
  const isLastNearest = allPlaces.some(line => PYTHON_PLACE.test(line));
  const places = isLastNearest ? allPlaces.slice(-MAX_PLACES) : allPlaces.slice(0, MAX_PLACES);
  const room = MAX_LINES - 1 - places.length;
  const texts = details.filter(line => !PLACE.test(line));
  // The first two are the name of the test and the message, in either order.
  const differences = texts.slice(2).filter(line => DIFFERENCE.test(line));
  const isTooMuch = texts.length > room && differences.length > 0;
  const shown = [...(isTooMuch ? [...texts.slice(0, 2), ...differences] : texts).slice(0, room), ...places];
  const indent = Math.min(...shown.map(line => line.search(/\S/)));
  return [title.replace(/^_+ (.*) _+$/, '$1').trim(), ...shown.map(line => `  ${line.slice(indent)}`)];
}
