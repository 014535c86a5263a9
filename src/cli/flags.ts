import { InvalidArgumentError, Option } from 'commander';
import { DURATION_RULE, parseDuration } from '../core/values/duration.ts';

// Commander passes a parser the previous value as its second argument, so parseInt must not be one.

/** Parses a flag's value as a whole number. The option's schema checks the range. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, not below 0.');
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

/** Returns the option `--control-token` of commands that call a running sandbox. */
export function controlTokenFlag(): Option {
  return new Option('--control-token <token>', 'its control-plane token, required beyond loopback')
    .env('CARD_SANDBOX_CONTROL_TOKEN')
    .argParser(visibleText);
}
