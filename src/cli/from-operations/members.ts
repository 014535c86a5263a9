import * as z from 'zod';

/** How a member of a query or a body is written on a command line. */
export type MemberKind = 'text' | 'number' | 'flag' | 'json' | 'texts' | 'pairs';

/** One member of a query or a body, as a command takes it. */
export interface Member {
  /** The way to it, from the top of the body. */
  readonly path: readonly string[];
  readonly kind: MemberKind;
  readonly choices: readonly string[] | null;
  /** Whether the operation refuses to do without it. */
  readonly isRequired: boolean;
  readonly about: string | null;
  readonly defaultValue: unknown;
}

/** The parts of JSON Schema that the schemas of operations use. */
interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** The members of a query or body, those of nested objects one by one. */
export function membersOf(schema: z.ZodType): Member[] {
  // The generated schema is plain JSON; the fields that are read here are those of the interface above.
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return membersIn(inlined(json, json.$defs ?? {}), [], true);
}

/** A schema with those it names by reference in their places; a schema within itself may be anything there. */
function inlined(
  schema: JsonSchema,
  defs: Readonly<Record<string, JsonSchema>>,
  within: readonly string[] = [],
): JsonSchema {
  const { $ref, ...others } = schema;
  const name = $ref?.replace('#/$defs/', '');
  if (name !== undefined) {
    const named = within.includes(name) ? {} : inlined(defs[name] ?? {}, defs, [...within, name]);
    return { ...named, ...others };
  }
  // JSON that is a schema in each of these places, or a list or record of such.
  const inline = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inline)
      : typeof value === 'object' && value !== null
        ? inlined(value as JsonSchema, defs, within)
        : value;
  const properties = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, inline(value)]);
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(properties) }),
    ...Object.fromEntries(
      (['items', 'anyOf', 'oneOf', 'additionalProperties'] as const).flatMap(key =>
        schema[key] === undefined ? [] : [[key, inline(schema[key])]],
      ),
    ),
  };
}

function membersIn(given: JsonSchema, path: readonly string[], isRequired: boolean): Member[] {
  const schema = plain(given);
  if (schema.properties !== undefined) {
    const { properties, required = [] } = schema;
    return Object.entries(properties).flatMap(([name, member]) =>
      membersIn(member, [...path, name], isRequired && required.includes(name)),
    );
  }
  if (path.length === 0) return [];
  const choices = schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : null);
  return [
    {
      path,
      kind: kindOf(schema),
      choices: choices?.map(String) ?? null,
      isRequired: isRequired && schema.default === undefined,
      about: given.description ?? schema.description ?? null,
      defaultValue: given.default ?? schema.default,
    },
  ];
}

function kindOf(schema: JsonSchema): MemberKind {
  const { type, items, additionalProperties } = schema;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean' || typeof schema.const === 'boolean') return 'flag';
  if (type === 'string' || typeof schema.const === 'string') return 'text';
  if (type === 'array' && items !== undefined && kindOf(plain(items)) === 'text') return 'texts';
  return type === 'object' && additionalProperties !== undefined ? 'pairs' : 'json';
}

/** A schema without its alternatives: null is left out, and objects that are told apart become one. */
function plain(schema: JsonSchema): JsonSchema {
  const variants = (schema.anyOf ?? schema.oneOf)?.map(plain).filter(each => each.type !== 'null');
  if (variants === undefined || variants.length === 0) return schema;
  const [first = {}] = variants;
  if (variants.length === 1) return first;
  if (variants.every(each => each.properties !== undefined)) return merged(variants);
  if (variants.every(each => kindOf(each) === 'text')) return { type: 'string' };
  return variants.every(each => kindOf(each) === 'number') ? { type: 'number' } : {};
}

function merged(variants: readonly JsonSchema[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const variant of variants) {
    for (const [name, member] of Object.entries(variant.properties ?? {})) {
      const [known, added] = [properties[name], plain(member)];
      const values = [...(known?.enum ?? [known?.const]), ...(added.enum ?? [added.const])];
      const isChoice = known !== undefined && values.every(value => typeof value === 'string');
      properties[name] = isChoice
        ? { ...known, type: 'string', enum: [...new Set(values)] }
        : (known ?? added);
    }
  }
  const [first, ...others] = variants.map(each => each.required ?? []);
  return { properties, required: (first ?? []).filter(name => others.every(each => each.includes(name))) };
}
