import * as z from 'zod';

export const TIMESTAMP_RULE =
  'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z; without a zone it is UTC';
/** A `+02:00` whose plus sign was decoded to a space, in a query that was not encoded. */
const LOST_PLUS = /:\d\d(?:\.\d+)? \d\d:?\d\d$/;
/** Date, hours and minutes, seconds, zone; all but the date are optional. */
const PARTS = /^(\d{4}-\d\d-\d\d)(?:t(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const ZONE = /^([+-]\d\d):?(\d\d)?$/;

/** The same in the basic form of ISO 8601, without separators. */
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:t(\d\d)(\d\d)(\d\d(?:\.\d+)?)?(z|[+-]\d\d(?::?\d\d)?)?)?$/i;
// Tests may fake the global while the sandbox runs.
const RealDate = globalThis.Date;

const FullTimestamp = z.iso.datetime({ offset: true });

/** The first and the last time that four digits of a year can express, in UTC. */
const FIRST_TIME = RealDate.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = RealDate.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 date or timestamp into milliseconds since 1970. The default zone is UTC. Returns null when it is not
 * valid, or is before the year 0 or after the year 9999 in UTC.
 */
export function parseTimestamp(text: string): number | null {
  const [, date, time = '00:00', seconds = ':00', zone = 'Z'] = PARTS.exec(text) ?? [];
  const full = `${date}T${time}${seconds}${zone.toUpperCase().replace(ZONE, (_, hours, minutes = '00') => `${hours}:${minutes}`)}`;
  if (!FullTimestamp.safeParse(full).success) return null;
  const milliseconds = RealDate.parse(full);
  return milliseconds >= FIRST_TIME && milliseconds <= LAST_TIME ? milliseconds : null;
}

export function timestampRule(text: string): string {
  if (LOST_PLUS.test(text)) return `${TIMESTAMP_RULE}; encode + as %2B in a query`;
  const [, year, month, day, hours, minutes, seconds, zone] = BASIC.exec(text) ?? [];
  if (year !== undefined) {
    const date = [year, month, day].join('-');
    const time = [hours, minutes, seconds].filter(Boolean).join(':');
    const extended = hours === undefined ? date : `${date}T${time}${zone ?? 'Z'}`;
    if (parseTimestamp(extended) !== null) return `must be in the extended form of ISO 8601: ${extended}`;
  }
  const [, date] = PARTS.exec(text) ?? [];
  if (date === undefined) return TIMESTAMP_RULE;
  if (parseTimestamp(date) === null) return `must be an ISO 8601 timestamp; ${date}: there is no such day`;
  const isOutside = parseTimestamp(text.replace(/(?:z|[+-][\d:]+)$/i, '')) !== null;
  return isOutside
    ? `must be from ${isoTime(FIRST_TIME)} to ${isoTime(LAST_TIME)}, with a zone up to 23:59`
    : `must be an ISO 8601 timestamp; ${text.slice(date.length + 1)}: there is no such time`;
}

/** The end of sandbox time: the clock stops there. About 100 years, the maximum duration, before years need five digits. */
export const END_OF_TIME = RealDate.UTC(9899, 11, 31);

/** The last result of `isoTime`: consecutive records often have the same time, and formatting is slow. */
let last = { milliseconds: 0, text: new RealDate(0).toISOString() };

/**
 * Formats milliseconds since 1970 as an ISO 8601 timestamp in UTC, the form of every timestamp in a response. A time
 * outside the years 0 to 9999 becomes the first or last in them, because readers accept only years of four digits.
 */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) {
    const within = Math.min(Math.max(milliseconds, FIRST_TIME), LAST_TIME);
    last = { milliseconds, text: new RealDate(within).toISOString() };
  }
  return last.text;
}

/** The last result of `timeOf`: an index asks for the time of the same row many times, and parsing is slow. */
let lastParsed = last;

/** Returns the milliseconds since 1970 of a timestamp that `isoTime` has formatted. */
export function timeOf(text: string): number {
  if (text !== lastParsed.text) lastParsed = { milliseconds: RealDate.parse(text), text };
  return lastParsed.milliseconds;
}

export const TimestampText = z.string().meta({ format: 'date-time', description: 'ISO 8601 timestamp.' });

export const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month in the form YYYY-MM, such as 2026-01');

/** A timestamp in a query, body or fixture, parsed into milliseconds. Finer digits are cut. */
export const Timestamp = parsedBy(parseTimestamp);

/** More digits than those of milliseconds. */
const FINER = /\.\d{3}\d*[1-9]/;

/** The first millisecond that is not before a timestamp. */
export const EarliestTimestamp = parsedBy(text => {
  const milliseconds = parseTimestamp(text);
  return milliseconds !== null && FINER.test(text) ? milliseconds + 1 : milliseconds;
});

function parsedBy(parse: (text: string) => number | null) {
  return z
    .string()
    .transform((text, context) => {
      const milliseconds = parse(text);
      if (milliseconds !== null) return milliseconds;
      context.addIssue({ code: 'custom', message: timestampRule(text) });
      return z.NEVER;
    })
    .meta({ format: 'date-time' });
}

const FORMS = 'ISO 8601. A date alone is its 00:00 UTC, and a time without a zone is UTC.';

/** The bounds of a list by `createdAt`, both inclusive. */
export const periodQuery = {
  from: EarliestTimestamp.optional().describe(`Earliest \`createdAt\`, inclusive, ${FORMS}`),
  to: Timestamp.optional().describe(`Latest \`createdAt\`, inclusive, ${FORMS}`),
} as const;

/** A range of time in milliseconds since 1970, both bounds inclusive. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Returns the period of a month in UTC, `YYYY-MM`. */
export function periodOfMonth(month: string): { readonly from: number; readonly to: number } {
  const start = new RealDate(`${month}-01T00:00:00.000Z`);
  const from = start.getTime();
  return { from, to: start.setUTCMonth(start.getUTCMonth() + 1) - 1 };
}

/** Returns the period in which two overlap. It is empty, with its end before its start, if they do not. */
export function overlap(a: Period, b: { readonly from: number; readonly to: number }): Period {
  return { from: Math.max(a.from ?? b.from, b.from), to: Math.min(a.to ?? b.to, b.to) };
}
