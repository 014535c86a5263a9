import { type Command, Option } from 'commander';
import type { CoreOptions } from '../../../sandbox/options.ts';
import {
  collected,
  decimalNumber,
  kebab,
  NAMES_FLAG,
  portNumber,
  visibleText,
  wholeNumber,
} from '../../flags.ts';

/** Options of the HTTP server around a sandbox, and of the command that runs it. */
interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly trustProxy?: true;
  readonly controlToken?: string;
  readonly watch?: true;
  readonly handlers?: string;
}

/** Parsed flags of `start` and `exec`: the options of a sandbox and of its server. */
export interface ServeFlags extends Omit<CoreOptions, 'fixtures'>, ServerOptions {
  readonly fixtures?: readonly string[];
}

interface Flag {
  readonly about: string;
  /** Placeholder of the value; a flag without one takes no value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly parse?: (text: string, previous: unknown) => unknown;
  /** Set only where commander has to know the default; the schema of the options has the others. */
  readonly defaultValue?: string | number;
}

/** The flag of every option, in the order of the help. The name of a flag is the name of its option in kebab case. */
const FLAGS = {
  port: { value: '<number>', about: 'port to listen on; 0 picks a free one', parse: portNumber },
  host: {
    value: '<name>',
    about: 'name or address to listen on; beyond loopback the control plane requires a token',
    parse: visibleText,
    defaultValue: '127.0.0.1',
  },
  fixtures: {
    value: '<file...>',
    about: 'seed data: built-in names or file paths, merged in order (default: starter)',
  },
  state: {
    value: '<file>',
    about: 'state file: loaded at start if it exists, saved on exit (default: state is kept in memory)',
  },
  watch: { about: 'reload fixture files when they change (default: read once)' },
  seed: {
    value: '<number>',
    about: 'seed of every generated id, name and card number (default: 42)',
    parse: wholeNumber,
  },
  clock: { value: '<time>', about: 'initial time of the sandbox clock (default: now)' },
  freeze: { about: 'freeze the clock; it moves only when advanced (default: it runs)' },
  kycDelay: {
    value: '<duration>',
    about: 'delay until the simulated provider decides a KYC submission (default: 2s)',
  },
  rateLimit: {
    value: '<number>',
    about: 'requests per minute and API key; 0 disables the limit (default: 1000)',
    parse: wholeNumber,
  },
  allowHttpWebhooks: { about: 'accept http:// webhook URLs (default: https:// only)' },
  retrySpeed: {
    value: '<number>',
    about: 'how many times faster than the published schedule webhooks are retried (default: 60)',
    parse: decimalNumber,
  },
  forwardTo: { value: '<url>', about: 'send every webhook to this URL instead of the configured one' },
  map: {
    value: '<from=to>',
    about: 'send webhooks for URLs under FROM to the same path under TO; repeatable',
    parse: collected,
  },
  egress: {
    value: '<reach>',
    about: 'where webhooks may be sent: loopback and private addresses only, or any address',
    choices: ['private', 'any'],
    defaultValue: 'private',
  },
  webhookCa: { value: '<file>', about: 'PEM file of additional certificates to trust for webhooks' },
  insecureWebhookTls: { about: 'accept any TLS certificate of a webhook receiver (default: verify it)' },
  documentedOnly: {
    about: 'refuse operations that the interface does not document (default: serve all operations)',
  },
  handlers: { value: '<file>', about: 'module of MSW handlers that run before the sandbox (default: none)' },
  names: { value: '<pairs>', ...NAMES_FLAG },
  trustProxy: { about: 'take the client address from X-Forwarded-For (default: from the socket)' },
  controlToken: {
    value: '<token>',
    about: 'control-plane token, required beyond loopback (default: generated and printed)',
    parse: visibleText,
  },
} satisfies Record<keyof CoreOptions | keyof ServerOptions, Flag>;

/** Adds the flags that configure a sandbox and its server. */
export function sandboxFlags(command: Command, defaultPort: number): Command {
  const flags = { ...FLAGS, port: { ...FLAGS.port, defaultValue: defaultPort } };
  for (const [name, flag] of Object.entries<Flag>(flags)) command.addOption(optionFor(name, flag));
  return command;
}

function optionFor(name: string, { about, value, choices, parse, defaultValue }: Flag): Option {
  const option = new Option(`--${kebab(name)}${value === undefined ? '' : ` ${value}`}`, about);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  return defaultValue === undefined ? option : option.default(defaultValue, String(defaultValue));
}
