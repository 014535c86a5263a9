import type { Partner } from '../data/response-types.ts';

const amounts = new Map<string, Intl.NumberFormat>();
const plain = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount with its currency, for example `€1,250.00`; a unit that is no currency code follows the number. */
export function money(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${plain.format(amount)} ${currency}`;
  const known = amounts.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency });
  amounts.set(currency, known);
  return known.format(amount);
}

/** A count with its noun: `1 card`, `1,200 cards`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** The day of a timestamp, in UTC as all times of the sandbox. */
export function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** The time of day of a timestamp, to the second. */
export function time(timestamp: string): string {
  return timestamp.slice(11, 19);
}

/** Day and time of a timestamp, to the second. */
export function moment(timestamp: string): string {
  return `${day(timestamp)} ${time(timestamp)}`;
}

/** A day for what is older than today, a time for what is of today; `now` is the sandbox's. */
export function shortMoment(timestamp: string, now: string | undefined): string {
  return now !== undefined && day(now) === day(timestamp) ? time(timestamp) : day(timestamp);
}

/** How far away a moment is, for example `in 5 m` or `2 h ago`. */
export function distance(timestamp: string, now: number): string {
  const ms = Date.parse(timestamp) - now;
  const text = span(Math.abs(ms));
  return ms >= 0 ? `in ${text}` : `${text} ago`;
}

/** A length of time in its largest fitting unit. */
export function span(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600)
    return `${Math.floor(seconds / 60)} m${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h${minutesOf(seconds)}`;
  return `${Math.floor(seconds / 86_400)} d`;
}

function minutesOf(seconds: number): string {
  const minutes = Math.floor((seconds % 3_600) / 60);
  return minutes === 0 ? '' : ` ${minutes} m`;
}

/** A machine's word as people write it: `provider_submitted` becomes `provider submitted`. */
export function words(text: string): string {
  return text.replaceAll('_', ' ');
}

/** JSON text laid out over lines; what is no JSON stays as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The request as a command for a shell. */
export function toCurl(
  origin: string,
  request: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly body?: string;
  },
  partner: Partner | null,
): string {
  const query = request.query === undefined || request.query === '' ? '' : `?${request.query}`;
  const parts = [`curl -i -X ${request.method} ${quoted(origin + request.path + query)}`];
  if (partner !== null) parts.push(`-H ${quoted(`x-service-api-key: ${partner.apiKey}`)}`);
  if (request.body !== undefined && request.body !== '') {
    parts.push(`-H 'content-type: application/json'`, `-d ${quoted(request.body)}`);
  }
  return parts.join(' \\\n  ');
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
