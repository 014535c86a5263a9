import { causeOf } from '../../core/operation/errors.ts';
import { operations } from '../../sandbox/operations.ts';
import { openApiDocument } from '../../server/openapi/document.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import type { JsonSchema } from './field-table.ts';
import { markdownTable } from './markdown.ts';
import { decisionText } from './operation-tables.ts';

interface Content {
  readonly content?: {
    readonly 'application/json'?: {
      readonly schema: JsonSchema;
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    };
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly 'x-assumption'?: string;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

// The document is built from the table of operations, in this shape.
const { paths, components, webhooks } = openApiDocument('partner') as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
};

/** The decisions that concern a resource as a whole, besides those that its operations name. */
const FURTHER_RULES: Readonly<Record<string, readonly string[]>> = {
  Cardholders: [
    ...['cardholder-creation', 'cardholder-uniqueness', 'email-format', 'phone-format', 'email-comparison'],
    ...[
      'reimport-order',
      'idp2-variant',
      'magic-tokens',
      'address-fields',
      'kyc-decision',
      'cardholder-moves',
    ],
  ],
  Cards: ['card-values', 'card-initial-status', 'spend-windows'],
  Transactions: ['decline-reasons', 'transaction-moves', 'authorization-expiry'],
  Balance: ['balance-events'],
  Usage: ['usage'],
  Webhooks: ['patch-config', 'unset-config', 'deliveries', 'unrecorded-events'],
};

/** The assumptions whose decisions are what the tables of fields show, or what the page begins with. */
const SHOWN = /-parameter$|^(?:unknown-id|cardholder-list|card-programs|transactions|balance)$/;

/** The operations of a tag, each with its fields and refusals, then the records and the assumptions that they rest on. */
export function apiSection(tag: string): string {
  const own = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      described.tags.includes(tag) ? [{ title: `${method.toUpperCase()} ${path}`, described }] : [],
    ),
  );
  const parts = own.map(({ title, described }) => operationText(title, described));
  const shown = own.flatMap(({ described }) => responseSchemas(described));
  const records = [...new Set(shown.flatMap(recordsIn))].filter(name => firstTag(name) === tag);
  return [
    ...parts,
    ...records.map(name => `### ${name}\n\n${recordText(name, records)}`),
    rulesOf(
      own.map(({ described }) => described),
      tag,
    ),
  ].join('\n\n');
}

export function conflictBodies(): string {
  const { examples = {} } = jsonOf(paths['/partner/cardholders']?.post?.responses[409]) ?? {};
  const blocks = Object.values(examples).map(({ summary, value }) => `${summary}:\n\n${jsonBlock(value)}`);
  return blocks.join('\n\n');
}

/** The body of a webhook, and the one record that only an event has. */
export function eventBody(): string {
  const { examples = {} } = jsonOf(webhooks['cardholder.kyc.updated']?.post.requestBody) ?? {};
  const [example] = Object.values(examples);
  return `${jsonBlock(example?.value)}\n\n### OtpNotice\n\n${fieldRows(schemaNamed('OtpNotice'))}`;
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

const jsonOf = (part: Content | undefined) => part?.content?.['application/json'];

function operationText(title: string, described: Described): string {
  const { operationId, parameters = [], requestBody, responses } = described;
  const operation = operations.find(({ id }) => id === operationId);
  if (operation === undefined) throw new Error(`${operationId} is not in the table of operations`);
  const { fidelity, summary } = operation;
  const basis =
    fidelity.kind === 'documented' ? `Documented (${fidelity.section})` : `Assumed: \`${fidelity.id}\``;
  const query = parameters.filter(
    ({ name, in: place }) => place === 'query' && !['page', 'limit'].includes(name),
  );
  const body = jsonOf(requestBody)?.schema;
  const fields = [
    ...query.map(({ name, schema, ...rest }) => fieldRow(name, { ...schema, ...rest }, 'query')),
    ...(body === undefined ? [] : bodyRows(resolved(body))),
  ];
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const results = successes.map(([status, each]) => `${status} ${typeOf(jsonOf(each)?.schema ?? {})}`);
  const isPaged = parameters.some(({ name }) => name === 'page');
  return [
    `### ${title}\n\n${summary}. ${basis}. Responds with ${results.join(', ')}${isPaged ? ' (`page`, `limit`)' : ''}.`,
    ...(fields.length === 0 ? [] : [markdownTable(['Field', 'Value', 'Rules'], merged(fields))]),
    ...refusalsOf(operation.causes),
  ].join('\n\n');
}

function refusalsOf(causes: (typeof operations)[number]['causes']): string[] {
  const groups = new Map<string, string[]>();
  for (const rule of causes) {
    const basis = rule.kind === 'documented' ? rule.section : `\`${rule.id}\``;
    const key = `${rule.status} ${basis}`;
    groups.set(key, [...(groups.get(key) ?? []), `\`${causeOf(rule)}\``]);
  }
  const texts = [...groups].map(([key, names]) => {
    const [status, basis] = key.split(' ');
    return `${status} ${names.join(', ')}${names.join() === basis || basis === '`unknown-id`' ? '' : ` (${basis})`}`;
  });
  return texts.length === 0 ? [] : [`Refusals: ${texts.join('; ')}.`];
}

function bodyRows(schema: JsonSchema): string[][] {
  const variants = schema.oneOf?.map(resolved) ?? [schema];
  const names = [...new Set(variants.flatMap(each => Object.keys(each.properties ?? {})))];
  return names.map(name => {
    const having = variants.filter(each => each.properties?.[name] !== undefined);
    const values = having.flatMap(each => each.properties?.[name]?.const ?? []);
    const field = values.length > 1 ? { enum: values } : (having[0]?.properties?.[name] ?? {});
    const isRequired = having.every(each => each.required?.includes(name));
    const sources = having.map(each => `\`${each.properties?.kycSource?.const}\``);
    const scope = having.length < variants.length ? ` with ${sources.join(' and ')}` : '';
    return fieldRow(name, field, `${isRequired ? 'required' : 'optional'}${scope}`);
  });
}

/** The fields of a record, or those that it has beside the fields of another one. */
function recordText(name: string, others: readonly string[]): string {
  const { properties = {} } = schemaNamed(name);
  const base = others.find(each => each !== name && name.startsWith(each));
  if (base === undefined) return fieldRows({ properties });
  const known = schemaNamed(base).properties ?? {};
  const further = Object.entries(properties).filter(([field]) => !(field in known));
  return `The fields of ${reference(base)}, and:\n\n${fieldRows({ properties: Object.fromEntries(further) })}`;
}

function fieldRows(schema: JsonSchema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => fieldRow(name, field));
  return markdownTable(['Field', 'Value', 'Notes'], merged(rows));
}

/** Makes one row of those that differ in their names only. */
function merged(rows: readonly (readonly string[])[]): string[][] {
  const result: string[][] = [];
  for (const [name = '', ...rest] of rows) {
    const [names, ...before] = result.at(-1) ?? [];
    if (before.join('|') === rest.join('|')) result.splice(-1, 1, [`${names}, ${name}`, ...rest]);
    else result.push([name, ...rest]);
  }
  return result;
}

function fieldRow(name: string, field: JsonSchema, use = ''): string[] {
  const { minLength, maxLength, minimum, maximum, description, 'x-assumption': assumption } = field;
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  const notes = [
    use,
    lengthRule(minLength, maxLength),
    isBounded ? `${minimum} to ${maximum.toLocaleString('en')}` : '',
    field.default === undefined ? '' : `default \`${JSON.stringify(field.default)}\``,
    assumption === undefined ? '' : `assumed: \`${assumption}\``,
  ].filter(note => note !== '');
  const text = description === 'ISO 8601 timestamp.' ? '' : (description ?? '').replaceAll('|', '\\|');
  return [`\`${name}\``, typeOf(field), [notes.join(', '), text].filter(each => each !== '').join('. ')];
}

function lengthRule(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return '';
  if (least === most) return `exactly ${least} characters`;
  return least === 1 ? 'not empty' : `at least ${least} characters`;
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: choices, const: constant, items, anyOf, format, properties } = schema;
  if ($ref !== undefined) return reference(nameOf($ref));
  if (constant !== undefined) return `\`${constant}\``;
  if (items !== undefined) return `list of ${items.enum === undefined ? typeOf(items) : 'event types'}`;
  if (choices !== undefined)
    return choices.length > 8 ? 'string' : choices.map(each => `\`${each}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (properties !== undefined)
    return `{${Object.keys(properties)
      .map(each => `\`${each}\``)
      .join(', ')}}`;
  if (format === 'date-time') return 'timestamp';
  return [type ?? 'any'].flat().join(' or ');
}

/** A link to a record, or what a page holds. */
function reference(name: string): string {
  const page = /^(\w+)Page$/.exec(name)?.[1];
  return page === undefined ? `[${name}](#${name.toLowerCase()})` : `a page of ${reference(page)}`;
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1);

function schemaNamed(name: string): JsonSchema {
  const schema = components.schemas[name];
  if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${name}`);
  return schema;
}

const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : schemaNamed(nameOf(schema.$ref));

function responseSchemas({ responses }: Described): JsonSchema[] {
  return Object.entries(responses).flatMap(([status, each]) =>
    status.startsWith('2') ? (jsonOf(each)?.schema ?? []) : [],
  );
}

/** The names of the records in a schema, itself and those within it, without pages. */
function recordsIn(schema: JsonSchema): string[] {
  const { $ref, items, anyOf = [], properties = {} } = schema;
  if ($ref === undefined)
    return [...(items ? [items] : []), ...anyOf, ...Object.values(properties)].flatMap(recordsIn);
  const name = nameOf($ref);
  return [...(name.endsWith('Page') ? [] : [name]), ...recordsIn(schemaNamed(name))];
}

/** The tag of the first operation that responds with a record, so that each is described once. */
function firstTag(name: string): string | undefined {
  const all = Object.values(paths).flatMap(methods => Object.values(methods));
  return all.find(described => responseSchemas(described).flatMap(recordsIn).includes(name))?.tags[0];
}

/** The decisions behind what the interface does not show, in the order of the register. */
function rulesOf(own: readonly Described[], tag: string): string {
  const named = own.flatMap(described => {
    const operation = operations.find(({ id }) => id === described.operationId);
    const rules = [operation?.fidelity, ...(operation?.causes ?? [])];
    return [
      ...rules.flatMap(rule => (rule?.kind === 'assumed' ? rule.id : [])),
      ...(JSON.stringify(described).match(/(?<="x-assumption":")[\w-]+/g) ?? []),
    ];
  });
  const ids = new Set<string>([...named, ...(FURTHER_RULES[tag] ?? [])]);
  const rows = assumptions.filter(({ id }) => ids.has(id) && !SHOWN.test(id));
  if (rows.length === 0) return '';
  return markdownTable(
    ['Assumption', 'Decision'],
    rows.map(entry => [`\`${entry.id}\``, decisionText(entry)]),
  );
}
