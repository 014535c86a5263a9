import * as z from 'zod';

/** A malformed request for an operation: the parts that differ from a valid one. */
export interface MalformedRequest {
  /** The parameter of the path, percent-encoded. */
  readonly id?: string;
  readonly query?: string;
  readonly key?: string;
  readonly body?: string | Uint8Array;
}

/** The path from the top of a body to a member. */
type MemberPath = readonly (string | number)[];

/** The parts of a JSON Schema that matter here. */
interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const MARKER = '\u0001marker';

/**
 * Returns a function for each member that the schema declares or that the valid body has, at any depth. The function
 * writes the valid body as JSON, with a raw text as the value of that member.
 */
export function memberWriters(schema: z.ZodType, validBody: unknown): ((raw: string) => string)[] {
  // Zod's type of a JSON Schema has all of these members and more.
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const paths = [...declaredIn(root, root.$defs ?? {}), ...presentIn(validBody)];
  return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()].map(path => {
    const [head, tail] = JSON.stringify(put(validBody, path, MARKER)).split(JSON.stringify(MARKER));
    return raw => `${head}${raw}${tail}`;
  });
}

function declaredIn(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): MemberPath[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const referenced = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')];
  const members: [string | number, JsonSchema][] = Object.entries(properties);
  if (items !== undefined) members.push([0, items]);
  return [
    ...members.flatMap(([step, member]) => below(step, declaredIn(member, definitions))),
    ...[...anyOf, ...oneOf, ...allOf, ...(referenced === undefined ? [] : [referenced])].flatMap(each =>
      declaredIn(each, definitions),
    ),
  ];
}

/** The members of a value. Of a list only the first item, because the others are like it. */
function presentIn(value: unknown): MemberPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map(first => [0, first])
    : Object.entries(value);
  return members.flatMap(([step, member]) => below(step, presentIn(member)));
}

function below(step: string | number, paths: readonly MemberPath[]): MemberPath[] {
  return [[step], ...paths.map(path => [step, ...path])];
}

function put(value: unknown, [step, ...rest]: MemberPath, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (typeof step === 'number') {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, replacement), ...others];
  }
  const members: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  return { ...members, [step]: put(members[step], rest, replacement) };
}
