import { type Command, InvalidArgumentError, Option } from 'commander';
import { kebab } from '../../core/values/kebab.ts';
import type { Member } from '../../sandbox/operation-members.ts';
import { checkChoice, collect, duration } from '../flags.ts';

const PLACEHOLDERS = {
  text: 'text',
  number: 'number',
  json: 'json',
  texts: 'text',
  pairs: 'name=value',
  flag: '',
};

/**
 * Returns the option of a member: named after it, parsed by its kind, checked against its choices. A member that is true
 * by default has the option `--no-<name>`.
 */
export function optionFor(member: Member, renamed: Readonly<Record<string, string>> = {}): Option {
  const { kind, choices } = member;
  const name = flagName(member, renamed);
  if (kind === 'flag' && member.defaultValue === true) return new Option(`--no-${name}`, describe(member));
  const placeholder = isMilliseconds(member) ? 'duration' : PLACEHOLDERS[kind];
  const option = new Option(`--${name}${kind === 'flag' ? '' : ` <${placeholder}>`}`, describe(member));
  if (choices !== null) option.argChoices = [...choices];
  if (kind !== 'flag') option.argParser((text, previous) => parse(member, text, previous));
  return option;
}

export function optionValue(command: Command, option: Option): unknown {
  const source = command.getOptionValueSource(option.attributeName());
  // A `--no-` option that is not set has the value true, from its default.
  return source === undefined || source === 'default'
    ? undefined
    : command.getOptionValue(option.attributeName());
}

export function parse(member: Member, text: string, previous?: unknown): unknown {
  const { kind, choices } = member;
  if (choices !== null) checkChoice(text, choices);
  if (kind === 'number' && isMilliseconds(member)) return /^\d+$/.test(text) ? Number(text) : duration(text);
  if (kind === 'number') return signedNumber(text);
  if (kind === 'json') return looseJson(text);
  if (kind === 'texts') return collect(text, previous);
  if (kind !== 'pairs') return text;
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must have the form name=value.');
  return collect([text.slice(0, at), looseJson(text.slice(at + 1))], previous);
}

/** Parses a text as JSON (a number, true, false, null, …), and returns the text itself when it is not JSON. */
function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function signedNumber(text: string): number {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  // As in the API, which refuses the text of an amount: once parsed, 30.000 is 30.
  if (/\.\d{3}/.test(text)) throw new InvalidArgumentError('It must have at most two decimals.');
  return Number(text);
}

/** Members in milliseconds have names that end in Ms; their flags take durations. */
function isMilliseconds({ kind, path }: Member): boolean {
  return kind === 'number' && /Ms$/.test(path.at(-1) ?? '');
}

function flagName(member: Member, renamed: Readonly<Record<string, string>>): string {
  const { path } = member;
  const [first = '', ...rest] = path;
  const kept = rest.length > 0 && renamed[first] === '' ? rest : path;
  const name = renamed[path.join('.')] || kebab(kept.join('-'));
  return isMilliseconds(member) ? name.replace(/-ms$/, '') : name;
}

function describe({ path, about, defaultValue, isRequired }: Member): string {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof defaultValue);
  const note = isScalar ? ` (default: ${defaultValue})` : isRequired ? ' (required)' : '';
  return (about ?? kebab(path.join('-')).replaceAll('-', ' ')) + note;
}
