import type { WorldOptions } from '../../kernel/world/world-options.ts';
import { Duration } from '../../values/duration.ts';
import { Timestamp } from '../../values/timestamp.ts';
import { settingsOf } from '../assumptions/settings.ts';
import type { ResolvedOptions } from '../options.ts';

/** Converts the options of a sandbox to what its worlds need, with times in milliseconds. */
export function toWorldOptions(options: ResolvedOptions): WorldOptions {
  return {
    seed: options.seed,
    kycDelayMs: Duration.parse(options.kycDelay),
    rateLimitPerMinute: options.rateLimit,
    clockStart: Timestamp.optional().parse(options.clock),
    clockFrozen: options.freeze,
    retrySpeed: options.retrySpeed,
    idLength: options.idLength ?? null,
    assumptions: settingsOf(options.assume).values,
  };
}
