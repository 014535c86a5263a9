import * as z from 'zod';
import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import {
  type AnyReply,
  type Input,
  NO_MEMBERS,
  type Operation,
  type TextReply,
} from '../operation/operation.ts';
import { compiled } from '../values/schemas/compiled.ts';
import { type UnknownMember, unknownMembers } from './hints.ts';
import type { ApiRequest, ApiResponse, Content, Stream } from './http.ts';
import { check, checkAmounts, parseBody, readQuery } from './input.ts';
import { decodeParams, type Match } from './router.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The input of a request, decoded and not yet validated. */
export interface RequestInput {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body by whose numbers amounts are judged too, because parsing rounds; null if it rounded none. */
  readonly unrounded: unknown;
}

/** Decodes query and body. Throws a 400 for a body that is not a JSON object and for a repeated parameter. */
export function readRequestInput(operation: Operation, request: ApiRequest, bodyText: string): RequestInput {
  const query = readQuery(request.query, operation.query);
  const body = parseBody(bodyText);
  return { query, body, unrounded: parseWithDecimals(bodyText) };
}

/** Hints about the parameters and fields that the operation does not know. */
export function hintsAbout(operation: Operation, input: RequestInput): readonly string[] {
  return unknownIn(operation, input).map(
    ({ path, suggestion }) => `${path} is unknown and was ignored${suggestion}`,
  );
}

/** Throws a 400 that names each parameter and field that the operation does not know. */
export function refuseUnknown(operation: Operation, input: RequestInput): void {
  const unknown = unknownIn(operation, input);
  if (unknown.length === 0) return;
  const problems = unknown.map(({ path, known, suggestion }) => {
    const names = known.length === 0 ? '; none is accepted here' : `; known are ${known.join(', ')}`;
    return `${path}: is unknown${suggestion === '' ? names : suggestion}`;
  });
  throw badRequest(assumed('unknown-members'), problems.join('; '));
}

function unknownIn(operation: Operation, { query, body }: RequestInput): readonly UnknownMember[] {
  const inQuery = unknownMembers(operation.query, query, 'query');
  const inBody = unknownMembers(operation.body, body, 'body');
  return inQuery.length === 0 ? inBody : [...inQuery, ...inBody];
}

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

/** Checks a reply against the operation's schema for its status, so that no internal field leaks. Throws if it differs. */
export function checkReply(operation: Operation, reply: AnyReply): AnyReply {
  const schema = operation.responses[reply.status];
  if (schema === undefined) throw new Error(`reply ${reply.status} is not declared`);
  if (schema === null || z.validate(compiled(schema), reply.body)) return reply;
  throw new Error(`reply does not match its schema: ${schema.safeParse(reply.body).error?.message}`);
}

/** Writes a response: JSON with its headers, or no body. A response to HEAD has only the headers. */
export function toResponse(
  { status, body }: AnyReply,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  return body === null
    ? { status, headers, body: '' }
    : jsonResponse(status, JSON.stringify(body), headers, method);
}

function jsonResponse(
  status: number,
  text: string,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  headers['Content-Type'] = JSON_TYPE;
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return { status, headers, body: method === 'HEAD' ? '' : text };
}

/** Writes a response with a text that is not JSON. A response to HEAD has only the headers. */
export function toTextResponse(
  { type, body }: TextReply,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  headers['Content-Type'] = `${type}; charset=utf-8`;
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status: 200, headers, body: method === 'HEAD' ? '' : body };
}

/** Starts a response of server-sent events. A response to HEAD has only the headers. */
export function toStreamResponse(
  stream: Stream,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  headers['Content-Type'] = 'text/event-stream; charset=utf-8';
  // Buffering proxies would delay the events.
  headers['X-Accel-Buffering'] = 'no';
  const response = { status: 200, headers, body: '' };
  return method === 'HEAD' ? response : { ...response, stream };
}

/** Writes a response with the JSON of its body, or starts one in pieces. A response to HEAD has only the headers. */
export function toContentResponse(
  content: string | Content,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  if (typeof content === 'string') return jsonResponse(200, content, headers, method);
  headers['Content-Type'] = JSON_TYPE;
  const response = { status: 200, headers, body: '' };
  return method === 'HEAD' ? response : { ...response, content };
}

/** The refusal for an error. An error that is not an `ApiError` is reported to `onBug` and becomes a 500. */
export function toErrorResponse(
  error: unknown,
  operation: Operation | null,
  onBug: (error: unknown, operation: string) => void,
): ApiError {
  if (error instanceof ApiError) return error;
  onBug(error, operation?.id ?? 'no operation');
  return internalError();
}

/** The 500 for an internal error (interface section 7). It repeats nothing of that error. */
export function internalError(): ApiError {
  const message = 'internal error of the sandbox; see its standard error output';
  return new ApiError(500, assumed('internal-error'), message);
}

/** What a text must contain to have a number with more than two decimals; true for some that have none. */
const MAYBE_DECIMALS = /\d\.\d{3}|\d[eE]/;
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g;
const MAX_DECIMALS = 2;

/**
 * Returns the value of JSON text in which every number with more than two decimals has a thousandth, or null when there
 * is no such number. `JSON.parse` rounds: 99.999999999999999 becomes 100, which looks like an amount. Throws for text
 * that is not valid JSON.
 */
function parseWithDecimals(text: string): unknown {
  if (!MAYBE_DECIMALS.test(text)) return null;
  let marked = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('"', at);
    const end = start === -1 ? text.length : start;
    marked += text.slice(at, end).replace(NUMBER, marking);
    at = start === -1 ? text.length : endOfString(text, start);
    marked += text.slice(end, at);
  }
  return marked === text ? null : JSON.parse(marked);
}

/** Returns a number with a thousandth for one that has more than two decimals, and any other unchanged. */
function marking(number: string, whole: string, fraction = '', exponent = '0'): string {
  return fraction.length - Number(exponent) > MAX_DECIMALS ? `${exponent === '0' ? whole : 0}.001` : number;
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let backslashes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return quote + 1;
}
