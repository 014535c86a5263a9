import { API_PREFIX } from '../../../src/core/operation/plane.ts';
import { operations } from '../../../src/sandbox/operations.ts';
import { nameOf, sourceOf } from '../client-types.ts';
import { print, type Type, typeOf } from '../type-printer.ts';

type Operation = (typeof operations)[number];

const ofPartners = operations.filter(({ plane }) => plane === 'partner');

/** The operations of the API by the two parts of their ids: resource, then verb. */
function byResource(): Map<string, Map<string, Operation>> {
  const all = new Map<string, Map<string, Operation>>();
  for (const operation of ofPartners) {
    const [resource = '', verb = '', ...rest] = operation.id.split('.');
    if (verb === '' || rest.length > 0) throw new Error(`${operation.id} is not of the form resource.verb`);
    all.set(resource, (all.get(resource) ?? new Map()).set(verb, operation));
  }
  return all;
}

/** The source of `src/client/api/api-types.ts`: one method for each operation of the API. */
export function apiTypes(): string {
  const resources = [...byResource()].map(([resource, verbs]) => {
    const methods = [...verbs].map(([verb, operation]) => method(verb, operation));
    return `readonly ${resource}: {\n${methods.join('')}};\n`;
  });
  const comment =
    '/** The operations of the API, as calls of one partner. Each resolves with the body of the response. */';
  return sourceOf('api/api-types.ts', `${comment}\nexport interface Api {\n${resources.join('')}}\n`);
}

/** The source of `src/client/api/routes.ts`: how to call the operations. */
export function routes(): string {
  const api = [...byResource()].map(([resource, verbs]) => [
    resource,
    Object.fromEntries([...verbs].map(([verb, operation]) => [verb, call(operation)])),
  ]);
  const scopes = operations.flatMap(operation => {
    if (operation.plane !== 'control') return [];
    const has = (part: 'query' | 'body') =>
      members(typeOf(operation[part], 'input')).some(({ name }) => name === 'partnerId');
    return has('query') ? [[call(operation), 'query']] : has('body') ? [[call(operation), 'body']] : [];
  });
  return sourceOf(
    'api/routes.ts',
    `/** Method and path of each operation of the API. */
export const API_ROUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = ${json(api)};

/** The operations of the control plane that mean one partner, and where they take its id. */
export const PARTNER_SCOPES: Readonly<Record<string, 'query' | 'body'>> = ${json(scopes)};
`,
  );
}

function method(verb: string, operation: Operation): string {
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const [query, body] = [typeOf(operation.query, 'input'), typeOf(operation.body, 'input')];
  const [hasQuery, hasBody] = [members(query).length > 0, members(body).length > 0 || body.kind === 'union'];
  // The client sends the last argument of a GET as its query, and of any other method as its body.
  const misplaced = operation.method === 'GET' ? hasBody : hasQuery;
  if (misplaced) throw new Error(`${operation.id}: the client cannot send both a query and a body`);
  const name = hasQuery ? 'query' : 'body';
  const input = hasQuery ? query : body;
  const isOptional = input.kind === 'object' && input.members.every(member => member.isOptional);
  if (hasQuery || hasBody) params.push(`${name}${isOptional ? '?' : ''}: ${text(input)}`);
  const results = [...new Set(Object.values(operation.responses).map(result))];
  const comment = `/** ${operation.summary}: \`${operation.method} ${API_PREFIX}${operation.path}\`. */`;
  return `${comment}\n${verb}(${params.join(', ')}): Promise<${results.join(' | ')}>;\n`;
}

function result(schema: Operation['responses'][number] | undefined): string {
  return schema ? text(typeOf(schema, 'output')) : 'null';
}

function text(type: Type): string {
  return nameOf(type) ?? print(type, nameOf);
}

function members(type: Type) {
  return type.kind === 'object' ? type.members : [];
}

function call({ method: verb, path }: Operation): string {
  return `${verb} ${path}`;
}

function json(entries: readonly (readonly unknown[])[]): string {
  return JSON.stringify(Object.fromEntries(entries as [string, unknown][]));
}
