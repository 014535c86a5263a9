import * as z from 'zod';

/** Returns what replaces a schema, or null to keep it and to look at the schemas inside. */
export type Replace = (schema: z.ZodType) => z.ZodType | null;

/** Returns a schema in which each schema that `replace` returns another for is replaced; the same schema if `replace` returns none. */
export function mapSchema(schema: z.ZodType, replace: Replace): z.ZodType {
  // A schema with an id that occurs twice has to stay one schema.
  const known = new Map<z.ZodType, z.ZodType>();
  const map = (each: z.ZodType): z.ZodType => {
    const mapped = known.get(each) ?? replace(each) ?? mapParts(each, map);
    known.set(each, mapped);
    return mapped;
  };
  return map(schema);
}

function mapParts(schema: z.ZodType, map: (part: z.ZodType) => z.ZodType): z.ZodType {
  // The parts of a schema are schemas; the types of zod name their wider base class.
  const inside = (part: unknown) => map(part as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, part]) => [name, part, inside(part)] as const);
    if (members.every(([, part, mapped]) => part === mapped)) return schema;
    return replaceParts(schema, {
      shape: Object.fromEntries(members.map(([name, , mapped]) => [name, mapped])),
    });
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(inside);
    return options.every((each, index) => each === schema.options[index])
      ? schema
      : replaceParts(schema, { options });
  }
  if (schema instanceof z.ZodArray) {
    const element = inside(schema.element);
    return element === schema.element ? schema : replaceParts(schema, { element });
  }
  if (isWrapper(schema)) {
    const innerType = inside(schema.unwrap());
    return innerType === schema.unwrap() ? schema : replaceParts(schema, { innerType });
  }
  return schema;
}

/** Whether a schema is another one that may be left out or null, or has a default. */
export function isWrapper(
  schema: z.ZodType,
): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodExactOptional {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodExactOptional
  );
}

/** Returns a schema of the same class and description with other parts. */
export function replaceParts(schema: z.ZodType, parts: object): z.ZodType {
  return withDescription(z.clone(schema, { ...schema.def, ...parts }), schema);
}

/** Returns a copy of a schema with the description of another one, and otherwise its own metadata, such as a format. */
export function copyDescription(schema: z.ZodType, other: z.ZodType): z.ZodType {
  return withDescription(withDescription(z.clone(schema, schema.def), schema), other);
}

function withDescription(schema: z.ZodType, other: z.ZodType): z.ZodType {
  const meta = other.meta();
  return meta === undefined ? schema : schema.register(z.globalRegistry, { ...schema.meta(), ...meta });
}
