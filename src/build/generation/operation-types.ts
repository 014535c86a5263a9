import * as z from 'zod';
import { API_PREFIX, CONTROL_PREFIX } from '../../core/values/plane.ts';
import { operations } from '../../sandbox/operations.ts';
import { nameOf, publishedNames } from './published-types.ts';
import { print } from './type-printer.ts';
import { key, orUndefined, type Type, typeOf } from './types.ts';

type Operation = (typeof operations)[number];

export function partnerApi(): string {
  const resources = Object.entries(verbsByResource()).map(([resource, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, operation]) => method(verb, operation));
    return `readonly ${resource}: {\n${methods.join('')}};\n`;
  });
  const comment =
    '/** The operations of the API, as calls of one partner. Each resolves with the body of the response. */';
  return withImports(`${comment}\nexport interface Api {\n${resources.join('')}}\n`);
}

/** Returns an interface with one method for each operation of the control plane, by its id, and its unpublished types. */
export function controlApi(): string {
  const ofControl = operations.filter(({ plane }) => plane === 'control');
  const records = new Map(
    ofControl.flatMap(each => Object.values(each.responses).flatMap(unpublishedRecord)),
  );
  const nameIn = (type: Type) =>
    nameOf(type) ?? [...records].find(([, record]) => key(record) === key(type))?.[0];
  const methods = ofControl.map(each => method(`'${each.id}'`, each, nameIn, orUndefined));
  return withImports(`/**
 * The operations of the control plane by their ids. Each takes the parameters of its path, then its body and its query,
 * and resolves with the body of the response.
 */
export interface ControlApi {\n${methods.join('')}}\n
/** The body of the response of an operation. */
export type ControlResult<Id extends keyof ControlApi> = Awaited<ReturnType<ControlApi[Id]>>;\n
${[...records].map(([name, type]) => `export interface ${name} ${print(type, nameIn)}\n`).join('\n')}`);
}

/** The record of a response that has a name but is not published, with its name. */
function unpublishedRecord(schema: z.ZodType | null): [string, Type][] {
  if (schema === null) return [];
  const root = typeOf(schema, 'output');
  const type = root.kind === 'array' ? root.items : root;
  const { $ref, items } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  // A list has one schema for all items.
  const name = ($ref ?? (items as { readonly $ref?: string } | undefined)?.$ref)?.replace('#/$defs/', '');
  return name === undefined || type.kind !== 'object' || nameOf(type) !== undefined ? [] : [[name, type]];
}

function withImports(source: string): string {
  const used = publishedNames.filter(name => new RegExp(`(?:[:<|(]|readonly) ?${name}\\b`).test(source));
  return `import type { ${used.sort().join(', ')} } from './records.ts';\n\n${source}`;
}

/** The operations of the API by the two parts of their ids: resource, then verb. */
function verbsByResource(): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  const all: Record<string, Record<string, Operation>> = {};
  for (const operation of operations.filter(({ plane }) => plane === 'partner')) {
    const [resource = '', verb = '', ...rest] = operation.id.split('.');
    if (verb === '' || rest.length > 0) throw new Error(`${operation.id} is not of the form resource.verb`);
    all[resource] = { ...all[resource], [verb]: operation };
  }
  return all;
}

function method(name: string, operation: Operation, nameIn = nameOf, toInput = (type: Type) => type): string {
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => `${param}: string`);
  const inputs = inputsOf(operation).map(part => {
    const type = typeOf(operation[part], 'input');
    const isOptional = type.kind === 'object' && type.members.every(member => member.isOptional);
    return `${part}${isOptional ? '?' : ''}: ${nameIn(type) ?? print(toInput(type), nameIn)}`;
  });
  const results = [...new Set(Object.values(operation.responses).map(schema => result(schema, nameIn)))];
  const prefix = operation.plane === 'partner' ? API_PREFIX : CONTROL_PREFIX;
  const comment = `/** ${operation.summary}: \`${operation.method} ${prefix}${operation.path}\`. */`;
  return `${comment}\n${name}(${[...params, ...inputs].join(', ')}): Promise<${results.join(' | ')}>;\n`;
}

/** The parts of a request that an operation takes besides its path. */
export function inputsOf(operation: Operation): ('body' | 'query')[] {
  return (['body', 'query'] as const).filter(part => {
    const type = typeOf(operation[part], 'input');
    return members(type).length > 0 || type.kind === 'union' || type.kind === 'record';
  });
}

function result(schema: z.ZodType | null, nameIn: typeof nameOf): string {
  if (schema === null) return 'void';
  const type = typeOf(schema, 'output');
  // The caller may change a list, which is its own.
  return type.kind === 'array' ? `(${text(type.items, nameIn)})[]` : text(type, nameIn);
}

function text(type: Type, nameIn: typeof nameOf): string {
  return nameIn(type) ?? print(type, nameIn);
}

function members(type: Type) {
  return type.kind === 'object' ? type.members : [];
}

/** Where an operation takes the id of a partner, if it does. */
export function partnerIn(operation: Operation): { readonly partnerIn?: 'query' | 'body' } {
  const part = (['query', 'body'] as const).find(each =>
    members(typeOf(operation[each], 'input')).some(({ name }) => name === 'partnerId'),
  );
  return part === undefined ? {} : { partnerIn: part };
}
