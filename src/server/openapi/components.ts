import * as z from 'zod';

/** A JSON Schema, or another part of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** The shared schemas of a document: each schema with an id (`.meta({ id })`) once. */
export class Components {
  readonly #schemas = new Map<string, Json>();

  /** Schemas with an id become references. Throws when two different schemas have the same id. */
  schema(schema: z.ZodType, io: 'input' | 'output'): Json {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: complete });
    const { $schema: _dialect, $defs = {}, ...root } = withReferences(converted);
    for (const [id, definition] of Object.entries($defs)) this.#add(id, definition);
    return root;
  }

  /** The schema that a reference refers to. Returns any other schema unchanged. */
  resolve(schema: Json): Json {
    const id = typeof schema.$ref === 'string' ? nameOf(schema.$ref) : undefined;
    return (id === undefined ? undefined : this.#schemas.get(id)) ?? schema;
  }

  /** All shared schemas, by id, in alphabetical order. */
  all(): Record<string, Json> {
    const named = [...this.#schemas].map(([id, schema]): [string, Json] => [id, this.#withMapping(schema)]);
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(id: string, schema: Json): void {
    const known = this.#schemas.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the id ${id}; give one of them another id`);
    }
    this.#schemas.set(id, schema);
  }

  /** Adds to each discriminator in a schema the mapping from its values to the variants. */
  #withMapping(schema: Json): Json {
    return JSON.parse(JSON.stringify(schema), (_key, value) => {
      const property = value?.discriminator?.propertyName;
      if (typeof property !== 'string' || !Array.isArray(value.oneOf)) return value;
      const variants = value.oneOf.map(({ $ref }: { $ref: string }) => [
        this.#constantOf($ref, property),
        $ref,
      ]);
      return { ...value, discriminator: { propertyName: property, mapping: Object.fromEntries(variants) } };
    });
  }

  #constantOf($ref: string, property: string): unknown {
    const { properties } = this.resolve({ $ref }) as { properties?: Record<string, { const?: unknown }> };
    return properties?.[property]?.const;
  }
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Adds what the conversion omits: the discriminator of a union, and a default that `.meta` declares for a string. */
function complete({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const { def } = zodSchema._zod;
  const { default: preset } = z.globalRegistry.get(zodSchema) ?? {};
  if (preset !== undefined) Object.assign(jsonSchema, { default: preset });
  if (def.type === 'union' && 'discriminator' in def) {
    Object.assign(jsonSchema, { discriminator: { propertyName: def.discriminator } });
  }
}

/** The schema with references to the shared schemas of the document. */
function withReferences(schema: object): Json & { readonly $defs?: Readonly<Record<string, Json>> } {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
