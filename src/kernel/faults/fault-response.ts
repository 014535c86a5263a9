import { STATUS_CODES } from 'node:http';
import type { Refusal } from '../operation/errors.ts';
import type { AnyReply } from '../operation/operation.ts';
import type { ApiRequest, ApiResponse } from '../request/http.ts';
import { toResponse } from '../request/to-response.ts';
import type { World } from '../world/world.ts';
import { FAULT_RULE, type FaultEffect, isBodiless } from './fault.ts';
import { readFaultHeader } from './fault-header.ts';
import type { ActingFault } from './faults.ts';

/** The id of a fault that a request brings along itself. */
const HEADER_ID = 'header';

/** The fault that acts on a request: the one it asks for itself, or the first armed one that does; null for none. */
export function faultFor(
  world: World,
  request: ApiRequest,
  operation: { readonly path: string } | null,
): ActingFault | null {
  const effect = readFaultHeader(request);
  if (effect !== null) return { id: HEADER_ID, effect };
  return world.faults.take(request.method, operation?.path ?? null);
}

/** Whether a fault takes the place of the request itself, which is then not looked at. A delay alone does not. */
export function takesPlace({ effect: { when, status, body, drop } }: ActingFault): boolean {
  return when === 'before' && (status !== undefined || body !== undefined || drop === true);
}

/** Stands for the answer to a request whose place a fault has taken. It is never sent. */
export const NO_REPLY: AnyReply = { status: 503, body: null };

/** What came of a request before a fault got at its answer. */
interface Outcome {
  readonly reply: AnyReply;
  readonly refusal: Refusal | null;
  /** Headers of the answer; those of the fault are added. */
  readonly headers: Record<string, string>;
}

interface Faulted {
  readonly answer: ApiResponse;
  /** Why the caller was refused, for the journal. */
  readonly refusal: Refusal | null;
  /** What the fault did, for the journal. */
  readonly hint: string;
}

/** What a fault makes of the outcome of a request. */
export function faultResponse({ id, effect }: ActingFault, outcome: Outcome, method: string): Faulted {
  const by = id === HEADER_ID ? 'header X-Sandbox-Fault' : `fault ${id}`;
  const { answer, refusal } = changed(effect, outcome, by, method);
  const { delayMs, drop } = effect;
  const late = delayMs === undefined ? '' : `${delayMs} ms late`;
  return {
    answer: { ...answer, ...(delayMs === undefined ? {} : { delayMs }), ...(drop ? { drop } : {}) },
    refusal,
    hint: [`${by}: ${deed(effect, outcome, answer.status)}`, late].filter(text => text !== '').join(', '),
  };
}

function changed(effect: FaultEffect, { reply, refusal, headers }: Outcome, by: string, method: string) {
  const { status: forced, body, drop, retryAfter } = effect;
  if (drop) {
    const message = `the connection was closed without an answer by ${by}`;
    const error = { message, rule: FAULT_RULE };
    // Never sent where connections can be closed; it is what the journal tells.
    const unsent = reply === NO_REPLY ? { ...NO_REPLY, body: errorBody(message) } : reply;
    return { answer: toResponse(unsent, headers, method), refusal: refusal ?? error };
  }
  if (forced === undefined && body === undefined) {
    return { answer: toResponse(reply, headers, method), refusal };
  }
  const status = forced ?? (reply === NO_REPLY ? 200 : reply.status);
  const message = `${status} ${STATUS_CODES[status] ?? 'of no name'}, forced by ${by}`;
  if (status === 429 || retryAfter !== undefined) headers['Retry-After'] = String(retryAfter ?? 1);
  const answer = written(status, body === undefined ? defaultBody(status, message) : body, headers, method);
  return { answer, refusal: status < 400 ? null : { message, rule: FAULT_RULE } };
}

function deed({ drop, status, body }: FaultEffect, { reply, refusal }: Outcome, answered: number): string {
  if (reply === NO_REPLY) {
    return `${drop ? 'the connection was closed' : `${answered} was answered`} and the request not looked at`;
  }
  const own = `${reply.status}${refusal === null ? '' : ` (${refusal.message})`}`;
  if (drop) return `the request was handled, its answer ${own} lost`;
  if (status === undefined && body === undefined) return 'the request was handled and its answer sent';
  return `the request was handled, its answer ${own} replaced`;
}

/** An answer with any JSON as its body; a text is sent as it is, by a name that fits how it begins. */
function written(
  status: number,
  body: unknown,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  if (typeof body !== 'string' || isBodiless(status)) {
    return toResponse({ status, body: isBodiless(status) ? null : body }, headers, method);
  }
  headers['Content-Type'] = `${typeOf(body)}; charset=utf-8`;
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body: method === 'HEAD' ? '' : body };
}

function typeOf(text: string): string {
  if (/^\s*</.test(text)) return 'text/html';
  return /^\s*[{[]/.test(text) ? 'application/json' : 'text/plain';
}

function defaultBody(status: number, message: string) {
  return status < 400 ? null : errorBody(message);
}

function errorBody(message: string) {
  return { success: false, error: message };
}
