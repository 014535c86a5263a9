import * as z from 'zod';
import { isWrapper } from './map-schema.ts';

export type Conversion = (value: unknown) => unknown;

/**
 * Returns the conversion of the values of a schema in which `convert` returns a conversion for some of the schemas inside,
 * or null if it does for none. Objects are changed in place, unless they are frozen: a copy would cost more than the rest
 * of a request.
 */
export function conversion(
  schema: z.ZodType,
  convert: (schema: z.ZodType) => Conversion | null,
): Conversion | null {
  const own = convert(schema);
  if (own !== null) return own;
  // The parts of a schema are schemas; the types of zod name their wider base class.
  const inside = (part: unknown) => conversion(part as z.ZodType, convert);
  if (schema instanceof z.ZodObject) return ofMembers(schema.shape, inside);
  if (schema instanceof z.ZodUnion) return ofVariants(schema.options, inside);
  if (schema instanceof z.ZodArray) {
    const element = inside(schema.element);
    return (
      element &&
      (value => {
        if (!Array.isArray(value)) return value;
        if (Object.isFrozen(value)) return value.map(element);
        for (let index = 0; index < value.length; index++) value[index] = element(value[index]);
        return value;
      })
    );
  }
  return isWrapper(schema) ? inside(schema.unwrap()) : null;
}

function ofMembers(shape: object, inside: (part: unknown) => Conversion | null): Conversion | null {
  const members = Object.entries(shape).flatMap(([name, part]) => {
    const converted = inside(part);
    return converted === null ? [] : [[name, converted] as const];
  });
  if (members.length === 0) return null;
  return value => {
    if (typeof value !== 'object' || value === null) return value;
    // An object has members by name, whatever their values are.
    const changed = (Object.isFrozen(value) ? { ...value } : value) as Record<string, unknown>;
    for (const [name, converted] of members) changed[name] = converted(changed[name]);
    return changed;
  };
}

function ofVariants(
  options: readonly z.core.$ZodType[],
  inside: (part: unknown) => Conversion | null,
): Conversion | null {
  const variants = options.map(option => ({ option, converted: inside(option) }));
  if (variants.every(({ converted }) => converted === null)) return null;
  return value => {
    const variant = variants.find(({ option }) => z.safeParse(option, value).success);
    return variant?.converted?.(value) ?? value;
  };
}
