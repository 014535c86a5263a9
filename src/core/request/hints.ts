import * as z from 'zod';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/text.ts';
import { isObject } from './input.ts';

type Members = ReadonlyMap<string, z.ZodType>;

/** Returns the members that a schema has for a value: those of the matching variant of a union. */
type MembersFor = (value: Readonly<Record<string, unknown>>) => Members;

/** A member that a schema does not have. */
export interface UnknownMember {
  /** Its path, such as `body.identity.firstname`. */
  readonly path: string;
  /** The names that its schema has in its place. */
  readonly known: readonly string[];
  /** The end of a message: `, did you mean "x"?`, or an empty text when no known name is close. */
  readonly suggestion: string;
}

/** Cap on reported members. */
const MAX_REPORTED = 20;
const NONE: readonly UnknownMember[] = [];

/** Schemas do not change, so the members of each are collected once. */
const membersBySchema = new WeakMap<z.ZodType, MembersFor | null>();

/** The members of a value that its schema does not have, nested ones included. Returns at most 20. */
export function unknownMembers(schema: z.ZodType, value: unknown, where: string): readonly UnknownMember[] {
  const members = isObject(value) ? membersOf(schema)?.(value) : undefined;
  if (!isObject(value) || members === undefined) return NONE;
  let unknown = NONE;
  for (const name in value) {
    if (unknown.length >= MAX_REPORTED) break;
    const member = members.get(name);
    if (member === undefined) {
      const known = [...members.keys()];
      const path = `${where}.${shorten(name)}`;
      unknown = [...unknown, { path, known, suggestion: suggestion(name, known) }];
    } else if (isObject(value[name])) {
      unknown = [...unknown, ...unknownMembers(member, value[name], `${where}.${name}`)];
    }
  }
  return unknown.slice(0, MAX_REPORTED);
}

/** Hints about bounds of a list, parsed into milliseconds, between which no record can be. */
export function emptyPeriodHints(query: unknown): string[] {
  if (!isObject(query)) return [];
  const { from, to } = query;
  if (typeof from !== 'number' || typeof to !== 'number' || from < to) return [];
  if (from > to) return ['query.from is later than query.to, so nothing can match'];
  return [
    'query.from and query.to are the same moment, so almost nothing can match; a date is midnight UTC, so end a day with the next date',
  ];
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
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable)
    inner = inner.unwrap();
  if (inner instanceof z.ZodUnion && !(inner instanceof z.ZodDiscriminatedUnion))
    inner = inner.options.find(option => option instanceof z.ZodObject);
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
