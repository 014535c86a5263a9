import * as z from 'zod';
import { parseHttpUrl } from '../../kernel/url.ts';

/** Where a partner's style sheet lies. */
export const StylesheetUrl = z
  .string()
  .refine(text => parseHttpUrl(text) !== null, 'must be an absolute http:// or https:// URL')
  .meta({ format: 'uri' });

/** Body that asks for a reveal link (interface section 4.3). */
export const RevealBody = z
  .object({
    stylesheetUrl: StylesheetUrl.optional().describe('A style sheet for the card view.'),
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
