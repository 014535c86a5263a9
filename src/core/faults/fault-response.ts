import { STATUS_CODES } from 'node:http';
import { type ApiError, badRequest, FAULT_RULE, type Refusal } from '../operation/errors.ts';
import type { AnyReply } from '../operation/operation.ts';
import type { ApiRequest, ApiResponse } from '../request/http.ts';
import { toResponse } from '../request/to-response.ts';
import { parseDuration } from '../values/duration.ts';
import { describeIssue } from '../values/schemas/validation-messages.ts';
import { shorten } from '../values/text.ts';
import { withUnknownFields } from '../values/unknown-fields.ts';
import type { WorldState } from '../world/world-state.ts';
import { type FaultEffect, MAX_DELAY_MS, parseFaultEffect } from './effect-schema.ts';
import { faultProblem, isBodiless } from './fault-table.ts';
import { type ActingFault, faultsOf } from './faults.ts';

/** The id of a fault that a request header sets. */
const HEADER_ID = 'header';

/** The fault that acts on a request: the one in its header, or the first armed fault that matches; null for none. */
export function faultFor(
  state: WorldState,
  request: ApiRequest,
  operation: { readonly path: string } | null,
  partnerId: string,
): ActingFault | null {
  const effect = readFaultHeader(request);
  if (effect !== null) return { id: HEADER_ID, effect };
  return faultsOf(state).take({ method: request.method, path: operation?.path ?? null, partnerId });
}

/** Whether a fault replaces the handling of the request. A delay alone does not. */
export function replacesRequest({ effect: { when, status, body, drop } }: ActingFault): boolean {
  return when === 'before' && (status !== undefined || body !== undefined || drop === true);
}

/** The reply to a request that a fault replaces. It is never sent. */
export const NO_REPLY: AnyReply = { status: 503, body: null };

/** The result of a request before the fault changes the response. */
interface Outcome {
  readonly reply: AnyReply;
  readonly refusal: Refusal | null;
  /** Headers of the response; those of the fault are added. */
  readonly headers: Record<string, string>;
}

interface FaultResponse {
  readonly response: ApiResponse;
  /** The refusal, for the journal; null when the request was not refused. */
  readonly refusal: Refusal | null;
  /** What the fault did, for the journal. */
  readonly hint: string;
}

/** Applies a fault to the outcome of a request. */
export function faultResponse({ id, effect }: ActingFault, outcome: Outcome, method: string): FaultResponse {
  const by = id === HEADER_ID ? 'header X-Sandbox-Fault' : `fault ${id}`;
  const { response, refusal } = applyEffect(effect, outcome, by, method);
  const { delayMs, drop } = effect;
  const delay = delayMs === undefined ? '' : `, delayed by ${delayMs} ms`;
  return {
    response: { ...response, ...(delayMs === undefined ? {} : { delayMs }), ...(drop ? { drop } : {}) },
    refusal,
    hint: `${by}: ${describeEffect(effect, outcome, response.status)}${delay}`,
  };
}

function applyEffect(effect: FaultEffect, { reply, refusal, headers }: Outcome, by: string, method: string) {
  const { status: forced, body, drop, retryAfter, unknownFields } = effect;
  if (drop) {
    const message = `the connection was closed without a response by ${by}`;
    const error = { message, rule: FAULT_RULE };
    // Surfaces that can close connections do not send it; the journal shows it.
    const unsent = reply === NO_REPLY ? { ...NO_REPLY, body: errorBody(message) } : reply;
    return { response: toResponse(unsent, headers, method), refusal: refusal ?? error };
  }
  if (forced === undefined && body === undefined) {
    const sent = unknownFields ? { ...reply, body: withUnknownFields(reply.body) } : reply;
    return { response: toResponse(sent, headers, method), refusal };
  }
  const status = forced ?? (reply === NO_REPLY ? 200 : reply.status);
  const message = `${status} ${STATUS_CODES[status] ?? 'Unknown'}, forced by ${by}`;
  if (status === 429 || retryAfter !== undefined) headers['Retry-After'] = String(retryAfter ?? 1);
  const forcedBody = body === undefined ? defaultBody(status, message) : body;
  const response = writeForced(status, forcedBody, headers, method);
  return { response, refusal: status < 400 ? null : { message, rule: FAULT_RULE } };
}

function describeEffect(
  { drop, status, body, unknownFields }: FaultEffect,
  { reply, refusal }: Outcome,
  sentStatus: number,
): string {
  if (reply === NO_REPLY) {
    const result = drop ? 'the connection was closed' : `the response was ${sentStatus}`;
    return `${result}, and the request was not handled`;
  }
  const original = `${reply.status}${refusal === null ? '' : ` (${refusal.message})`}`;
  if (drop) return `the request was handled, and its response ${original} was dropped`;
  if (unknownFields) return 'the request was handled, and its response has unknown fields';
  if (status === undefined && body === undefined) return 'the request was handled, and its response was sent';
  return `the request was handled, and its response ${original} was replaced`;
}

/** A response with any JSON value as its body. A string is sent as text, with the content type that it looks like. */
function writeForced(
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

/** The header that sets a fault for its own request, in lower case. */
const FAULT_HEADER = 'x-sandbox-fault';
const FORM = 'status=503; delay=250ms, with status, delay, retry-after, drop and when';

/** The fault member for each part of the header. */
const MEMBERS: Readonly<Record<string, keyof FaultEffect>> = {
  status: 'status',
  delay: 'delayMs',
  'retry-after': 'retryAfter',
  drop: 'drop',
  when: 'when',
};

/**
 * Parses the fault in a request's own header, `X-Sandbox-Fault: status=503; delay=250ms`. Returns null without that
 * header. Throws a 400 for a header that is not valid.
 */
function readFaultHeader(request: ApiRequest): FaultEffect | null {
  const value = request.headers[FAULT_HEADER];
  if (value === undefined) return null;
  if (typeof value !== 'string') throw refusal('must be given once');
  const members = new Map<string, unknown>();
  for (const part of value.split(';').map(each => each.trim())) {
    if (part === '') continue;
    const [name = '', text] = part.split(/\s*=\s*(.*)/s, 2);
    const member = MEMBERS[name.toLowerCase()];
    if (member === undefined) {
      throw refusal(`${JSON.stringify(shorten(part))} is not a part of a fault; use ${FORM}`);
    }
    if (members.has(member)) throw refusal(`${name} must be given once`);
    members.set(member, parsePart(member, text));
  }
  const result = parseFaultEffect(Object.fromEntries(members), describeIssue);
  if (!result.success) {
    throw refusal(result.error.issues.map(issue => `${nameOf(issue.path[0])} ${issue.message}`).join('; '));
  }
  const problem = faultProblem(result.data);
  if (problem !== null) throw refusal(problem);
  return result.data;
}

/** Parses the value of a part. A value that cannot be parsed stays a string, which the schema refuses. */
function parsePart(member: keyof FaultEffect, text: string | undefined): unknown {
  if (member === 'drop') return text === undefined || text === 'true' ? true : text;
  if (text === undefined) throw refusal(`${nameOf(member)} needs a value; use ${FORM}`);
  if (member === 'when') return text;
  if (member !== 'delayMs') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  const delay = parseDuration(text);
  if (delay === null || delay > MAX_DELAY_MS) {
    throw refusal(`delay must be a duration such as 250ms or 2s, at most ${MAX_DELAY_MS / 1_000}s`);
  }
  return delay;
}

function nameOf(member: unknown): string {
  return Object.keys(MEMBERS).find(name => MEMBERS[name] === member) ?? '';
}

function refusal(problem: string): ApiError {
  return badRequest(FAULT_RULE, `header X-Sandbox-Fault: ${problem}`);
}
