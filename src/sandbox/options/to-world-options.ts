import { Duration } from '../../core/values/duration.ts';
import { Timestamp } from '../../core/values/timestamp.ts';
import type { WorldOptions } from '../../core/world/world-options.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
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
