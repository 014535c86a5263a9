import * as z from 'zod';
import { DURATION_PATTERN } from '../../core/values/duration.ts';

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
    if (json.const !== undefined) return textType(literal(json.const));
    if (json.enum !== undefined) return unionType(json.enum.map(value => textType(literal(value))));
    const variants = json.anyOf ?? json.oneOf;
    if (variants !== undefined) return unionType(variants.map(each => convert(schemaOf(each))));
    if (json.pattern === DURATION_PATTERN.source) return textType('Duration');
    if (json.type === 'array') return { kind: 'array', items: convert(schemaOf(json.items)) };
    if (json.type === 'object') return json.properties === undefined ? record(json) : object(json);
    // A scalar that may be null has two types.
    return unionType(
      [json.type ?? 'unknown'].flat().map(name => textType(name === 'integer' ? 'number' : name)),
    );
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

/** The type of an object with other members, in their order. Any other type stays as it is. */
function mapMembers(type: Type, change: (member: Member) => readonly Member[]): Type {
  return type.kind === 'object' ? { ...type, members: type.members.flatMap(change) } : type;
}

export function partial(type: Type): Type {
  return mapMembers(type, member => [{ ...member, isOptional: true }]);
}

/** The same type whose optional members may be undefined. */
export function orUndefined(type: Type): Type {
  return mapMembers(type, member =>
    member.isOptional ? [{ ...member, type: unionType([member.type, textType('undefined')]) }] : [member],
  );
}

export function withOptional(type: Type, name: string): Type {
  return mapMembers(type, member => [member.name === name ? { ...member, isOptional: true } : member]);
}

export function without(type: Type, name: string): Type {
  return mapMembers(type, member => (member.name === name ? [] : [member]));
}

/** A type whose member has another type, written in TypeScript. */
export function withType(type: Type, name: string, value: string): Type {
  return mapMembers(type, member => [member.name === name ? { ...member, type: textType(value) } : member]);
}

export function textType(value: string): Type {
  return { kind: 'text', text: value };
}

export function unionType(variants: readonly Type[]): Type {
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

/** The type at a path of members. Throws for a path that leads nowhere. */
export function at(type: Type, path: readonly string[]): Type {
  return path.reduce((part, name) => {
    const found = part.kind === 'object' && part.members.find(member => member.name === name);
    if (!found) throw new Error(`no member ${name} in ${key(part)}`);
    return found.type;
  }, type);
}

/** The type at a path in the items of an array. Throws for a path that leads nowhere. */
export function item(type: Type, ...path: readonly string[]): Type {
  if (type.kind !== 'array') throw new Error(`not an array: ${key(type)}`);
  return at(type.items, path);
}

export function variant(type: Type, index: number): Type {
  const found = type.kind === 'union' ? type.variants[index] : undefined;
  if (found === undefined) throw new Error(`no variant ${index} in ${key(type)}`);
  return found;
}

/** The type of what is not null. Throws for a type that cannot be null. */
export function notNull(type: Type): Type {
  return variant(type, 0);
}

/** A text that is the same for types of the same shape, whatever their doc comments are. */
export function key(type: Type): string {
  return JSON.stringify(type, (name, value) => (name === 'description' ? undefined : value));
}

export function isSame(one: Type, other: Type): boolean {
  return key(one) === key(other);
}
