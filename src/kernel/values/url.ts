import * as z from 'zod';

/** The URL that a text is, when it is an absolute http:// or https:// one as people write it; else null. */
export function parseHttpUrl(text: string): URL | null {
  // The URL parser alone would forgive white space and missing slashes.
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}

/** A web address in a body, a row or a fixture. */
export const HttpUrl = z
  .string()
  .refine(text => parseHttpUrl(text) !== null, 'must be an absolute http:// or https:// URL')
  .meta({ format: 'uri' });
