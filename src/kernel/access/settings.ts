import * as z from 'zod';
import { Amount } from '../values/money.ts';
import { entryProblem } from './ip-allow-list.ts';

/** An entry of an IP allow-list (interface section 5.4). */
export const IpEntry = z.string().superRefine((entry, context) => {
  const message = entryProblem(entry);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** An origin that browsers may call from (interface section 5.5). */
export const AllowedOrigin = z.string().superRefine((origin, context) => {
  if (URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).origin === origin)
    return;
  const message = 'must be an origin with its scheme and without a path, such as https://app.example';
  context.addIssue({ code: 'custom', message });
});

/** Requests a minute and key; 0 switches the limit off. */
export const RequestsPerMinute = z.int().min(0).max(1_000_000);

/**
 * A partner's settings as they are written in a request or a fixture (interface sections 5.4 and 5.5, and the
 * balance thresholds). All optional; the thresholds are read into hundredths.
 */
export const SettingsChange = z.object({
  ipAllowList: z.array(IpEntry).exactOptional(),
  allowedOrigins: z.array(AllowedOrigin).exactOptional(),
  rateLimitPerMinute: RequestsPerMinute.exactOptional().describe('0 switches the limit off.'),
  lowThreshold: Amount.exactOptional(),
  alertThreshold: Amount.exactOptional(),
});
