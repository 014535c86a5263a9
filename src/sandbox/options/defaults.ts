/** Defaults of the options of a sandbox. Options that are not listed are off or not set. */
export const DEFAULTS = {
  fixture: 'starter',
  seed: 42,
  kycDelay: '2s',
  rateLimit: 1_000,
  retrySpeed: 60,
  egress: 'private',
} as const;
