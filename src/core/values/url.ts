import * as z from 'zod';
import { parseHttpUrl } from './parse-url.ts';

/** An http:// or https:// URL in a body, a row or a fixture. */
export const HttpUrl = z
  .string()
  .refine(text => parseHttpUrl(text) !== null, 'must be an absolute http:// or https:// URL')
  .meta({ format: 'uri', pattern: '^https?://' });
