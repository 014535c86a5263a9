import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { FAULT_RULE, type Refusal } from '../operation/errors.ts';
import type { AnyReply } from '../operation/operation.ts';
import { type ApiResponse, type Content, toResponse, toTextResponse } from '../request/http.ts';
import { withUnknownFields, withUnknownStatus } from '../values/unknown-fields.ts';
import { type ActingFault, type FaultEffect, isBodiless } from './effect-schema.ts';
import { HEADER_ID } from './faults.ts';

/** Whether a fault replaces the handling of the request. A delay alone does not. */
export function replacesRequest({ effect: { when, status, body, drop } }: ActingFault): boolean {
  return when === 'before' && (status !== undefined || body !== undefined || drop === true);
}

/** Whether a fault replaces the response, or loses it. A delay and unknown fields do not. */
export function replacesResponse({ effect: { status, body, drop } }: ActingFault): boolean {
  return status !== undefined || body !== undefined || drop === true;
}

/** The reply to a request that a fault replaces. It is never sent. */
export const NO_REPLY: AnyReply = { status: 503, body: null };

interface Outcome {
  readonly reply: AnyReply;
  readonly refusal: Refusal | null;
  /** Headers of the response, to which the fault adds its own. */
  readonly headers: Record<string, string>;
}

interface FaultResponse {
  readonly response: ApiResponse;
  readonly refusal: Refusal | null;
  readonly hint: string;
}

export function faultResponse({ id, effect }: ActingFault, outcome: Outcome, method: string): FaultResponse {
  const by = id === HEADER_ID ? 'header X-Sandbox-Fault' : `fault ${id}`;
  const { response, refusal } = applyEffect(effect, outcome, by, method);
  const { delayMs, drop, inPieces } = effect;
  const delay = delayMs === undefined ? '' : `, delayed by ${delayMs} ms`;
  return {
    response: {
      ...(inPieces ? splitBody(response) : response),
      ...(delayMs === undefined ? {} : { delayMs }),
      ...(drop ? { drop } : {}),
    },
    refusal,
    hint: `${by}: ${describeEffect(effect, outcome, response.status)}${delay}`,
  };
}

function applyEffect(effect: FaultEffect, { reply, refusal, headers }: Outcome, by: string, method: string) {
  const { status: forced, body, drop, retryAfter, unknownFields, unknownStatusOf } = effect;
  if (drop) {
    const message = `the connection was closed without a response by ${by}`;
    const error = { message, rule: FAULT_RULE };
    // Surfaces that can close connections do not send it; the journal shows it.
    const unsent = reply === NO_REPLY ? { ...NO_REPLY, body: errorBody(message) } : reply;
    return { response: toResponse(unsent, headers, method), refusal: refusal ?? error };
  }
  if (forced === undefined && body === undefined) {
    const extended = unknownFields ? withUnknownFields(reply.body) : reply.body;
    const sent = unknownStatusOf === undefined ? extended : withUnknownStatus(extended, unknownStatusOf);
    return { response: toResponse({ ...reply, body: sent }, headers, method), refusal };
  }
  const status = forced ?? (reply === NO_REPLY ? 200 : reply.status);
  const message = `${status} ${STATUS_CODES[status] ?? 'Unknown'}, forced by ${by}`;
  if (status === 429 || retryAfter !== undefined) headers['Retry-After'] = String(retryAfter ?? 1);
  const ownBody = status < 400 ? null : errorBody(message);
  const forcedBody = body === undefined ? ownBody : body;
  const response = writeForced(status, forcedBody, headers, method);
  return { response, refusal: status < 400 ? null : { message, rule: FAULT_RULE } };
}

function describeEffect(
  { drop, status, body, unknownFields, unknownStatusOf, inPieces }: FaultEffect,
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
  if (unknownStatusOf !== undefined)
    return `the request was handled, and its response has an unknown status of ${unknownStatusOf}`;
  if (status === undefined && body === undefined)
    return `the request was handled, and its response was sent${inPieces ? ' in pieces' : ''}`;
  return `the request was handled, and its response ${original} was replaced`;
}

/** Returns a response whose body is sent in pieces: they end within each character of several bytes, and in the middle. */
function splitBody(response: ApiResponse): ApiResponse {
  if (response.body === '') return response;
  const { 'Content-Length': _, ...headers } = response.headers;
  return { ...response, headers, content: piecesOf(Buffer.from(response.body)) };
}

async function* piecesOf(bytes: Buffer): Content {
  const isFirstOfSeveral = (index: number) => (bytes[index] ?? 0) >= 0xc0;
  const middle = bytes.length >> 1;
  let start = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (index !== middle && !isFirstOfSeveral(index)) continue;
    yield bytes.subarray(start, index + 1);
    start = index + 1;
  }
  if (start < bytes.length) yield bytes.subarray(start);
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
  return toTextResponse(status, body, headers, method, `${typeOf(body)}; charset=utf-8`);
}

function typeOf(text: string): string {
  if (/^\s*</.test(text)) return 'text/html';
  return /^\s*[{[]/.test(text) ? 'application/json' : 'text/plain';
}

function errorBody(message: string) {
  return { success: false, error: message };
}
