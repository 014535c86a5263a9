import * as z from 'zod';

/** The type of a JSON value. */
export type Type =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'array'; readonly items: Type }
  | { readonly kind: 'record'; readonly values: Type }
  | { readonly kind: 'union'; readonly variants: readonly Type[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  readonly type: Type;
}

type Json = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

/** The type of the JSON that a schema accepts (`input`) or that it describes (`output`). */
export function typeOf(schema: z.ZodType, io: 'input' | 'output'): Type {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const convert = (json: Json): Type => {
    if (json.$ref !== undefined) return convert(root.$defs?.[json.$ref.replace('#/$defs/', '')] ?? {});
    if (json.const !== undefined) return text(literal(json.const));
    if (json.enum !== undefined) return union(json.enum.map(value => text(literal(value))));
    const variants = json.anyOf ?? json.oneOf;
    if (variants !== undefined) return union(variants.map(each => convert(schemaOf(each))));
    if (json.type === 'array') return { kind: 'array', items: convert(schemaOf(json.items)) };
    if (json.type === 'object') return json.properties === undefined ? record(json) : object(json);
    // A scalar that may be null has two types.
    return union([json.type ?? 'unknown'].flat().map(name => text(name === 'integer' ? 'number' : name)));
  };
  const record = (json: Json): Type => ({
    kind: 'record',
    values: convert(schemaOf(json.additionalProperties)),
  });
  const object = ({ properties = {}, required = [] }: Json): Type => ({
    kind: 'object',
    members: Object.entries(properties).map(([name, member]) => ({
      name,
      isOptional: !required.includes(name),
      description: schemaOf(member).description,
      type: convert(schemaOf(member)),
    })),
  });
  return convert(root);
}

/** The same type with every member optional. Only for the type of an object. */
export function partial(type: Type): Type {
  if (type.kind !== 'object') return type;
  return { ...type, members: type.members.map(member => ({ ...member, isOptional: true })) };
}

/** The same type whose optional members may be undefined. Only for the type of an object. */
export function orUndefined(type: Type): Type {
  if (type.kind !== 'object') return type;
  const members = type.members.map(member =>
    member.isOptional ? { ...member, type: union([member.type, text('undefined')]) } : member,
  );
  return { ...type, members };
}

/** A type without one of its members. Only for the type of an object. */
export function without(type: Type, member: string): Type {
  if (type.kind !== 'object') return type;
  return { ...type, members: type.members.filter(({ name }) => name !== member) };
}

/** Prints a type, read-only at every depth. `nameOf` returns the name of a nested type, or undefined to spell it out. */
export function print(type: Type, nameOf: (type: Type) => string | undefined): string {
  const nested = (part: Type) => nameOf(part) ?? print(part, nameOf);
  if (type.kind === 'text') return type.text;
  if (type.kind === 'array') {
    const items = nested(type.items);
    return `readonly ${/^[\w<>]+$/.test(items) ? items : `(${items})`}[]`;
  }
  if (type.kind === 'record') return `Readonly<Record<string, ${nested(type.values)}>>`;
  if (type.kind === 'union') return type.variants.map(nested).join(' | ');
  const members = type.members.map(({ name, isOptional, description, type: member }) => {
    const comment = description === undefined ? '' : `/** ${description} */\n`;
    return `${comment}readonly ${name}${isOptional ? '?' : ''}: ${nested(member)};\n`;
  });
  return `{\n${members.join('')}}`;
}

function text(value: string): Type {
  return { kind: 'text', text: value };
}

function union(variants: readonly Type[]): Type {
  const [only] = variants;
  return variants.length === 1 && only !== undefined ? only : { kind: 'union', variants };
}

/** A nested schema. Those that are true or missing describe any value. */
function schemaOf(json: Json | boolean | (Json | boolean)[] | undefined): Json {
  if (Array.isArray(json)) throw new Error('tuples are not supported');
  return typeof json === 'object' ? json : {};
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
