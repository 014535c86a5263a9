import { type Command, InvalidArgumentError, Option } from 'commander';
import { DURATION_RULE, parseDuration } from '../../kernel/values/duration.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import type { Member } from './members.ts';

/** Flags that commands have for themselves; a member of the same name gets a prefix. */
const TAKEN = ['url', 'control-token', 'json', 'help'];

const PLACEHOLDERS = {
  text: 'text',
  number: 'number',
  json: 'json',
  texts: 'text',
  pairs: 'name=value',
  flag: '',
};

/** The option of a member: named after it, parsed by its kind, checked against its choices. */
export function optionFor(member: Member, renamed: Readonly<Record<string, string>> = {}): Option {
  const { kind, choices } = member;
  const name = flagName(member, renamed);
  const other = otherName(member, renamed);
  const placeholder = isMilliseconds(member) ? 'duration' : PLACEHOLDERS[kind];
  const flags = `${other === null ? '' : `--${other}, `}--${name}${kind === 'flag' ? '' : ` <${placeholder}>`}`;
  const option = new Option(flags, describe(member));
  if (choices !== null) option.argChoices = [...choices];
  if (kind !== 'flag') option.argParser((text, previous) => parse(member, text, previous));
  return option;
}

/** What a command was given for a member; undefined when nothing. */
export function givenFor(command: Command, option: Option): unknown {
  return command.getOptionValueSource(option.attributeName()) === undefined
    ? undefined
    : command.getOptionValue(option.attributeName());
}

/** A member's value as it is written without a flag. Throws an InvalidArgumentError. */
export function parse(member: Member, text: string, previous?: unknown): unknown {
  const { kind, choices } = member;
  if (choices !== null && !choices.includes(text)) {
    const hint = suggestion(text, choices).replace(/^, d/, ' D');
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${hint}`);
  }
  const earlier = Array.isArray(previous) ? previous : [];
  if (kind === 'number') return isMilliseconds(member) ? milliseconds(text) : number(text);
  if (kind === 'json') return looseJson(text);
  if (kind === 'texts') return [...earlier, text];
  if (kind !== 'pairs') return text;
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be written name=value.');
  return [...earlier, [text.slice(0, at), looseJson(text.slice(at + 1))]];
}

/** What a text stands for: a number, true, false, null or JSON where it is one, else the text itself. */
function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function number(text: string): number {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function milliseconds(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : parseDuration(text);
  if (value === null) throw new InvalidArgumentError(`It ${DURATION_RULE}.`);
  return value;
}

/** Members that count milliseconds end in Ms; people write them as durations. */
function isMilliseconds({ kind, path }: Member): boolean {
  return kind === 'number' && /Ms$/.test(path.at(-1) ?? '');
}

function flagName({ path }: Member, renamed: Readonly<Record<string, string>>): string {
  const [first = '', ...rest] = path;
  const kept = rest.length > 0 && renamed[first] === '' ? rest : path;
  const name = kebab(kept.join('-'));
  return TAKEN.includes(name) ? `with-${name}` : name;
}

function otherName(member: Member, renamed: Readonly<Record<string, string>>): string | null {
  const other = renamed[member.path.join('.')];
  if (other !== undefined && other !== '') return other;
  return isMilliseconds(member) ? kebab(member.path.join('-')).replace(/-ms$/, '') : null;
}

/** `cardProgramId` as `card-program-id`; `card_issuance` as `card-issuance`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function describe({ path, about, defaultValue, isRequired }: Member): string {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof defaultValue);
  const note = isScalar ? ` (default: ${defaultValue})` : isRequired ? ' (required)' : '';
  return (about ?? kebab(path.join('-')).replaceAll('-', ' ')) + note;
}
