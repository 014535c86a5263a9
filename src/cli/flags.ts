import { type Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { DURATION_RULE, parseDuration } from '../core/values/duration.ts';
import { readListenHost } from '../core/values/listen-host.ts';
import { suggestion } from '../core/values/nearest.ts';

// Commander passes a parser the previous value as its second argument, so parseInt must not be one.

/** Parses a flag's value as a whole number. The option's schema checks the range. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, not below 0.');
  return Number(text);
}

/** Limits an option or an argument to choices, which its help lists. The refusal of another value names the nearest. */
export function withChoices<Target extends Option | Argument>(
  target: Target,
  choices: readonly string[],
): Target {
  target.argChoices = [...choices];
  target.argParser((text: string, previous: unknown) => {
    checkChoice(text, choices);
    return target.variadic ? collect(text, previous) : text;
  });
  return target;
}

export function checkChoice(text: string, choices: readonly string[]): void {
  if (choices.includes(text)) return;
  const hint = suggestion(text, choices).replace(/^, d/, ' D');
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${hint}`);
}

export function collect<Value>(value: Value, previous: unknown): readonly Value[] {
  return [...(Array.isArray(previous) ? previous : []), value];
}

export function numberBetween(min: number, max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (text.trim() !== '' && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  };
}

export function wholeNumberBetween(min: number, max: number): (text: string) => number {
  return text => {
    if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export const portNumber = wholeNumberBetween(0, 65_535);

/** Checks a flag's value that becomes part of an address or a header: visible ASCII characters only. */
export function visibleText(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be one or more visible ASCII characters, without spaces.');
}

export function hostToListenOn(text: string): string {
  const read = readListenHost(visibleText(text));
  if ('host' in read) return read.host;
  throw new InvalidArgumentError(`It ${read.rule}.`);
}

/** Says how a duration with a unit in words is written; nothing for other texts. */
export function durationHint(text: string): string {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)[a-z]*$/i.exec(text) ?? [];
  return unit === undefined ? '' : `Write ${number}${unit.toLowerCase()}. `;
}

export function duration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError(`${durationHint(text)}It ${DURATION_RULE}.`);
}

export function controlTokenFlag(): Option {
  return new Option('--control-token <token>', 'its control-plane token, required beyond loopback')
    .env('CARD_SANDBOX_CONTROL_TOKEN')
    .argParser(visibleText);
}

/** Adds `--print`, with which a script gets one value: `TOKEN=$(card-sandbox share-tokens add --print token)`. */
export function printFlag(command: Command): Command {
  return command.addOption(new Option('--print <field>', 'print only the value of this field, for scripts'));
}

/** Reports a field of `--print` that is not one of the dotted names, and holds none of them, as wrong usage. */
export function checkField(command: Command, field: string, names: readonly string[]): void {
  const fields = withParents(names);
  if (fields.includes(field)) return;
  const hint = suggestion(field, fields) || `; known fields are ${names.join(', ')}`;
  command.error(`error: option '--print <field>' argument '${field}' is invalid. No such field${hint}`);
}

/** Returns the names, and the names of the records that hold them: `identity.city` gives `identity` too. */
function withParents(names: readonly string[]): string[] {
  const all = names.flatMap(name => {
    const parts = name.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(all)];
}

/**
 * Parses a path. An empty text, as of a variable that is not set, would be the working folder, and `-` a file of that name
 * for somebody who means standard output.
 */
export function path(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  if (text === '-') throw new InvalidArgumentError('It must be a path; a file that is called - is ./-.');
  return text;
}
