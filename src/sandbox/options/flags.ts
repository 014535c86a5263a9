import type { Egress } from '../../transport/egress.ts';
import type { CoreOptions } from '../options.ts';
import { DEFAULTS } from './defaults.ts';

/** An option of a sandbox as a flag of the command line. */
export interface OptionFlag {
  /** The flag and its value in the syntax of commander, such as `--seed <number>`. */
  readonly flags: string;
  readonly description: string;
  /** The default as the help shows it, or null if the description says enough. */
  readonly defaultText: string | null;
  /** How the text of the flag becomes the value of the option. Default: it is the value. */
  readonly parse?: 'wholeNumber' | 'decimalNumber' | 'list' | 'names';
  /** The values to choose from. */
  readonly choices?: readonly string[];
}

/**
 * The flags of `card-sandbox start` and `exec`, by option and in the order of the help. Commands that start no sandbox
 * import this, so it does not load the schema.
 */
export const OPTION_FLAGS: Readonly<Record<keyof CoreOptions, OptionFlag>> = {
  fixtures: {
    flags: '--fixtures <file...>',
    description: 'what the world holds: built-in names or paths, merged',
    defaultText: DEFAULTS.fixture,
  },
  state: {
    flags: '--state <file>',
    description: 'keep the world in this file: loaded when it is there, saved at the end',
    defaultText: 'in memory only',
  },
  seed: {
    flags: '--seed <number>',
    description: 'seed of every id, name and card number',
    defaultText: String(DEFAULTS.seed),
    parse: 'wholeNumber',
  },
  clock: {
    flags: '--clock <time>',
    description: 'where the sandbox clock starts',
    defaultText: 'now',
  },
  freeze: {
    flags: '--freeze',
    description: 'stop the clock; it then moves only when advanced',
    defaultText: 'it runs',
  },
  kycDelay: {
    flags: '--kyc-delay <duration>',
    description: 'time until the simulated provider decides',
    defaultText: DEFAULTS.kycDelay,
  },
  rateLimit: {
    flags: '--rate-limit <number>',
    description: 'requests per minute and key; 0 is no limit',
    defaultText: String(DEFAULTS.rateLimit),
    parse: 'wholeNumber',
  },
  allowHttpWebhooks: {
    flags: '--allow-http-webhooks',
    description: 'accept http:// webhook URLs',
    defaultText: 'https:// only',
  },
  retrySpeed: {
    flags: '--retry-speed <number>',
    description: 'how many times faster than published failed webhooks are retried',
    defaultText: String(DEFAULTS.retrySpeed),
    parse: 'decimalNumber',
  },
  forwardTo: {
    flags: '--forward-to <url>',
    description: 'send every webhook to this URL, whatever is configured',
    defaultText: null,
  },
  map: {
    flags: '--map <from=to>',
    description: 'send webhooks for URLs below FROM to the same path below TO; repeatable',
    defaultText: null,
    parse: 'list',
  },
  egress: {
    flags: '--egress <reach>',
    description: 'how far webhooks reach: loopback and private addresses, or any',
    defaultText: DEFAULTS.egress,
    choices: Object.keys({ private: true, any: true } satisfies Record<Egress, true>),
  },
  webhookCa: {
    flags: '--webhook-ca <file>',
    description: 'PEM file of certificates to trust when sending webhooks',
    defaultText: null,
  },
  insecureWebhookTls: {
    flags: '--insecure-webhook-tls',
    description: "take any certificate of a webhook's receiver",
    defaultText: 'check it',
  },
  documentedOnly: {
    flags: '--documented-only',
    description: 'refuse operations that the interface does not document',
    defaultText: 'all answer',
  },
  names: {
    flags: '--names <pairs>',
    description: 'what neutral words are called: service=acme,idp1=checkly,idp2=…',
    defaultText: 'as they are',
    parse: 'names',
  },
};
