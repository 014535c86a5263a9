import { URL } from 'node:url';

/**
 * Parses an absolute URL, or one that is relative to `base`. Returns null when the text is anything else. `URL.canParse` of
 * Node.js 20 and 22 is false for letters such as ü once it has been called some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Parses an absolute http:// or https:// URL. Returns null when the text is anything else. */
export function parseHttpUrl(text: string): URL | null {
  // The URL parser alone accepts white space and missing slashes.
  return /^https?:\/\/\S+$/i.test(text) ? parseUrl(text) : null;
}
