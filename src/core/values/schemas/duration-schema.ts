import * as z from 'zod';
import { DURATION_PATTERN, DURATION_RULE, parseDuration } from '../duration.ts';

/** A text with a duration. A number is refused with the same rule, because its message shows a duration that is taken. */
export function durationText(rule = DURATION_RULE): z.ZodString {
  return z.string({ error: ({ input }) => (input === undefined ? undefined : rule) });
}

/** A duration in a body or a fixture, parsed into milliseconds. */
export const Duration = durationText()
  .transform((text, context) => {
    const milliseconds = parseDuration(text);
    if (milliseconds !== null) return milliseconds;
    context.addIssue({ code: 'custom', message: DURATION_RULE });
    return z.NEVER;
  })
  .meta({ pattern: DURATION_PATTERN.source });
