const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
/** 100 years: longer than any timer, and short enough that every date stays printable. */
const MAX_DURATION_MS = 36_525 * UNITS.d;

/** A duration, such as `90s`, `1.5h` or `24h`: a number and its unit (`ms`, `s`, `m`, `h`, `d`), at most 100 years. */
export type Duration = `${number}${keyof typeof UNITS}`;

export function isDuration(text: string): text is Duration {
  return parseDuration(text) !== null;
}

/** Parses a duration such as `90s`, `1.5h` or `24h` (units ms, s, m, h, d) into milliseconds. Returns null when it is not valid. */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (match === null) return null;
  // The pattern allows exactly these units.
  const milliseconds = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  return milliseconds <= MAX_DURATION_MS ? milliseconds : null;
}

export const DURATION_RULE = 'must be a duration such as 500ms, 90s, 30m, 2h or 1d, at most 100 years';
