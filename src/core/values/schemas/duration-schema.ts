import * as z from 'zod';
import { DURATION_PATTERN, DURATION_RULE, parseDuration } from '../duration.ts';

/** A duration in a body or a fixture, parsed into milliseconds. */
export const Duration = z
  .string()
  .transform((text, context) => {
    const milliseconds = parseDuration(text);
    if (milliseconds !== null) return milliseconds;
    context.addIssue({ code: 'custom', message: DURATION_RULE });
    return z.NEVER;
  })
  .meta({ pattern: DURATION_PATTERN.source });
