import type * as z from 'zod';
import { shorten } from '../text.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'must be an ISO 8601 timestamp',
};

const MAX_NAMES = 20;

/** The message for a validation issue: what the value must be. Every message of a 400 comes from here. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const missing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      return missing ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value': {
      const values = issue.values.map(value => JSON.stringify(value)).join(', ');
      const rule = issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}`;
      return missing ? `is required and ${rule}` : rule;
    }
    case 'invalid_union':
      return describeUnion(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? `must be a valid ${issue.format}`;
    case 'too_small':
      return `must ${amount(issue.origin, Number(issue.minimum), 'at least')}`;
    case 'too_big':
      return `must ${amount(issue.origin, Number(issue.maximum), 'at most')}`;
    case 'unrecognized_keys':
      return `has unknown members: ${joinNames(issue.keys)}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not valid';
    default:
      return 'is not valid';
  }
}

/** A union fails on its discriminator; the input of the issue is the whole object. */
function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const { options, discriminator, input } = issue;
  if (!Array.isArray(options) || discriminator === undefined) return 'matches none of the possible shapes';
  const rule = `must be one of ${options.map(option => JSON.stringify(option)).join(', ')}`;
  const isPresent = typeof input === 'object' && input !== null && discriminator in input;
  return isPresent ? rule : `is required and ${rule}`;
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(shorten).join(', ');
  return names.length > MAX_NAMES ? `${shown}, … and ${names.length - MAX_NAMES} more` : shown;
}

function amount(origin: string, bound: number, comparison: string): string {
  if (origin === 'string') return `have ${comparison} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `have ${comparison} ${bound} ${bound === 1 ? 'item' : 'items'}`;
  return `be ${comparison} ${bound}`;
}
