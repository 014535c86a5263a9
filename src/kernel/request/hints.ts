import * as z from 'zod';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';
import { isObject } from './input.ts';

type Members = ReadonlyMap<string, z.ZodType>;

/** What a schema knows: the members of its object, given what tells its kinds of object apart. */
type Known = (given: Readonly<Record<string, unknown>>) => Members;

/** More hints than this help nobody. */
const MOST_HINTS = 20;

/** Schemas stay the same from request to request, so what they know is found out once. */
const knownBySchema = new WeakMap<z.ZodType, Known | null>();

/**
 * A hint for each member that the schema passes over, with the nearest known name where one is close; twenty
 * at most. Members of members are looked at too.
 */
export function unknownMembers(schema: z.ZodType, given: unknown, where: string): string[] {
  const members = isObject(given) ? knownOf(schema)?.(given) : undefined;
  if (!isObject(given) || members === undefined) return [];
  const hints: string[] = [];
  for (const name in given) {
    if (hints.length >= MOST_HINTS) break;
    const member = members.get(name);
    if (member !== undefined) {
      hints.push(...unknownMembers(member, given[name], `${where}.${name}`));
    } else {
      const meant = suggestion(name, members.keys());
      hints.push(`${where}.${shorten(name)} is unknown and was ignored${meant}`);
    }
  }
  return hints.slice(0, MOST_HINTS);
}

function knownOf(schema: z.ZodType): Known | null {
  let known = knownBySchema.get(schema);
  if (known === undefined) {
    known = findKnown(schema);
    knownBySchema.set(schema, known);
  }
  return known;
}

/**
 * The members that a schema of an object knows; of one of several kinds of object, those of the kind that is
 * given, or of all while that is not clear. Null for a schema of anything else.
 */
function findKnown(schema: z.ZodType): Known | null {
  let inner: unknown = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  if (inner instanceof z.ZodObject) {
    const members = membersOf(inner);
    return () => members;
  }
  if (!(inner instanceof z.ZodDiscriminatedUnion)) return null;
  const { discriminator } = inner.def;
  const kinds = inner.options.filter(option => option instanceof z.ZodObject).map(membersOf);
  const all = new Map(kinds.flatMap(members => [...members]));
  const byValue = new Map(
    kinds.flatMap(members => {
      const literal = members.get(discriminator);
      return literal instanceof z.ZodLiteral
        ? [...literal.values].map(value => [value, members] as const)
        : [];
    }),
  );
  // What is given may be of any type; a map simply has no entry for most.
  return given => byValue.get(given[discriminator] as string) ?? all;
}

function membersOf(object: z.ZodObject): Members {
  // The shape of an object schema holds schemas; its type says less.
  return new Map(Object.entries(object.shape as Record<string, z.ZodType>));
}
