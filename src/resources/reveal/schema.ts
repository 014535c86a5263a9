import * as z from 'zod';
import { HttpUrl } from '../../kernel/values/url.ts';

/** Body that asks for a reveal link (interface section 4.3). */
export const RevealBody = z
  .object({
    stylesheetUrl: HttpUrl.optional().describe('A style sheet for the card view.'),
    copyPan: z
      .boolean()
      .default(false)
      .describe(
        'Whether the card view has a button that copies the number. That it is false unless given is assumed.',
      ),
  })
  .meta({ id: 'RevealCard' });

/** The answer: where the card can be seen, once and for 60 seconds (interface section 4.3). */
export const RevealLink = z
  .strictObject({
    accessUrl: z.url().describe('The `src` of the iframe: good once, and for 60 seconds.'),
  })
  .meta({ id: 'RevealLink' });
