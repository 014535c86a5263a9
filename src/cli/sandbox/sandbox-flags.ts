import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { kebab } from '../../core/values/kebab.ts';
import { type Names, NEUTRAL_NAMES, nameProblem } from '../../core/values/names.ts';
import {
  type CoreOptions,
  OPTIONS,
  type OptionName,
  type Option as SandboxOption,
} from '../../sandbox/options.ts';
import { UsageError } from '../errors.ts';
import {
  collect,
  hostToListenOn,
  path,
  portNumber,
  visibleText,
  wholeNumber,
  withChoices,
} from '../flags.ts';

interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly trustProxy?: true;
  readonly controlToken?: string;
  readonly watch?: true;
  readonly handlers?: string;
  readonly scenarios?: readonly string[];
}

/** Parsed flags of `start` and `exec`: the options of a sandbox and of its server. */
export interface ServeFlags extends Omit<CoreOptions, 'fixtures'>, ServerOptions {
  readonly fixtures?: readonly string[];
}

/** The heading of these flags in the help of a command that has its own before them. */
export const OPTIONS_OF_SANDBOX = 'Options of the sandbox:';

/** Adds the flags that configure a sandbox and its server. The schema of the options holds most defaults. */
export function sandboxFlags(command: Command, defaultPort: number): Command {
  const { port, host, allowHost, ...others } = serverFlags();
  command
    .addOption(port.default(defaultPort, String(defaultPort)))
    .addOption(host)
    .addOption(allowHost);
  // Object.keys does not keep the types of names.
  for (const name of Object.keys(OPTIONS) as OptionName[]) command.addOption(optionFlag(name));
  for (const option of Object.values(others)) command.addOption(option);
  return readsConfig(command);
}

/** Adds the flags of an opened record, besides its port: the record holds the other options of a sandbox. */
export function recordingFlags(command: Command): Command {
  const { host, allowHost, trustProxy, controlToken } = serverFlags();
  command.addOption(host).addOption(allowHost).addOption(trustProxy).addOption(controlToken);
  for (const name of RECORDING_OPTIONS) command.addOption(optionFlag(name));
  return readsConfig(command.addOption(optionFlag('config')));
}

const RECORDING_OPTIONS = ['egress', 'webhookCa', 'insecureWebhookTls'] as const;

/** Has a command take the options of its configuration file. */
function readsConfig(command: Command): Command {
  return command
    .option('--no-config', 'read no configuration file')
    .hook('preAction', () => applyConfig(command));
}

/** The configuration file that is read without `--config`, in the working folder. */
const CONFIG_FILES = ['card-sandbox.config.yaml', 'card-sandbox.config.json'];
const MISNAMED_FILE = 'card-sandbox.config.yml';

/**
 * Returns the configuration file to read: the value of `--config`, the file in the working folder, or null for none.
 * Throws a UsageError when there are two, or only one of another name.
 */
export function configFile(flag: string | boolean | undefined): string | null {
  if (typeof flag === 'string') return flag;
  if (flag === false) return null;
  const [file = null, other] = CONFIG_FILES.filter(each => existsSync(each));
  if (other !== undefined)
    throw new UsageError(`${file} and ${other} are both here; remove one, or name one with --config`);
  if (file === null && existsSync(MISNAMED_FILE))
    throw new UsageError(
      `${MISNAMED_FILE} is not read; rename it to ${CONFIG_FILES[0]}, or name it with --config`,
    );
  return file;
}

/** Sets the options of the configuration file as if they were flags. Flags that are typed win. */
async function applyConfig(command: Command): Promise<void> {
  const file = configFile(command.getOptionValue('config'));
  command.setOptionValue('config', file ?? undefined);
  if (file === null) return;
  // Loaded only where there is a file, because a start without one must not wait for its schema.
  const { ADDED, readConfig } = await import('../../sandbox/config.ts');
  for (const [name, value] of Object.entries(readConfig(file, command.name() === 'start'))) {
    const isTyped = !['default', 'config', undefined].includes(command.getOptionValueSource(name));
    const typed = command.getOptionValue(name);
    const isAdded = ADDED.some(each => each === name);
    if (isAdded && isTyped) command.setOptionValue(name, { ...Object(value), ...typed });
    else if (!isTyped) command.setOptionValueWithSource(name, value, 'config');
  }
}

export function serverFlags() {
  return {
    port: new Option('--port <number>', 'port to listen on; 0 picks a free one').argParser(portNumber),
    host: new Option(
      '--host <name>',
      'name or address to listen on; beyond loopback the control plane requires a token',
    )
      .argParser(hostToListenOn)
      .default('127.0.0.1', '127.0.0.1'),
    allowHost: new Option(
      '--allow-host <name>',
      'host name to answer to besides loopback names; repeatable (default: none; beyond loopback, every name)',
    ).argParser(collect),
    watch: new Option('--watch', 'reload fixture files when they change (default: read once)'),
    scenarios: new Option(
      '--scenarios <file...>',
      'scenario files for the presenter of the dashboard (default: the built-in ones only)',
    ),
    handlers: new Option(
      '--handlers <file>',
      'module of MSW handlers that run before the sandbox (default: none)',
    ).argParser(path),
    trustProxy: new Option(
      '--trust-proxy',
      'take the client address from the last entry of X-Forwarded-For (default: from the socket)',
    ),
    controlToken: new Option(
      '--control-token <token>',
      'control-plane token, required beyond loopback, and everywhere if set by this flag (default: generated and printed)',
    )
      .env('CARD_SANDBOX_CONTROL_TOKEN')
      .argParser(visibleText),
  } satisfies Record<keyof ServerOptions, Option>;
}

/** Returns the flag of an option of a sandbox. Its description names the default unless `hasDefault` is false. */
export function optionFlag(name: OptionName, hasDefault = true): Option {
  const entry: SandboxOption<unknown, unknown> = OPTIONS[name];
  const { flag, value, parse, choices } = entry;
  const shown = defaultTextOf(entry);
  const isShown = hasDefault && shown !== '' && choices === undefined;
  const option = new Option(
    `--${kebab(name)}${value === undefined ? '' : ` ${value}`}`,
    isShown ? `${flag} (default: ${shown})` : flag,
  );
  // A default that commander knows would override the sandbox's, so it knows only the defaults of choices.
  if (choices !== undefined) return withChoices(option, choices).default(shown, shown);
  if (value === '<file>') return option.argParser(path);
  return parse === undefined ? option : option.argParser(PARSERS[parse]);
}

function defaultTextOf({ initial, initialIfFrozen, defaultText }: SandboxOption<unknown, unknown>): string {
  if (defaultText !== undefined) return defaultText;
  const frozen = initialIfFrozen === undefined ? '' : `; with --freeze ${initialIfFrozen}`;
  return String(initial ?? '') + frozen;
}

const PARSERS: Readonly<
  Record<NonNullable<SandboxOption<unknown, unknown>['parse']>, (text: string, previous: unknown) => unknown>
> = {
  wholeNumber,
  decimalNumber,
  list: collect,
  names: partnerNames,
  pairs: namedValues,
};

/** Parses a flag's value as a number, whole or not. The option's schema checks the range. */
function decimalNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 60 or 0.5.');
  return Number(text);
}

/** Adds the names of a repeatable flag, each word once. */
function partnerNames(text: string, previous: unknown): Names {
  const pairs = new Map<string, string>(Object.entries(Object(previous)));
  for (const pair of text.split(',')) {
    const [, word = '', name = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (!NEUTRAL_NAMES.some(each => each === word) || pairs.has(word)) {
      throw new InvalidArgumentError(
        `It must be comma-separated WORD=NAME pairs, each word at most once: ${NEUTRAL_NAMES.join(', ')}.`,
      );
    }
    pairs.set(word, name);
  }
  const names: Names = Object.fromEntries(pairs);
  for (const word of NEUTRAL_NAMES) {
    const problem = nameProblem(word, names);
    if (problem !== null) throw new InvalidArgumentError(`The name of ${word} must ${problem}.`);
  }
  return names;
}

/** Collects the values of a repeatable flag whose values are `name=value`. The schema of the option checks them. */
function namedValues(text: string, previous: unknown): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME=VALUE, such as list-order=oldest.');
  return { ...(typeof previous === 'object' ? previous : {}), [name]: value };
}
