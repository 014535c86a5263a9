import { URL } from 'node:url';
import * as z from 'zod';

/** Parses an absolute http:// or https:// URL. Returns null when the text is anything else. */
export function parseHttpUrl(text: string): URL | null {
  // The URL parser alone accepts white space and missing slashes.
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}

/** An http:// or https:// URL in a body, a row or a fixture. */
export const HttpUrl = z
  .string()
  .refine(text => parseHttpUrl(text) !== null, 'must be an absolute http:// or https:// URL')
  .meta({ format: 'uri', pattern: '^https?://' });
