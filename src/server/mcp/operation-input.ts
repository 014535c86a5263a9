import { type Member, membersOf } from '../../sandbox/operation-members.ts';
import type { operations } from '../../sandbox/operations.ts';

/** One entry of the operation table. */
export type Operation = (typeof operations)[number];

/** One argument of an operation: a parameter of its path, or a member of its query or body. */
export interface Argument {
  readonly name: string;
  readonly where: 'path' | 'query' | 'body';
  readonly isRequired: boolean;
  /** The members of query or body that it stands for; more than one for an object. */
  readonly members: readonly Member[];
}

/** Returns the arguments of an operation: the names of its path, then the outermost members of its query and body. */
export function argumentsOf({ path, query, body }: Operation): Argument[] {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Argument => ({ name, where: 'path', isRequired: true, members: [] }),
  );
  return [...params, ...outermost('query', membersOf(query)), ...outermost('body', membersOf(body))];
}

function outermost(where: 'query' | 'body', members: readonly Member[]): Argument[] {
  const names = [...new Set(members.map(({ path: [name = ''] }) => name))];
  return names.map(name => {
    const own = members.filter(({ path }) => path[0] === name);
    return { name, where, isRequired: own.some(({ isRequired }) => isRequired), members: own };
  });
}

/** Returns an operation with its arguments, as `clock.freeze(at?)`. */
export function signatureOf(operation: Operation): string {
  const names = argumentsOf(operation).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  return `${operation.id}(${names.join(', ')})`;
}

/** Returns the JSON Schema of an argument, without what only the sandbox checks. */
export function schemaOf({ where, members }: Argument): JsonType {
  const [member] = members;
  if (where === 'path') return { type: 'string' };
  if (member === undefined) return {};
  if (members.length > 1 || member.path.length > 1) return { type: 'object' };
  if (member.choices !== null) return { type: 'string', enum: member.choices };
  return TYPES[member.kind];
}

/** The part of JSON Schema that arguments use. */
export interface JsonType {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: JsonType;
}

const TYPES: Readonly<Record<Member['kind'], JsonType>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  pairs: { type: 'object' },
  json: {},
};
