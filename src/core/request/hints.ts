import * as z from 'zod';
import { assumed, badRequest } from '../operation/errors.ts';
import type { Operation } from '../operation/operation.ts';
import { suggestion } from '../values/nearest.ts';
import { isWrapper } from '../values/schemas/map-schema.ts';
import { shorten } from '../values/text.ts';
import { isObject, type RequestInput } from './input.ts';

/** Hints about the parameters and fields that the operation does not know. `nameOf` returns the caller's name of one. */
export function hintsAbout(operation: Operation, input: RequestInput, nameOf?: NameOf): readonly string[] {
  return unknownIn(operation, input, nameOf).map(
    ({ path, suggestion }) => `${path} is unknown and was ignored${suggestion}`,
  );
}

/** Throws a 400 that names each parameter and field that the operation does not know. */
export function refuseUnknown(operation: Operation, input: RequestInput): void {
  const unknown = unknownIn(operation, input);
  if (unknown.length === 0) return;
  const problems = unknown.map(({ path, known, suggestion }) => {
    const names = known.length === 0 ? '; this operation takes none' : `; known are ${known.join(', ')}`;
    return `${path}: is unknown${suggestion === '' ? names : suggestion}`;
  });
  throw badRequest(assumed('unknown-members'), problems.join('; '));
}

type NameOf = (name: string) => string;

function unknownIn(
  operation: Operation,
  { query, body }: RequestInput,
  nameOf: NameOf = name => name,
): readonly UnknownMember[] {
  const inQuery = unknownMembers(operation.query, query, 'query', nameOf);
  const inBody = unknownMembers(operation.body, body, 'body', nameOf);
  return inQuery.length === 0 ? inBody : [...inQuery, ...inBody];
}

type Members = ReadonlyMap<string, z.ZodType>;

/** Returns the members that a schema has for a value: for a union, the members of the matching variant. */
type MembersFor = (value: Readonly<Record<string, unknown>>) => Members;

interface UnknownMember {
  /** Its path, such as `body.identity.firstname`. */
  readonly path: string;
  /** The names that its schema has in its place. */
  readonly known: readonly string[];
  /** The end of a message: `, did you mean "x"?`, or an empty text when no known name is close. */
  readonly suggestion: string;
}

const MAX_REPORTED = 20;
const NONE: readonly UnknownMember[] = [];

/** Schemas do not change, so the members of each are collected once. */
const membersBySchema = new WeakMap<z.ZodType, MembersFor | null>();

/** The members of a value that its schema does not have, nested ones included. Returns at most 20. */
function unknownMembers(
  schema: z.ZodType,
  value: unknown,
  where: string,
  nameOf: NameOf,
): readonly UnknownMember[] {
  const members = isObject(value) ? membersOf(schema)?.(value) : undefined;
  if (!isObject(value) || members === undefined) return NONE;
  let unknown = NONE;
  for (const name in value) {
    if (unknown.length >= MAX_REPORTED) break;
    const member = members.get(name);
    if (member === undefined) {
      const known = [...members.keys()].map(nameOf);
      const sent = nameOf(name);
      const path = `${where}.${shorten(sent)}`;
      unknown = [...unknown, { path, known, suggestion: suggestion(sent, known) }];
    } else if (isObject(value[name])) {
      unknown = [...unknown, ...unknownMembers(member, value[name], `${where}.${name}`, nameOf)];
    }
  }
  return unknown.slice(0, MAX_REPORTED);
}

function membersOf(schema: z.ZodType): MembersFor | null {
  let members = membersBySchema.get(schema);
  if (members === undefined) {
    members = collectMembers(schema);
    membersBySchema.set(schema, members);
  }
  return members;
}

/** Null for a schema of values without names, or of any value. A value that matches no variant of a union gets the members of all. */
function collectMembers(schema: z.ZodType): MembersFor | null {
  let inner: unknown = schema;
  while (inner instanceof z.ZodType && isWrapper(inner)) inner = inner.unwrap();
  if (inner instanceof z.ZodUnion && !(inner instanceof z.ZodDiscriminatedUnion))
    inner = inner.options.find(option => option instanceof z.ZodObject);
  if (inner instanceof z.ZodObject) {
    const members = shapeOf(inner);
    return () => members;
  }
  if (inner instanceof z.ZodRecord) return membersOfRecord;
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

/** Schemas of records take every name but `__proto__`, which they skip. */
function membersOfRecord(value: Readonly<Record<string, unknown>>): Members {
  const names = Object.keys(value).filter(name => name !== '__proto__');
  return new Map(names.map(name => [name, ANY]));
}

const ANY = z.unknown();

function shapeOf(object: z.ZodObject): Members {
  // The shape of an object schema holds schemas; its declared type is wider.
  return new Map(Object.entries(object.shape as Record<string, z.ZodType>));
}
