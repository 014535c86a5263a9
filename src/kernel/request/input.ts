import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { assumed, badRequest } from '../operation/errors.ts';
import { type ApiRequest, header } from './http.ts';
import { describeIssue } from './validation-messages.ts';

/** The largest body that is read, in bytes, unless an operation takes a larger one. */
export const MAX_BODY_BYTES = 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

const RULE = assumed('invalid-input');
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The text of a body, empty when there is none. Throws a 400 unless it is JSON by name, in UTF-8 and at most
 * `largest` bytes long.
 */
export function readBody(request: ApiRequest, largest = MAX_BODY_BYTES): string {
  if (Number(header(request, 'content-length')) > largest || request.body.length > largest) {
    throw badRequest(RULE, `body: must be at most ${largest} bytes (${largest / MEBIBYTE} MiB)`);
  }
  if (request.body.length === 0) return '';
  const type = header(request, 'content-type') ?? 'absent';
  if (!JSON_TYPE.test(type)) {
    throw badRequest(RULE, `header Content-Type: must be application/json, is ${JSON.stringify(type)}`);
  }
  const encoding = header(request, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw badRequest(
      RULE,
      `header Content-Encoding: ${JSON.stringify(encoding)} is not supported; send the body uncompressed`,
    );
  }
  if (!isUtf8(request.body)) throw badRequest(RULE, 'body: must be UTF-8');
  return Buffer.from(request.body.buffer, request.body.byteOffset, request.body.length).toString();
}

/** The object that a body's text stands for, an empty one for no text. Throws a 400 when it is anything else. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const value = parseJson(text);
  if (!isObject(value)) throw badRequest(RULE, 'body: must be a JSON object');
  if (/\\u[dD][89a-fA-F]/.test(text) && hasLoneSurrogate(value)) {
    throw badRequest(
      RULE,
      'body: holds half of a surrogate pair, which is no character; send whole characters',
    );
  }
  return value;
}

/** The query's parameters. Throws a 400 for one that the schema knows and that is given twice. */
export function readQuery(query: string, schema: z.ZodType): Readonly<Record<string, string>> {
  if (query === '') return {};
  const known = schema instanceof z.ZodObject ? schema.shape : {};
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name) && Object.hasOwn(known, name)) {
      throw badRequest(RULE, `query.${name}: must be given once, is given several times`);
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** More problems than this help nobody; a body of a mebibyte can have hundreds of thousands. */
const MOST_PROBLEMS = 20;

/** Checks a value against a schema and returns what the schema makes of it. Throws a 400 naming each wrong field. */
export function check<S extends z.ZodType>(schema: S, value: unknown, where: 'body' | 'query'): z.output<S> {
  let described = 0;
  const error = (issue: z.core.$ZodRawIssue) => (++described > MOST_PROBLEMS ? '' : describeIssue(issue));
  const result = schema.safeParse(value, { error });
  if (result.success) return result.data;
  const { issues } = result.error;
  const problems = issues
    .slice(0, MOST_PROBLEMS)
    .map(issue => `${[where, ...issue.path].join('.')}: ${issue.message}`);
  if (issues.length > MOST_PROBLEMS) problems.push(`and ${issues.length - MOST_PROBLEMS} more`);
  throw badRequest(RULE, problems.join('; '));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's own message quotes the body, which may hold a secret; the position does not.
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw badRequest(
      RULE,
      `body: is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`,
    );
  }
}

/** Looks into every text of a JSON value, without recursion: a body may be nested deeper than any stack. */
function hasLoneSurrogate(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === 'string' && !item.isWellFormed()) return true;
    if (Array.isArray(item)) for (const member of item) open.push(member);
    else if (isObject(item)) for (const [name, member] of Object.entries(item)) open.push(name, member);
  }
  return false;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
