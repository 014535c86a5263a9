import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Names, NEUTRAL_NAMES, nameProblem } from '../kernel/request/names.ts';
import { DURATION_RULE, parseDuration } from '../kernel/values/duration.ts';
import { OPTION_FLAGS, type OptionFlag } from '../sandbox/options/flags.ts';
import type { OptionError } from '../sandbox/options.ts';

// Never parseInt as a parser: commander hands it the previous value as a second argument.

/** A flag's value as a whole number. Its range is checked where the option is used. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, not below 0.');
  return Number(text);
}

/** A flag's value as a number, whole or not. Its range is checked where the option is used. */
export function decimalNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number, such as 60 or 0.5.');
  return Number(text);
}

/** The values of a flag that may be given several times. */
export function collected(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** A flag's value as a port number. */
export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

/** A flag's value that goes into addresses or headers, which hold neither spaces nor control characters. */
export function visibleText(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be one or more visible ASCII characters, without spaces.');
}

/** A flag's value as milliseconds, written as a duration such as `90s`. */
export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError(`It ${DURATION_RULE}.`);
}

/** Returns the flag of an option of a sandbox. */
export function optionOf({ flags, description, defaultText, parse, choices }: OptionFlag): Option {
  // A default that commander knows would override the one of the sandbox; only choices show theirs that way.
  const showsDefault = defaultText === null || choices !== undefined;
  const option = new Option(flags, showsDefault ? description : `${description} (default: ${defaultText})`);
  if (choices !== undefined) option.choices(choices).default(defaultText, defaultText ?? undefined);
  return parse === undefined ? option : PARSERS[parse](option);
}

/** Returns the flag for the names of the neutral words. */
export function namesFlag(): Option {
  return optionOf(OPTION_FLAGS.names);
}

/** A flag's value as names for the neutral words, such as `service=acme,idp1=checkly`. */
export function partnerNames(text: string): Names {
  const names = new Map<string, string>();
  for (const pair of text.split(',')) {
    const [, word = '', name = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (!NEUTRAL_NAMES.some(each => each === word) || names.has(word)) {
      throw new InvalidArgumentError(
        `It must be WORD=NAME pairs with commas between them, each word once: ${NEUTRAL_NAMES.join(', ')}.`,
      );
    }
    names.set(word, name);
  }
  const given: Names = Object.fromEntries(names);
  for (const word of NEUTRAL_NAMES) {
    const problem = nameProblem(word, given);
    if (problem !== null) throw new InvalidArgumentError(`The name of ${word} must ${problem}.`);
  }
  return given;
}

/** Reports an option that the sandbox refused, in the words in which commander reports the ones it refuses itself. */
export function refuseOption(command: Command, { option: name, rule }: OptionError): never {
  const flags = command.options.find(option => option.attributeName() === name)?.flags ?? name;
  const value = String(command.getOptionValue(name));
  return command.error(`error: option '${flags}' argument '${value}' is invalid. It ${rule}.`);
}

const PARSERS: Readonly<Record<NonNullable<OptionFlag['parse']>, (option: Option) => Option>> = {
  wholeNumber: option => option.argParser(wholeNumber),
  decimalNumber: option => option.argParser(decimalNumber),
  list: option => option.argParser(collected),
  names: option => option.argParser(partnerNames),
};
