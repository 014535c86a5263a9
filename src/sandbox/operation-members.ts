import * as z from 'zod';

/** How a member of a query or body is written on a command line. */
export type MemberKind = 'text' | 'number' | 'flag' | 'json' | 'texts' | 'pairs';

export interface Member {
  /** The names that lead to it from the top of the body. */
  readonly path: readonly string[];
  readonly kind: MemberKind;
  readonly choices: readonly string[] | null;
  readonly isRequired: boolean;
  readonly about: string | null;
  readonly defaultValue: unknown;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
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

/** The members that were read from schemas. Reading them takes longer than all else that a command line needs. */
const known = new WeakMap<z.ZodType, readonly Member[]>();

/** Returns the members of a query or body, including the members of nested objects. */
export function membersOf(schema: z.ZodType): readonly Member[] {
  const members = known.get(schema) ?? readMembers(schema);
  known.set(schema, members);
  return members;
}

function readMembers(schema: z.ZodType): Member[] {
  // The generated schema is plain JSON; this code reads only the fields of the interface above.
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Schemas with a name are written out, except in themselves, where anything is accepted.
    metadata: z.registry(),
    override({ zodSchema, jsonSchema }) {
      const { id: _name, ...metadata } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, metadata);
    },
  }) as JsonSchema;
  return membersIn(json, [], true);
}

function membersIn(source: JsonSchema, path: readonly string[], isRequired: boolean): Member[] {
  const variants = source.anyOf?.map(plain) ?? [];
  const isTextOrObject = variants.some(isText) && variants.some(({ properties }) => properties !== undefined);
  if (isTextOrObject) return variants.flatMap(variant => membersIn(variant, path, false));
  const schema = plain(source);
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
      about: source.description ?? schema.description ?? null,
      defaultValue: source.default ?? schema.default,
    },
  ];
}

function isText(schema: JsonSchema): boolean {
  return schema.properties === undefined && kindOf(schema) === 'text';
}

function kindOf(schema: JsonSchema): MemberKind {
  const { type, items, additionalProperties } = schema;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean' || typeof schema.const === 'boolean') return 'flag';
  if (type === 'string' || typeof schema.const === 'string') return 'text';
  if (type === 'array' && items !== undefined && kindOf(plain(items)) === 'text') return 'texts';
  return type === 'object' && additionalProperties !== undefined ? 'pairs' : 'json';
}

/** Returns a schema without alternatives: null is dropped, and the members of alternative objects are merged. */
function plain(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'object') {
    const [type = 'null', other] = schema.type.filter(each => each !== 'null');
    if (other === undefined) return { ...schema, type };
  }
  const variants = (schema.anyOf ?? schema.oneOf)?.map(plain).filter(each => each.type !== 'null');
  if (variants === undefined || variants.length === 0) return schema;
  const [first = {}] = variants;
  if (variants.length === 1) return first;
  if (variants.every(each => each.properties !== undefined)) return mergeVariants(variants);
  if (variants.every(each => kindOf(each) === 'text')) return { type: 'string' };
  return variants.every(each => kindOf(each) === 'number') ? { type: 'number' } : {};
}

function mergeVariants(variants: readonly JsonSchema[]): JsonSchema {
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
