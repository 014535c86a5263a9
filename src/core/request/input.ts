import { Buffer, isUtf8 } from 'node:buffer';
import { URLSearchParams } from 'node:url';
import * as z from 'zod';
import { type ApiError, assumed, badRequest } from '../operation/errors.ts';
import { type Input, NO_MEMBERS, type Operation } from '../operation/operation.ts';
import { parseWithDecimals } from '../values/decimals.ts';
import { amountProblems } from '../values/money.ts';
import { duplicateKey, duplicateRule, JsonError, parseJson } from '../values/parse-json.ts';
import { compiled } from '../values/schemas/compiled.ts';
import { describeIssue } from '../values/schemas/validation-messages.ts';
import { type ApiRequest, header, MAX_BODY_BYTES } from './http.ts';
import { decodeParams, type Match } from './router.ts';

const RULE = assumed('invalid-input');
/** What most requests have for a body or a query. */
const EMPTY = Object.freeze(Object.create(null));
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The text of a body; empty when there is none. Throws a 400 unless its type is JSON and it is UTF-8 of at most `maxBytes`. */
export function readBody(request: ApiRequest, maxBytes = MAX_BODY_BYTES): string {
  if (Number(header(request, 'content-length')) > maxBytes || request.body.length > maxBytes) {
    throw badRequest(RULE, `body: must be at most ${maxBytes} bytes (${maxBytes / 1024 / 1024} MiB)`);
  }
  if (request.body.length === 0) return '';
  checkBodyType(request);
  if (!isUtf8(request.body)) throw badRequest(RULE, 'body: must be UTF-8');
  const { body } = request;
  return (Buffer.isBuffer(body) ? body : Buffer.from(body)).toString();
}

/** Throws a 400 unless the headers say that the body is uncompressed JSON. */
function checkBodyType(request: ApiRequest): void {
  const type = header(request, 'content-type');
  if (type === undefined || !JSON_TYPE.test(type)) {
    const found = type === undefined ? 'missing' : JSON.stringify(type);
    throw badRequest(RULE, `header Content-Type: must be application/json, is ${found}`);
  }
  const encoding = header(request, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw badRequest(
      RULE,
      `header Content-Encoding: ${JSON.stringify(encoding)} is not supported; send the body uncompressed`,
    );
  }
}

/** The input of a request, decoded and not yet validated. */
export interface RequestInput {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body with marked decimals, by which amounts are checked too, because parsing rounds; null if it rounded none, or is too large for a body with amounts. */
  readonly unrounded: unknown;
}

/**
 * Decodes query and body. Throws a 400 for a body that is not a JSON object and for a repeated parameter; in the control
 * plane also for a duplicate key, except in a large body, which only a program writes.
 */
export function readRequestInput(operation: Operation, request: ApiRequest, bodyText: string): RequestInput {
  const query = readQuery(request.query, operation.query);
  const body = operation.body === NO_MEMBERS && isNoBody(bodyText) ? EMPTY : parseBody(bodyText);
  const isLarge = bodyText.length > MAX_BODY_BYTES;
  const duplicate =
    operation.plane === 'control' && !isLarge && body !== EMPTY ? duplicateKey(bodyText) : null;
  if (duplicate !== null) throw badRequest(RULE, `body: ${duplicateRule(duplicate.key)}`);
  const unrounded = isLarge ? null : parseWithDecimals(bodyText);
  return { query, body, unrounded };
}

/** Whether a text is what programs send that have no body for a request: JSON's null or an empty string. */
function isNoBody(text: string): boolean {
  return ['null', '""'].includes(text.trim());
}

/** Parses a body as a JSON object; an empty text is an empty object. Throws a 400 for anything else. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return EMPTY;
  try {
    const value = parseJson(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(RULE, `body: ${error.message}`);
    throw error;
  }
  throw badRequest(RULE, 'body: must be a JSON object');
}

/** Parses a query. Throws a 400 for a parameter of the schema that is repeated. */
export function readQuery(query: string, schema: z.ZodType): Readonly<Record<string, string>> {
  if (query === '') return EMPTY;
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  // Without a prototype, so that a parameter that is named `constructor` is absent unless it is sent.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(values, name) && Object.hasOwn(known, name)) {
      throw badRequest(RULE, `query.${name}: must be given once, is repeated`);
    }
    values[name] = value;
  }
  return values;
}

/** Cap on reported problems: a body of a mebibyte can have hundreds of thousands. */
const MAX_PROBLEMS = 20;

/** Validates the input with the operation's schemas. Throws a 400 that names each invalid field. */
export function checkInput({ operation, params }: Match<Operation>, input: RequestInput): Input {
  const checked = {
    params: decodeParams(params),
    query: operation.query === NO_MEMBERS ? {} : check(operation.query, input.query, 'query'),
    body: operation.body === NO_MEMBERS ? {} : check(operation.body, input.body, 'body'),
  };
  if (input.unrounded !== null) checkAmounts(operation.body, input.unrounded);
  return checked;
}

/** Parses a value with a schema. Throws a 400 that names each invalid field. */
export function check<S extends z.ZodType>(schema: S, value: unknown, where: 'body' | 'query'): z.output<S> {
  // Without messages first: with them, zod takes four times as long for a value that is valid.
  const result = compiled(schema).safeParse(value);
  if (result.success) return result.data;
  let described = 0;
  const error = (issue: z.core.$ZodRawIssue) => (++described > MAX_PROBLEMS ? '' : describeIssue(issue));
  const issues = schema.safeParse(value, { error }).error?.issues ?? [];
  throw problemsIn(withNullHints(issues, schema, value), where);
}

/** Adds to the issues about null that the member can be left out, where it can. */
function withNullHints(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  value: unknown,
): readonly z.core.$ZodIssue[] {
  const places = new Set(issues.filter(({ path }) => valueAt(value, path) === null).map(placeOf));
  if (places.size === 0) return issues;
  const left = schema.safeParse(withoutNulls(value)).error?.issues ?? [];
  const required = new Set(left.map(placeOf));
  return issues.map(issue => {
    const isOptional = places.has(placeOf(issue)) && !required.has(placeOf(issue));
    return isOptional ? { ...issue, message: `${issue.message}; leave it out instead of null` } : issue;
  });
}

function placeOf({ path }: Pick<z.core.$ZodIssue, 'path'>): string {
  return JSON.stringify(path);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (each, name) =>
      typeof each === 'object' && each !== null && Object.hasOwn(each, name)
        ? Reflect.get(each, name)
        : undefined,
    value,
  );
}

/** A copy of a JSON value without the members that are null. Elements of lists stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Throws a 400 for the amounts in a body that are invalid. Ignores all other problems. */
export function checkAmounts(schema: z.ZodType, body: unknown): void {
  const amounts = amountProblems(schema, body);
  if (amounts.length > 0) throw problemsIn(amounts, 'body');
}

function problemsIn(issues: readonly z.core.$ZodIssue[], where: string): ApiError {
  const problems = issues
    .slice(0, MAX_PROBLEMS)
    .flatMap(inFittingVariant)
    .map(issue => `${[where, ...issue.path].join('.')}: ${issue.message}`);
  if (issues.length > MAX_PROBLEMS) problems.push(`… and ${issues.length - MAX_PROBLEMS} more`);
  return badRequest(RULE, problems.join('; '));
}

/** The issues of the only variant of a union that takes such a value at all; else the issue itself. */
function inFittingVariant(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  const variants = issue.code === 'invalid_union' ? issue.errors : [];
  const [only, other] = variants.filter(each => each.every(({ path }) => path.length > 0));
  if (only === undefined || other !== undefined) return [issue];
  return only.map(each => ({ ...each, path: [...issue.path, ...each.path] }));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
