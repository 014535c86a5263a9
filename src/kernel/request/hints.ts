import * as z from 'zod';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';
import { isObject } from './input.ts';

type Members = ReadonlyMap<string, z.ZodType>;

/** Returns the members that a schema has for a value: those of the matching variant of a union. */
type MembersFor = (value: Readonly<Record<string, unknown>>) => Members;

/** Cap on reported hints. */
const MAX_HINTS = 20;

/** Schemas do not change, so the members of each are collected once. */
const membersBySchema = new WeakMap<z.ZodType, MembersFor | null>();

/**
 * A hint for each member that the schema ignores, nested ones included, with the nearest known name if one is close.
 * Returns at most 20 hints.
 */
export function unknownMembers(schema: z.ZodType, value: unknown, where: string): string[] {
  const members = isObject(value) ? membersOf(schema)?.(value) : undefined;
  if (!isObject(value) || members === undefined) return [];
  const hints: string[] = [];
  for (const name in value) {
    if (hints.length >= MAX_HINTS) break;
    const member = members.get(name);
    if (member !== undefined) {
      hints.push(...unknownMembers(member, value[name], `${where}.${name}`));
    } else {
      const hint = `${where}.${shorten(name)} is unknown and was ignored`;
      hints.push(hint + suggestion(name, members.keys()));
    }
  }
  return hints.slice(0, MAX_HINTS);
}

function membersOf(schema: z.ZodType): MembersFor | null {
  let members = membersBySchema.get(schema);
  if (members === undefined) {
    members = collectMembers(schema);
    membersBySchema.set(schema, members);
  }
  return members;
}

/** Null for a schema of anything but objects. A value that matches no variant of a union gets the members of all. */
function collectMembers(schema: z.ZodType): MembersFor | null {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  if (inner instanceof z.ZodObject) {
    const members = shapeOf(inner);
    return () => members;
  }
  if (!(inner instanceof z.ZodDiscriminatedUnion)) return null;
  const { discriminator } = inner.def;
  const variants = inner.options.filter(option => option instanceof z.ZodObject).map(shapeOf);
  const all = new Map(variants.flatMap(members => [...members]));
  const byValue = new Map(
    variants.flatMap(members => {
      const literal = members.get(discriminator);
      return literal instanceof z.ZodLiteral
        ? [...literal.values].map(value => [value, members] as const)
        : [];
    }),
  );
  // The discriminator may have any type; the map has no entry for the wrong ones.
  return value => byValue.get(value[discriminator] as string) ?? all;
}

function shapeOf(object: z.ZodObject): Members {
  // The shape of an object schema holds schemas; its declared type is wider.
  return new Map(Object.entries(object.shape as Record<string, z.ZodType>));
}
