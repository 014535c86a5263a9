import type { ClientCall } from '../../client/client.ts';
import { nearest, suggestion } from '../../core/values/nearest.ts';
import { type Member, membersOf } from '../../sandbox/operation-members.ts';
import type { operations } from '../../sandbox/operations.ts';
import { checkNames, type Tool, type ToolArguments, ToolError, textArgument, toTexts } from './tool.ts';

export function operationTool(name: string, description: string, operations: readonly Operation[]): Tool {
  const ids = operations.map(({ id }) => id);
  return {
    name,
    description,
    properties: {
      action: { type: 'string', enum: ids, description: signaturesOf(operations) },
      ...propertiesOf(operations),
    },
    required: ['action'],
    async call(args, { worlds: { client }, signal }) {
      const operation = chooseOperation(name, operations, args);
      const request = requestOf(operation, args);
      const { body } = await client.control({ ...request, signal });
      return body ?? { done: operation.id };
    },
  };
}

function signaturesOf(operations: readonly Operation[]): string {
  return operations
    .filter(each => argumentsOf(each).length > 0)
    .map(signatureOf)
    .join(' ');
}

/** Returns the JSON Schemas of all arguments. Arguments of the same name share one. */
function propertiesOf(operations: readonly Operation[]): Record<string, JsonType> {
  const properties: Record<string, JsonType> = {};
  for (const argument of operations.flatMap(argumentsOf)) {
    const [known, schema] = [properties[argument.name], schemaOf(argument)];
    properties[argument.name] = known === undefined ? schema : mergeTypes(known, schema);
  }
  return properties;
}

function mergeTypes(one: JsonType, other: JsonType): JsonType {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.type === undefined || other.type === undefined) return {};
  const types = [...new Set([one.type, other.type].flat())];
  const type = types.length === 1 ? (types[0] ?? types) : types;
  const isChoice = one.enum !== undefined && other.enum !== undefined;
  return isChoice ? { type, enum: [...new Set([...one.enum, ...other.enum])] } : { type };
}

function chooseOperation(tool: string, operations: readonly Operation[], args: ToolArguments): Operation {
  const action = textArgument(args, 'action');
  const ids = operations.map(({ id }) => id);
  const hint = `the actions of ${tool} are ${ids.join(', ')}`;
  if (action === undefined) throw new ToolError(`the argument "action" of ${tool} is missing`, hint);
  const operation = operations.find(({ id }) => id === action);
  if (operation !== undefined) return operation;
  const close = ids.find(id => id.endsWith(`.${action}`)) ?? nearest(action, ids);
  const meant = close === null ? '' : suggestion(close, [close]);
  throw new ToolError(`${tool} has no action ${JSON.stringify(action)}${meant}`, hint);
}

function requestOf(operation: Operation, args: ToolArguments): ClientCall {
  const { action: _action, ...values } = args;
  const known = argumentsOf(operation);
  const required = known.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  checkNames(
    operation.id,
    values,
    known.map(({ name }) => name),
    required,
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textArgument(values, name) ?? ''),
  );
  const valuesIn = (where: 'query' | 'body') =>
    known
      .filter(each => each.where === where && values[each.name] !== undefined)
      .map(({ name }): [string, unknown] => [name, values[name]]);
  const query = toTexts(valuesIn('query'));
  const body = Object.fromEntries(valuesIn('body'));
  const request = { method: operation.method, path, query };
  return Object.keys(body).length === 0 ? request : { ...request, body };
}

export type Operation = (typeof operations)[number];

/** One argument of an operation: a parameter of its path, or a member of its query or body. */
interface Argument {
  readonly name: string;
  readonly where: 'path' | 'query' | 'body';
  readonly isRequired: boolean;
  /** The members of query or body that it stands for; more than one for an object. */
  readonly members: readonly Member[];
}

/** Returns the arguments of an operation: the names of its path, then the outermost members of its query and body. */
function argumentsOf({ path, query, body }: Operation): Argument[] {
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
function signatureOf(operation: Operation): string {
  const names = argumentsOf(operation).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  return `${operation.id}(${names.join(', ')})`;
}

/** Returns the JSON Schema of an argument, without what only the sandbox checks. */
function schemaOf({ where, members }: Argument): JsonType {
  const [member] = members;
  if (where === 'path') return { type: 'string' };
  if (member === undefined) return {};
  if (members.length > 1 || member.path.length > 1) return { type: 'object' };
  if (member.choices !== null) return { type: 'string', enum: member.choices };
  return TYPES[member.kind];
}

interface JsonType {
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
