import { ApiError, assumed } from './errors.ts';
import type { Answer, ApiRequest } from './http.ts';
import { check, parseBody, readQuery, unknownMembers } from './input.ts';
import type { AnyReply, Input, Operation } from './operation.ts';
import { decodeParams, type Match } from './router.ts';

/** Decodes and checks everything that a request brings, and notes what of it the operation does not know. */
export function readInput<O extends Operation>(
  { operation, params }: Match<O>,
  request: ApiRequest,
  bodyText: string,
): Input & { readonly hints: readonly string[] } {
  const given = { query: readQuery(request.query, operation.query), body: parseBody(bodyText) };
  const query = check(operation.query, given.query, 'query');
  const body = check(operation.body, given.body, 'body');
  return {
    params: decodeParams(params),
    query,
    body,
    hints: [
      ...unknownMembers(operation.query, given.query, query, 'query'),
      ...unknownMembers(operation.body, given.body, body, 'body'),
    ],
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
export function toAnswer(
  { status, body }: AnyReply,
  headers: Record<string, string>,
  method: string,
): Answer {
  if (body === null) return { status, headers, body: '' };
  const text = JSON.stringify(body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return { status, headers, body: method === 'HEAD' ? '' : text };
}

/** The 500 for a fault of our own (interface section 7); nothing of the fault is in it. */
export function internalError(): ApiError {
  const message = 'internal error of the sandbox; its standard error output says more';
  return new ApiError(500, assumed('internal-error'), message);
}
