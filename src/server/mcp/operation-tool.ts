import type { ClientCall } from '../../client/client.ts';
import { nearest, suggestion } from '../../core/values/nearest.ts';
import { argumentsOf, type JsonType, type Operation, schemaOf, signatureOf } from './operation-input.ts';
import { checkNames, type Tool, type ToolArguments, ToolError, textArgument } from './tool.ts';

/** Creates a tool whose actions are operations of the control plane. */
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
      const operation = chosen(name, operations, args);
      const request = requestOf(operation, args);
      const text = operation.textTypes.length > 0;
      if (text) return new Response(await client.open({ ...request, signal })).text();
      const { body } = await client.control({ ...request, signal });
      return body ?? { done: operation.id };
    },
  };
}

/** Returns the operations that take arguments, with their names. */
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
    properties[argument.name] = known === undefined ? schema : merged(known, schema);
  }
  return properties;
}

function merged(one: JsonType, other: JsonType): JsonType {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.type === undefined || other.type === undefined) return {};
  const types = [...new Set([one.type, other.type].flat())];
  const type = types.length === 1 ? (types[0] ?? types) : types;
  const isChoice = one.enum !== undefined && other.enum !== undefined;
  return isChoice ? { type, enum: [...new Set([...one.enum, ...other.enum])] } : { type };
}

function chosen(tool: string, operations: readonly Operation[], args: ToolArguments): Operation {
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
  const part = (where: 'query' | 'body') =>
    known
      .filter(each => each.where === where && values[each.name] !== undefined)
      .map(({ name }) => [name, values[name]]);
  const query = Object.fromEntries(part('query').map(([name, value]) => [name, String(value)]));
  const body = Object.fromEntries(part('body'));
  const request = { method: operation.method, path, query };
  return Object.keys(body).length === 0 ? request : { ...request, body };
}
