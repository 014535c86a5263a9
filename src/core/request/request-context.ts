import type { Partner } from '../access/partners.ts';
import { faultResponse } from '../faults/fault-response.ts';
import type { ActingFault } from '../faults/faults.ts';
import type { Trace } from '../journal/events.ts';
import { ApiError, type Refusal } from '../operation/errors.ts';
import type { AnyReply, Operation, PartnerOperation } from '../operation/operation.ts';
import type { NameTranslator } from '../values/names.ts';
import type { World } from '../world/world.ts';
import type { Recorder } from './dispatch-options.ts';
import type { ApiRequest, ApiResponse } from './http.ts';
import { toResponse } from './to-response.ts';

/** What the partner plane knows about a request while it handles it. */
export interface RequestContext {
  /** The world that the API key belongs to. */
  readonly world: World;
  /** Records the handled request in the history of the world. */
  readonly addToHistory: ReturnType<Recorder['begin']>;
  readonly request: ApiRequest;
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly trace: Trace;
  /** Translates to the names that the caller uses; null when those are the neutral ones. */
  readonly names: NameTranslator | null;
  operation: Operation | null;
  partner: Partner | null;
  requestBody: string;
  hints: readonly string[];
  refusal: Refusal | null;
  fault: ActingFault | null;
}

/** Adds a hint for the journal, if there is one. */
export function addHint(context: RequestContext, hint: string | null): void {
  if (hint !== null) context.hints = [...context.hints, hint];
}

/** Adds hints about filters that are valid and can match nothing. */
export function addQueryHints(context: RequestContext, operation: PartnerOperation, query: unknown): void {
  const hints = operation.hints(query, context.world.state);
  if (hints.length === 0) return;
  context.hints = [...context.hints, ...hints.map(hint => context.names?.text(hint) ?? hint)];
}

/** The hint about a record or a token of another world, or null. The response does not show that it exists there. */
export function otherWorldHint({ id, worlds }: World, error: unknown): string | null {
  if (!(error instanceof ApiError) || error.missing === null) return null;
  const { subject, isIn } = error.missing;
  for (const other of worlds.all()) {
    if (other.id === id || !isIn(other.state)) continue;
    return `${subject} belongs to world ${other.id}; the request has a key of world ${id}`;
  }
  return null;
}

/** Writes the response to a request, changed by the fault that acts on it, if any. */
export function writeResponse(context: RequestContext, reply: AnyReply): ApiResponse {
  const response = changedByFault(context, reply);
  const { sendAfter } = context.trace;
  return sendAfter === undefined ? response : { ...response, sendAfter: Promise.all(sendAfter) };
}

function changedByFault(context: RequestContext, reply: AnyReply): ApiResponse {
  const { fault, refusal, headers, request } = context;
  if (fault === null) return toResponse(reply, headers, request.method);
  const result = faultResponse(fault, { reply, refusal, headers }, request.method);
  context.refusal = result.refusal;
  context.hints = [...context.hints, result.hint];
  return result.response;
}
