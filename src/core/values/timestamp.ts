import * as z from 'zod';

/** The format of a timestamp, for messages. */
export const TIMESTAMP_RULE =
  'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z; without a zone it is UTC';
/** A `+02:00` whose plus sign was decoded to a space, in a query that was not encoded. */
const LOST_PLUS = / \d\d:\d\d$/;
/** Date, hours and minutes, seconds, zone; all but the date are optional. */
const PARTS = /^(\d{4}-\d\d-\d\d)(?:t(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const ZONE = /^([+-]\d\d):?(\d\d)?$/;

// Tests may fake the global while the sandbox runs.
const RealDate = globalThis.Date;

const FullTimestamp = z.iso.datetime({ offset: true });

/** Parses an ISO 8601 date or timestamp into milliseconds since 1970. The default zone is UTC. Returns null when it is not valid. */
export function parseTimestamp(text: string): number | null {
  const [, date, time = '00:00', seconds = ':00', zone = 'Z'] = PARTS.exec(text) ?? [];
  const full = `${date}T${time}${seconds}${zone.toUpperCase().replace(ZONE, (_, hours, minutes = '00') => `${hours}:${minutes}`)}`;
  return FullTimestamp.safeParse(full).success ? RealDate.parse(full) : null;
}

/** The end of sandbox time: 100 years, the maximum duration, before years need five digits. */
export const END_OF_TIME = RealDate.UTC(9899, 11, 31);

/** The last result of `isoTime`: consecutive records often have the same time, and formatting is slow. */
let last = { milliseconds: 0, text: new RealDate(0).toISOString() };

/** Formats milliseconds since 1970 as an ISO 8601 timestamp in UTC, the form of every timestamp in a response. */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) {
    last = { milliseconds, text: new RealDate(milliseconds).toISOString() };
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

/** A timestamp in a response. */
export const TimestampText = z.string().meta({ format: 'date-time', description: 'ISO 8601 timestamp.' });

/** A month, `YYYY-MM`. */
export const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month in the form YYYY-MM, such as 2026-01');

/** A timestamp in a query, body or fixture, parsed into milliseconds. */
export const Timestamp = z
  .string()
  .transform((text, context) => {
    const milliseconds = parseTimestamp(text);
    if (milliseconds !== null) return milliseconds;
    const message = LOST_PLUS.test(text) ? `${TIMESTAMP_RULE}; encode + as %2B in a query` : TIMESTAMP_RULE;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

/** The bounds of a list by `createdAt`, both inclusive. */
export const periodQuery = {
  from: Timestamp.optional().describe('Earliest `createdAt`, inclusive, ISO 8601.'),
  to: Timestamp.optional().describe('Latest `createdAt`, inclusive, ISO 8601.'),
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
