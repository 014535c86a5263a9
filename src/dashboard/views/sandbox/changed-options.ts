/** The options that have a value by default. The others are off, empty or not set. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  fixtures: ['starter'],
  seed: 42,
  kycDelay: '2s',
  rateLimit: 1_000,
  egress: 'private',
  maxWorlds: 1_000,
  worldTtl: '1h',
};

/** The JSON of what is off, empty or not set. */
const UNSET = ['null', 'false', '[]', '{}'];

/** Returns the options that differ from their defaults, each as its flag, with its value as text. */
export function changedOptions(options: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  // On a frozen clock the retries keep their published delays.
  const defaults: typeof DEFAULTS = { ...DEFAULTS, retrySpeed: options.freeze === true ? 1 : 60 };
  return Object.entries(options)
    .map(([name, value]) => ({ name, value, text: JSON.stringify(value) }))
    .filter(({ name, text }) =>
      name in defaults ? text !== JSON.stringify(defaults[name]) : !UNSET.includes(text),
    )
    .map(({ name, value, text }) => [flagOf(name), typeof value === 'string' ? value : text]);
}

/** Returns the flag of an option: `--kyc-delay` for `kycDelay`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}
