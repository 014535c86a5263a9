import { ApiError, assumed } from '../operation/errors.ts';
import { type AnyReply, type Input, NO_MEMBERS, type Operation } from '../operation/operation.ts';
import { unknownMembers } from './hints.ts';
import type { ApiRequest, ApiResponse, Stream } from './http.ts';
import { check, parseBody, readQuery } from './input.ts';
import { decodeParams, type Match } from './router.ts';

/** What a request brings, decoded but not yet checked. */
export interface RequestInput {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Decodes query and body. Throws a 400 for a body that is no JSON object and a parameter that is given twice. */
export function readRequestInput(operation: Operation, request: ApiRequest, bodyText: string): RequestInput {
  return { query: readQuery(request.query, operation.query), body: parseBody(bodyText) };
}

/** Hints about what the operation does not know of a request. */
export function hintsAbout(operation: Operation, { query, body }: RequestInput): string[] {
  return [
    ...unknownMembers(operation.query, query, 'query'),
    ...unknownMembers(operation.body, body, 'body'),
  ];
}

/** Checks what a request brings against the operation's schemas. Throws a 400 that names each wrong field. */
export function checkInput({ operation, params }: Match<Operation>, given: RequestInput): Input {
  return {
    params: decodeParams(params),
    query: operation.query === NO_MEMBERS ? {} : check(operation.query, given.query, 'query'),
    body: operation.body === NO_MEMBERS ? {} : check(operation.body, given.body, 'body'),
  };
}

/** Lets only answers out that the operation declares, so that no internal field leaks. */
export function checkReply(operation: Operation, reply: AnyReply): AnyReply {
  const schema = operation.responses[reply.status];
  if (schema === undefined) throw new Error(`answer ${reply.status} is not declared`);
  const result = schema?.safeParse(reply.body);
  if (result?.success === false) throw new Error(`answer does not fit its schema: ${result.error.message}`);
  return reply;
}

/** Writes an answer: JSON with its headers, or nothing at all. HEAD gets the headers alone. */
export function toResponse(
  { status, body }: AnyReply,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  if (body === null) return { status, headers, body: '' };
  const text = JSON.stringify(body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return { status, headers, body: method === 'HEAD' ? '' : text };
}

/** Begins an answer of server-sent events. HEAD gets the headers alone. */
export function toStreamResponse(
  stream: Stream,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  headers['Content-Type'] = 'text/event-stream; charset=utf-8';
  headers['Cache-Control'] = 'no-store';
  // Proxies of the kind that collect answers would hold events back.
  headers['X-Accel-Buffering'] = 'no';
  const answer = { status: 200, headers, body: '' };
  return method === 'HEAD' ? answer : { ...answer, stream };
}

/** The refusal that an error stands for. One that is no refusal is a fault of our own: `onBug` is told, and it is a 500. */
export function toErrorResponse(
  error: unknown,
  operation: Operation | null,
  onBug: (error: unknown, operation: string) => void,
): ApiError {
  if (error instanceof ApiError) return error;
  onBug(error, operation?.id ?? 'no operation');
  return internalError();
}

/** The 500 for a fault of our own (interface section 7); nothing of the fault is in it. */
export function internalError(): ApiError {
  const message = 'internal error of the sandbox; its standard error output says more';
  return new ApiError(500, assumed('internal-error'), message);
}
