import * as z from 'zod';

/** One odd request for an operation: where it departs from a good one. */
export interface Odd {
  /** What stands in the braces of the path, percent-encoded. */
  readonly id?: string;
  readonly query?: string;
  readonly key?: string;
  readonly body?: string | Uint8Array;
}

/** Steps from the top of a body to one of its members. */
type Place = readonly (string | number)[];

/** A JSON schema, as far as it is looked at here. */
interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

const HERE = '\u0001here';

/**
 * Takes a body apart at each member that its schema declares or that a good body has, at any depth: each of the
 * functions returned writes the good body with a text of its own in the place of one member's.
 */
export function placesIn(schema: z.ZodType, good: unknown): ((raw: string) => string)[] {
  // Zod's own type of a schema has each of these members, and many more.
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const places = [...declared(shape, shape.$defs ?? {}), ...held(good)];
  return [...new Map(places.map(place => [JSON.stringify(place), place])).values()].map(place => {
    const [head, tail] = JSON.stringify(put(good, place, HERE)).split(JSON.stringify(HERE));
    return raw => `${head}${raw}${tail}`;
  });
}

function declared(shape: Shape, all: Readonly<Record<string, Shape>>): Place[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = shape;
  const meant = $ref === undefined ? undefined : all[$ref.replace('#/$defs/', '')];
  const members: [string | number, Shape][] = Object.entries(properties);
  if (items !== undefined) members.push([0, items]);
  return [
    ...members.flatMap(([step, member]) => below(step, declared(member, all))),
    ...[...anyOf, ...oneOf, ...allOf, ...(meant === undefined ? [] : [meant])].flatMap(each =>
      declared(each, all),
    ),
  ];
}

/** The members of a value; of a list only the first, since the others are like it. */
function held(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map(first => [0, first])
    : Object.entries(value);
  return members.flatMap(([step, member]) => below(step, held(member)));
}

function below(step: string | number, places: readonly Place[]): Place[] {
  return [[step], ...places.map(place => [step, ...place])];
}

function put(value: unknown, [step, ...rest]: Place, last: unknown): unknown {
  if (step === undefined) return last;
  if (typeof step === 'number') {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, last), ...others];
  }
  const members: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  return { ...members, [step]: put(members[step], rest, last) };
}
