import { InvalidArgumentError, Option } from 'commander';
import { DURATION_RULE, parseDuration } from '../core/values/duration.ts';
import { type Names, NEUTRAL_NAMES, nameProblem } from '../core/values/names.ts';
import { OPTIONS, type OptionName, type Option as SandboxOption } from '../sandbox/options.ts';

// Commander passes a parser the previous value as its second argument, so parseInt must not be one.

/** Parses a flag's value as a whole number. The option's schema checks the range. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, not below 0.');
  return Number(text);
}

/** Parses a flag's value as a number, whole or not. The option's schema checks the range. */
export function decimalNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 60 or 0.5.');
  return Number(text);
}

/** Collects the values of a repeatable flag. */
export function collect<Value>(value: Value, previous: unknown): readonly Value[] {
  return [...(Array.isArray(previous) ? previous : []), value];
}

/** Parses a flag's value as a port number. */
export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

/** Checks a flag's value that becomes part of an address or a header: visible ASCII characters only. */
export function visibleText(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be one or more visible ASCII characters, without spaces.');
}

/** Parses a duration such as `90s` and returns milliseconds. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError(`It ${DURATION_RULE}.`);
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
  // A default that commander knows would override the one of the sandbox, so it knows only those of choices.
  if (choices !== undefined) option.choices(choices).default(shown, shown);
  return parse === undefined ? option : option.argParser(PARSERS[parse]);
}

function defaultTextOf({ initial, initialIfFrozen, defaultText }: SandboxOption<unknown, unknown>): string {
  if (defaultText !== undefined) return defaultText;
  const frozen = initialIfFrozen === undefined ? '' : `; with --freeze ${initialIfFrozen}`;
  return String(initial ?? '') + frozen;
}

/** Returns the option `--names`, which several commands share. */
export function namesFlag(): Option {
  return optionFlag('names');
}

/** Returns the option `--control-token` of commands that call a running sandbox. */
export function controlTokenFlag(): Option {
  return new Option('--control-token <token>', 'its control-plane token, required beyond loopback')
    .env('CARD_SANDBOX_CONTROL_TOKEN')
    .argParser(visibleText);
}

/** Parses names for the neutral words, such as `service=acme,idp1=checkly`. */
export function partnerNames(text: string): Names {
  const pairs = new Map<string, string>();
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
export function namedValues(text: string, previous: unknown): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME=VALUE, such as list-order=oldest.');
  return { ...(typeof previous === 'object' ? previous : {}), [name]: value };
}

/** Returns `cardProgramId` as `card-program-id` and `card_issuance` as `card-issuance`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
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
