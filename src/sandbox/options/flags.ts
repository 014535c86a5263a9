import type { CoreOptions } from '../options.ts';
import type { Egress } from '../transport/egress.ts';
import { DEFAULTS } from './defaults.ts';

/** An option of a sandbox as a flag of the command line. The name of the flag is the option's name in kebab case. */
export interface OptionFlag {
  readonly description: string;
  /** Placeholder of the value in the help; a flag without one takes no value. */
  readonly value?: string;
  /** The default as the help shows it; missing if there is none. */
  readonly defaultText?: string;
  /** How the text of the flag becomes the value of the option. Default: it is the value. */
  readonly parse?: 'wholeNumber' | 'decimalNumber' | 'list' | 'names' | 'pairs';
  /** The values to choose from. */
  readonly choices?: readonly string[];
}

/**
 * The flags of `card-sandbox start` and `exec`, by option and in the order of the help. Commands that start no sandbox
 * import this, so it does not load the schema.
 */
export const OPTION_FLAGS: Readonly<Record<keyof CoreOptions, OptionFlag>> = {
  fixtures: {
    value: '<file...>',
    description: 'seed data: built-in names or file paths, merged in order',
    defaultText: DEFAULTS.fixture,
  },
  state: {
    value: '<file>',
    description: 'state file: loaded at start if it exists, saved after changes and on exit',
    defaultText: 'state is kept in memory',
  },
  seed: {
    value: '<number>',
    description: 'seed of every generated id, name and card number; if given, of secrets too',
    defaultText: String(DEFAULTS.seed),
    parse: 'wholeNumber',
  },
  clock: { value: '<time>', description: 'initial time of the sandbox clock', defaultText: 'now' },
  freeze: { description: 'freeze the clock; it moves only when advanced', defaultText: 'it runs' },
  kycDelay: {
    value: '<duration>',
    description: 'delay until the simulated provider decides a KYC submission',
    defaultText: DEFAULTS.kycDelay,
  },
  idLength: {
    value: '<number>',
    description: 'length of generated ids with their prefix, from 24 to 255',
    defaultText: '16 letters after the prefix',
    parse: 'wholeNumber',
  },
  rateLimit: {
    value: '<number>',
    description: 'requests per minute and API key; 0 disables the limit',
    defaultText: String(DEFAULTS.rateLimit),
    parse: 'wholeNumber',
  },
  allowHttpWebhooks: { description: 'accept http:// webhook URLs', defaultText: 'https:// only' },
  retrySpeed: {
    value: '<number>',
    description: 'how many times faster than the published schedule webhooks are retried',
    defaultText: `${DEFAULTS.retrySpeed}; with --freeze ${DEFAULTS.frozenRetrySpeed}`,
    parse: 'decimalNumber',
  },
  forwardTo: { value: '<url>', description: 'send every webhook to this URL instead of the configured one' },
  map: {
    value: '<from=to>',
    description: 'send webhooks for URLs under FROM to the same path under TO; repeatable',
    parse: 'list',
  },
  egress: {
    value: '<reach>',
    description: 'where webhooks may be sent: loopback and private addresses only, or any address',
    defaultText: DEFAULTS.egress,
    choices: Object.keys({ private: true, any: true } satisfies Record<Egress, true>),
  },
  webhookCa: { value: '<file>', description: 'PEM file of additional certificates to trust for webhooks' },
  insecureWebhookTls: {
    description: 'accept any TLS certificate of a webhook receiver',
    defaultText: 'verify it',
  },
  documentedOnly: {
    description: 'refuse operations that the interface does not document',
    defaultText: 'serve all operations',
  },
  maxWorlds: {
    value: '<number>',
    description: 'how many worlds there may be besides main',
    defaultText: String(DEFAULTS.maxWorlds),
    parse: 'wholeNumber',
  },
  worldTtl: {
    value: '<duration>',
    description: 'end a world that nobody has called for this time; 0 for never',
    defaultText: DEFAULTS.worldTtl,
  },
  names: {
    value: '<pairs>',
    description: 'names for the neutral words: service=acme,idp1=checkly,idp2=…',
    defaultText: 'unchanged',
    parse: 'names',
  },
  assume: {
    value: '<name=value>',
    description:
      'what to assume where the interface leaves room; repeatable (docs/fidelity.md lists the names)',
    defaultText: 'see there',
    parse: 'pairs',
  },
  profile: {
    value: '<file>',
    description: 'YAML file with names and assume, which these flags override',
    defaultText: 'none',
  },
};
