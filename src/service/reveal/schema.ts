import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { HttpUrl } from '../../core/values/url.ts';

/** Body that requests a reveal link (interface section 4.3). */
export const RevealBody = z
  .object({
    stylesheetUrl: HttpUrl.optional()
      .describe('A style sheet for the card view.')
      .meta(assumedField('stylesheet-url')),
    copyPan: z
      .boolean()
      .default(false)
      .describe('Whether the card view has a button that copies the number.')
      .meta(assumedField('copy-pan-default')),
  })
  .meta({ id: 'RevealCard' });

/** A link that shows the card once, within 60 seconds (interface section 4.3). */
export const RevealLink = z
  .strictObject({
    accessUrl: z.url().describe('The `src` of the iframe: valid once, within 60 seconds.'),
  })
  .meta({ id: 'RevealLink' });
