import { readable } from '../../core/values/display.ts';

export { cardEnd, money, readable } from '../../core/values/display.ts';

export function nameOf({ firstName, lastName }: Readonly<Record<'firstName' | 'lastName', string>>): string {
  return `${firstName} ${lastName}`;
}

/** Formats a number with its noun: `1 card`, `1,200 cards`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

export function date(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** Returns the time of day of an ISO 8601 timestamp, to the second. */
function time(timestamp: string): string {
  return timestamp.slice(11, 19);
}

/** Returns the time of day of an ISO 8601 timestamp, to the millisecond. */
export function exactTime(timestamp: string): string {
  return timestamp.slice(11, 23);
}

export function exactDateTime(timestamp: string): string {
  return `${date(timestamp)} ${exactTime(timestamp)}`;
}

/**
 * Returns a function that formats the times of day of rows: to the millisecond where two of the rows share a second,
 * since the times would not tell those apart.
 */
export function timeFormat<T>(rows: readonly T[], timeOf: (row: T) => string): (timestamp: string) => string {
  const hasTwins = new Set(rows.map(row => timeOf(row).slice(0, 19))).size < rows.length;
  return hasTwins ? exactTime : time;
}

export function dateTime(timestamp: string): string {
  return `${date(timestamp)} ${time(timestamp)}`;
}

/** Formats the time between a timestamp and `now` (milliseconds): `in 5 m`, `2 h ago`. */
export function relativeTime(timestamp: string, now: number): string {
  const ms = Date.parse(timestamp) - now;
  const text = duration(Math.abs(ms));
  return ms >= 0 ? `in ${text}` : `${text} ago`;
}

/** Formats milliseconds in at most two units: `45 s`, `1 m 30 s`, `24 h`, `3 d`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  if (seconds < 172_800) {
    return twoUnits(Math.floor(seconds / 3_600), 'h', Math.floor((seconds % 3_600) / 60), 'm');
  }
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Formats a duration of an option or a scenario as `duration` does: `200ms` as `200 ms`, `2s` as `2 s`. */
export function spacedDuration(text: string): string {
  return text.replace(/(?<=\d)(?=[a-z])/, ' ');
}

/** Formats how long a caller waited, in milliseconds: `2.3 ms`, `2.0 s`. */
export function waitingTime(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function readableList(identifiers: readonly string[] = []): string | null {
  return identifiers.length === 0 ? null : identifiers.map(readable).join(', ');
}

/** Returns JSON text indented over several lines, or the text itself when it is not JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
