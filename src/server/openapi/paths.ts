import { STATUS_CODES } from 'node:http';
import type { Operation } from '../../core/operation/operation.ts';
import { capitalize } from '../../core/values/text.ts';
import type { Assumption } from '../../core/world/world.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import type { Components, Json } from './components.ts';
import type { Examples } from './examples.ts';
import { headersFor } from './headers.ts';
import { type Refusals, refusalResponses } from './refusals.ts';

export function pathsOf(
  operations: readonly Operation[],
  refusals: Refusals,
  components: Components,
  examples: Examples,
): Record<string, Json> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const object = operationObject(operation, refusals, components, examples);
    paths[operation.path] = { ...paths[operation.path], [method]: object };
  }
  return paths;
}

/** The tag of an operation: `Card programs` for `cardPrograms.list`. */
export function tagOf({ id }: Operation): string {
  const words = (id.split('.')[0] ?? id).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  if (!id.includes('.')) return 'Sandbox';
  return capitalize(words).replace(/^Kyc/, 'KYC');
}

function operationObject(
  operation: Operation,
  refusals: Refusals,
  components: Components,
  examples: Examples,
): Json {
  const { id, summary } = operation;
  const parameters = [
    ...pathParameters(operation, examples),
    ...queryParameters(operation, components, examples),
  ];
  const body = requestBody(operation, components, examples);
  return {
    operationId: id,
    summary,
    ...fidelityOf(operation),
    tags: [tagOf(operation)],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: body }),
    responses: {
      ...successResponses(operation, components, examples),
      ...refusalResponses(operation, refusals, components, examples),
    },
  };
}

/** The fidelity of an operation: a description for people, and `x-` members for programs. */
function fidelityOf({ plane, fidelity }: Operation): Json {
  if (fidelity.kind === 'documented') {
    return {
      description: `Documented in section ${fidelity.section} of the interface.`,
      'x-fidelity': 'documented',
      'x-section': fidelity.section,
    };
  }
  const { section, decision } = assumption(fidelity.id);
  const about =
    plane === 'partner' ? `where section ${section} of the interface is silent` : 'of the sandbox';
  return {
    description: `Assumed (\`${fidelity.id}\`), ${about}: ${decision}`,
    'x-fidelity': 'assumed',
    'x-assumption': fidelity.id,
    'x-section': section,
  };
}

function assumption(id: string): Assumption {
  const entry = assumptions.find(each => each.id === id);
  if (entry === undefined) throw new Error(`no assumption ${id} in the register`);
  return entry;
}

function pathParameters({ id, path }: Operation, examples: Examples): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const example = examples.param(id, name);
    return {
      name,
      in: 'path',
      required: true,
      ...(example?.isFromEarlier !== false && { description: 'From an earlier response.' }),
      schema: { type: 'string' },
      ...(example !== undefined && { example: example.value }),
    };
  });
}

/** The query parameters. The description and fidelity of a member move from its schema to the parameter. */
function queryParameters(
  { id, query, fidelity }: Operation,
  components: Components,
  examples: Examples,
): Json[] {
  const { properties = {}, required = [] } = components.resolve(components.schema(query, 'input')) as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, member]) => {
    const { description, 'x-fidelity': mark, 'x-assumption': assumed, ...schema } = member;
    const example = examples.query(id, name);
    const inherited =
      fidelity.kind === 'assumed'
        ? { 'x-fidelity': 'assumed', 'x-assumption': fidelity.id }
        : { 'x-fidelity': 'documented' };
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      schema,
      // A parameter with a default needs none.
      ...(example !== undefined && schema.default === undefined && { example }),
      ...(mark === undefined ? inherited : { 'x-fidelity': mark, 'x-assumption': assumed }),
    };
  });
}

function requestBody({ id, body }: Operation, components: Components, examples: Examples): Json | null {
  const schema = components.schema(body, 'input');
  const { properties, required = [], oneOf } = components.resolve(schema);
  if (oneOf === undefined && Object.keys(properties ?? {}).length === 0) return null;
  const isRequired = oneOf !== undefined || (Array.isArray(required) && required.length > 0);
  return {
    required: isRequired,
    content: { 'application/json': { schema, ...examples.requestBodies(id) } },
  };
}

function successResponses(
  { id, plane, responses, mediaType, responseHeaders }: Operation,
  components: Components,
  examples: Examples,
): Json {
  const entries = Object.entries(responses).map(([status, schema]) => {
    const headers = headersFor(plane, Number(status), responseHeaders);
    const plain = STATUS_CODES[status] ?? 'Success';
    if (schema === null) {
      const content = mediaType && { content: { [mediaType]: { schema: { type: 'string' } } } };
      return [status, { description: plain, headers, ...content }];
    }
    const { description = plain, ...rest } = components.schema(schema, 'output');
    const json = { schema: rest, ...examples.responses(id, Number(status)) };
    return [status, { description, headers, content: { 'application/json': json } }];
  });
  return Object.fromEntries(entries);
}
