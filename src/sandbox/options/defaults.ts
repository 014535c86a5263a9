/** Defaults of the options of a sandbox. Options that are not listed are off or not set. */
export const DEFAULTS = {
  fixture: 'starter',
  seed: 42,
  kycDelay: '2s',
  rateLimit: 1_000,
  /** The first retry of a running clock follows after one second. */
  retrySpeed: 60,
  /** On a frozen clock time costs nothing, so that the published delays apply. */
  frozenRetrySpeed: 1,
  egress: 'private',
  maxWorlds: 1_000,
  worldTtl: '1h',
} as const;
