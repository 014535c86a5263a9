import { findOperation } from '../../../client/find-operation.ts';
import type { AnyResponse } from '../../../client/http.ts';
import type { OperationEntry } from '../../../client/operation-table.ts';
import { RESPONSE_SCHEMAS, type ResponseSchema } from '../../../client/response-schemas.ts';
import { parseTimestamp } from '../../../core/values/timestamp.ts';
import { type Difference, valueText } from './matching.ts';

/** Sections of documented operations whose response the interface does not show. */
const BODY_NOT_SHOWN: readonly string[] = ['4.8', '4.11', '4.12'];
const SIMPLE_ERROR: ResponseSchema = {
  type: 'object',
  properties: { success: { const: false }, error: { type: 'string' } },
  required: ['success', 'error'],
};

const RATE_LIMIT_HEADERS: Readonly<Record<string, { expected: string; pattern: RegExp }>> = {
  'X-RateLimit-Limit': { expected: 'a whole number', pattern: /^\d+$/ },
  'X-RateLimit-Remaining': { expected: 'a whole number', pattern: /^\d+$/ },
  'X-RateLimit-Reset': { expected: 'a Unix timestamp in seconds', pattern: /^\d{10}$/ },
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/**
 * Returns where the response to a call differs from the table of operations in its content type, its rate-limit headers,
 * or the presence and type of a member. Objects may have further members. Where the interface does not show the body,
 * only a sandbox is known to answer so.
 */
export function shapeDifferences(
  method: string,
  path: string,
  { status, headers, body }: AnyResponse,
  isSandbox: boolean,
): Difference[] {
  const operation = findOperation('partner', method, path);
  if (operation === null || !(isSandbox || isShown(operation))) return [];
  const name = operation.responses?.[status];
  if (name === undefined && status < 400) return [];
  const schema = name === undefined ? SIMPLE_ERROR : (RESPONSE_SCHEMAS[name] ?? {});
  const type = headers['content-type'] ?? '';
  return [
    ...(/^application\/json\b/i.test(type)
      ? []
      : [{ path: 'headers.Content-Type', expected: 'application/json', got: valueText('type', type) }]),
    ...rateLimitDifferences(headers),
    ...schemaDifferences(schema, body, 'body'),
  ];
}

/** Compares the rate-limit headers (interface section 8), which a server without a rate limit does not send. */
function rateLimitDifferences(headers: AnyResponse['headers']): Difference[] {
  const entries = Object.entries(RATE_LIMIT_HEADERS);
  if (entries.every(([name]) => headers[name.toLowerCase()] === undefined)) return [];
  return entries.flatMap(([name, { expected, pattern }]) => {
    const got = headers[name.toLowerCase()];
    if (got !== undefined && pattern.test(got)) return [];
    return [{ path: `headers.${name}`, expected, got: valueText(name, got) }];
  });
}

function isShown({ section }: OperationEntry): boolean {
  return section !== undefined && !BODY_NOT_SHOWN.includes(section);
}

function schemaDifferences(schema: ResponseSchema, value: unknown, path: string): Difference[] {
  if (schema.$ref !== undefined) {
    return schemaDifferences(RESPONSE_SCHEMAS[schema.$ref.split('/').at(-1) ?? ''] ?? {}, value, path);
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return fewestDifferences(variants, value, path);
  const expected = unmetRule(schema, value);
  if (expected !== null) return [{ path, expected, got: valueText(path, value) }];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => schemaDifferences(schema.items ?? {}, item, `${path}[${index}]`));
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    // An object, because its schema has properties and its type is as expected.
    const got = Object.hasOwn(value as object, name) ? Reflect.get(value as object, name) : undefined;
    if (got === undefined && !schema.required?.includes(name)) return [];
    return schemaDifferences(member, got, `${path}.${name}`);
  });
}

/** Returns the differences from the variant that is most like the value. */
function fewestDifferences(variants: readonly ResponseSchema[], value: unknown, path: string): Difference[] {
  const all = variants.map(variant => schemaDifferences(variant, value, path));
  const fewest = all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  // The other variants of a scalar are named too: text or null.
  if (fewest.length !== 1 || fewest[0]?.path !== path) return fewest;
  const expected = all.flatMap(each => each.map(difference => difference.expected)).join(' or ');
  return fewest.map(difference => ({ ...difference, expected }));
}

/** Returns what a value itself must be, or null when it is. Its members are checked apart. */
function unmetRule(schema: ResponseSchema, value: unknown): string | null {
  if (schema.const !== undefined) return value === schema.const ? null : JSON.stringify(schema.const);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some(type => hasType(type, value))) {
    return types.map(type => KINDS[type] ?? type).join(' or ');
  }
  // The sandbox decides the values of an assumed enumeration.
  if (schema.enum !== undefined && schema['x-fidelity'] !== 'assumed' && !schema.enum.includes(value)) {
    return `one of ${schema.enum.join(', ')}`;
  }
  if (typeof value !== 'string') return null;
  if (schema.format === 'date-time' && parseTimestamp(value) === null) return 'an ISO 8601 timestamp';
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
    return `a text that matches /${schema.pattern}/`;
  }
  return null;
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
