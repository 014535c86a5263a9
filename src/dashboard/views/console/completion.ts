import { type Operation, resolve, type Schema } from './document.ts';
import { placeAtEnd } from './json-place.ts';

/** What can be written at a cursor. */
export interface Suggestion {
  /** The text that it inserts, such as `"limit": `. */
  readonly insert: string;
  /** The text that it is found by, such as `"limit"`. */
  readonly label: string;
  /** The type of a member, and whether it is required. */
  readonly detail: string;
}

/** Suggestions, and where the text begins that one of them replaces. */
export interface Completion {
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
}

/** How deep examples and unions of schemas are followed. */
const MAX_DEPTH = 6;

/** Returns what the schema of an operation's body allows at the end of a text, or null when that is unknown. */
export function completionsFor(operation: Operation, text: string): Completion | null {
  const place = placeAtEnd(text);
  if (place === null || operation.body === null) return null;
  const variants = place.path.reduce<readonly Schema[]>(
    (schemas, name) => schemas.flatMap(each => membersOf(operation, each, name)),
    variantsOf(operation, operation.body),
  );
  const suggestions =
    place.kind === 'name'
      ? variants.flatMap(each => namesIn(operation, each, place.present))
      : variants.flatMap(each => valuesOf(each));
  const byLabel = new Map(suggestions.toReversed().map(each => [each.label, each]));
  return { from: place.from, suggestions: [...byLabel.values()].toReversed() };
}

/** Returns a body for an operation: its example, or its required members. Empty for an operation without a body. */
export function bodyFor(operation: Operation): string {
  if (operation.body === null) return '';
  const value = operation.example ?? valueFor(operation, operation.body, 0);
  return JSON.stringify(value ?? {}, null, 2);
}

/** The schemas of which a value can be one, without references. */
function variantsOf(operation: Operation, schema: Schema, depth = 0): readonly Schema[] {
  const plain = resolve(operation.plane, schema);
  const parts = [...(plain.anyOf ?? []), ...(plain.oneOf ?? []), ...(plain.allOf ?? [])];
  if (depth === MAX_DEPTH) return [plain];
  return [plain, ...parts.flatMap(each => variantsOf(operation, each, depth + 1))];
}

function membersOf(operation: Operation, schema: Schema, name: string): readonly Schema[] {
  const member = name === '[]' ? schema.items : schema.properties?.[name];
  return member === undefined ? [] : variantsOf(operation, member);
}

function namesIn(operation: Operation, schema: Schema, present: readonly string[]): Suggestion[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !present.includes(name))
    .map(([name, member]) => {
      const plain = resolve(operation.plane, member);
      const isRequired = schema.required?.includes(name) ?? false;
      const label = JSON.stringify(name);
      return {
        label,
        insert: `${label}: `,
        detail: [typeText(plain), isRequired ? 'required' : ''].filter(Boolean).join(', '),
      };
    });
}

function valuesOf(schema: Schema): Suggestion[] {
  const given = schema.const === undefined ? [] : [schema.const];
  const values = [...given, ...(schema.enum ?? []), ...(schema.type === 'boolean' ? [true, false] : [])];
  const extra = [schema.default, schema.example].filter(each => each !== undefined);
  return [...values, ...extra].map(value => {
    const label = JSON.stringify(value);
    return { label, insert: label, detail: value === schema.default ? 'default' : '' };
  });
}

function typeText({ type, enum: values, const: only }: Schema): string {
  if (values !== undefined) return `one of ${values.length}`;
  if (only !== undefined) return JSON.stringify(only);
  return typeof type === 'string' ? type : (type?.join(' or ') ?? '');
}

/** A value that the schema may allow: with the required members, empty texts and zeros. */
function valueFor(operation: Operation, schema: Schema, depth: number): unknown {
  const plain = resolve(operation.plane, schema);
  const [first] = [...(plain.oneOf ?? []), ...(plain.anyOf ?? [])];
  const known = plain.example ?? plain.default ?? plain.const ?? plain.enum?.[0];
  if (known !== undefined) return known;
  if (first !== undefined && depth < MAX_DEPTH) return valueFor(operation, first, depth + 1);
  if (plain.type === 'number' || plain.type === 'integer') return 0;
  if (plain.type === 'boolean') return true;
  if (plain.type === 'array') return [];
  if (plain.type === 'string') return '';
  const required = depth === MAX_DEPTH ? [] : (plain.required ?? []);
  const members = plain.properties ?? {};
  return Object.fromEntries(
    required.flatMap(name =>
      members[name] === undefined ? [] : [[name, valueFor(operation, members[name], depth + 1)]],
    ),
  );
}
