import type * as z from 'zod';
import { API_PREFIX, CONTROL_PREFIX } from '../../core/values/plane.ts';
import { operations } from '../../sandbox/operations.ts';
import { nameOf, publishedNames } from './published-types.ts';
import { print } from './type-printer.ts';
import { orUndefined, type Type, typeOf } from './types.ts';

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

/** Returns an interface with one method for each operation of the control plane, by its id. */
export function controlApi(): string {
  const methods = operations
    .filter(({ plane }) => plane === 'control')
    .map(each => method(`'${each.id}'`, each, orUndefined));
  return withImports(`/**
 * The operations of the control plane by their ids. Each takes the parameters of its path, then its body and its query,
 * and resolves with the body of the response.
 */
export interface ControlApi {\n${methods.join('')}}\n
/** The body of the response of an operation. */
export type ControlResult<Id extends keyof ControlApi> = Awaited<ReturnType<ControlApi[Id]>>;\n`);
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

function method(name: string, operation: Operation, toInput = (type: Type) => type): string {
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => `${param}: string`);
  const inputs = inputsOf(operation).map(part => {
    const type = typeOf(operation[part], 'input');
    const isOptional = type.kind === 'object' && type.members.every(member => member.isOptional);
    return `${part}${isOptional ? '?' : ''}: ${nameOf(type) ?? print(toInput(type), nameOf)}`;
  });
  const results = [...new Set(Object.values(operation.responses).map(result))];
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

function result(schema: z.ZodType | null): string {
  if (schema === null) return 'void';
  const type = typeOf(schema, 'output');
  // The caller may change a list, which is its own.
  return type.kind === 'array' ? `(${text(type.items)})[]` : text(type);
}

function text(type: Type): string {
  return nameOf(type) ?? print(type, nameOf);
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
