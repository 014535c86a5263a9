import { authenticate, checkAddress } from '../access/authenticate.ts';
import { allowOrigin, preflightHeaders } from '../access/cors.ts';
import type { Partner } from '../access/partners.ts';
import { faultFor, faultResponse, NO_REPLY, takesPlace } from '../faults/fault-response.ts';
import type { ActingFault } from '../faults/faults.ts';
import type { Trace } from '../journal/trace.ts';
import { ApiError, assumed, type Refusal } from '../operation/errors.ts';
import type { AnyReply, Operation, PartnerOperation } from '../operation/operation.ts';
import { API_PREFIX } from '../operation/plane.ts';
import { shorten } from '../values/shorten.ts';
import type { World } from '../world/world.ts';
import type { DispatchOptions } from './dispatch.ts';
import type { ApiRequest, ApiResponse } from './http.ts';
import { readBody } from './input.ts';
import { type NameTranslator, NEUTRAL_HEADER } from './names.ts';
import { Router } from './router.ts';
import {
  checkInput,
  checkReply,
  hintsAbout,
  readRequestInput,
  toErrorResponse,
  toResponse,
} from './to-response.ts';

/** What is found out about a request on its way. */
interface RequestContext {
  readonly request: ApiRequest;
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly trace: Trace;
  /** What the caller calls the neutral words; null where it uses them. */
  readonly words: NameTranslator | null;
  operation: Operation | null;
  partner: Partner | null;
  requestBody: string;
  hints: readonly string[];
  refusal: Refusal | null;
  fault: ActingFault | null;
}

/** What answers requests below `/v1`. */
export interface ApiPlane {
  answer(request: ApiRequest): ApiResponse;
  /** Notes a request that someone else has answered; returns the answer with the headers that every answer has. */
  answeredElsewhere(request: ApiRequest, answer: ApiResponse, hint: string, durationMs: number): ApiResponse;
}

/** Builds what answers requests below `/v1`. */
export function createApiPlane(
  operations: readonly PartnerOperation[],
  { host, realTime, documentedOnly, onResponse, onBug }: DispatchOptions,
): ApiPlane {
  const documented = operations.filter(({ fidelity }) => fidelity.kind === 'documented');
  const router = new Router(API_PREFIX, operations, documentedOnly ? documented : operations);

  function contextOf(world: World, given: ApiRequest): RequestContext {
    const words = world.names === null || given.headers[NEUTRAL_HEADER] === 'neutral' ? null : world.names;
    const request = words === null ? given : words.neutralRequest(given);
    return {
      request,
      id: world.journal.nextId(),
      headers: {},
      trace: { changes: [], events: [] },
      words,
      operation: null,
      partner: null,
      requestBody: '',
      hints: [],
      refusal: null,
      fault: null,
    };
  }

  function answer(given: ApiRequest): ApiResponse {
    const startedAt = realTime.elapsed();
    const { world } = host;
    const context = contextOf(world, given);
    const { request } = context;
    const reply = request.method === 'OPTIONS' ? preflight(world, context) : answered(world, context);
    context.headers['X-Sandbox-Request'] = context.id;
    const answer = written(context, reply);
    onResponse(world.journal.record(context, answer, realTime.elapsed() - startedAt));
    return answer;
  }

  function answeredElsewhere(
    given: ApiRequest,
    answer: ApiResponse,
    hint: string,
    durationMs: number,
  ): ApiResponse {
    const { world } = host;
    const context = contextOf(world, given);
    const { request, headers } = context;
    context.operation = router.match(request.method, request.path)?.operation ?? null;
    context.partner = callerOf(world, request);
    context.requestBody = Buffer.from(request.body).toString();
    context.hints = [hint];
    allowOrigin(world, context.partner, request, headers);
    onResponse(world.journal.record(context, answer, durationMs));
    return {
      ...answer,
      headers: { ...inLowerCase(headers), ...answer.headers, 'x-sandbox-request': context.id },
    };
  }

  function preflight(world: World, context: RequestContext): AnyReply {
    for (const [name, value] of Object.entries(preflightHeaders(world, context.request))) {
      context.headers[name] = context.words?.text(value) ?? value;
    }
    return { status: 204, body: null };
  }

  function answered(world: World, context: RequestContext): AnyReply {
    let reply: AnyReply;
    try {
      reply = run(world, context);
    } catch (error) {
      const refusal = inWords(toErrorResponse(error, context.operation, onBug), context.words);
      Object.assign(context.headers, refusal.headers);
      context.refusal = refusal;
      reply = refusal;
    }
    allowOrigin(world, context.partner, context.request, context.headers);
    return reply;
  }

  /** The pipeline itself. Its order decides which refusal wins when several are due. */
  function run(world: World, context: RequestContext): AnyReply {
    const { request, headers, trace, words } = context;
    const match = router.match(request.method, request.path);
    context.operation = match?.operation ?? null;
    const { partner, key } = authenticate(world, request);
    context.partner = partner;
    checkAddress(partner, request.remoteAddress);
    world.rateLimiter.take(key, partner.settings.rateLimitPerMinute, headers);
    context.fault = faultFor(world, request, context.operation);
    if (context.fault !== null && takesPlace(context.fault)) {
      // Not read, but told in the journal: what was asked is what people look for there.
      context.requestBody = Buffer.from(request.body).toString();
      return NO_REPLY;
    }
    if (match === null) throw router.unknown(request.method, request.path);
    const { operation } = match;
    if (documentedOnly) checkDocumented(operation, request);
    context.requestBody = readBody(request);
    const sent = readRequestInput(operation, request, context.requestBody);
    const given = words === null ? sent : words.toNeutral(sent);
    context.hints = hintsAbout(operation, given).map(hint => words?.text(hint) ?? hint);
    const { params, query, body } = checkInput(match, given);
    const reply = checkReply(
      operation,
      world.traced(trace, () => operation.run({ world, partner, params, query, body })),
    );
    return words === null ? reply : words.toPartner(reply);
  }

  return { answer, answeredElsewhere };
}

/** The partner whose key a request carries; null for none that is known. */
function callerOf(world: World, request: ApiRequest): Partner | null {
  try {
    return authenticate(world, request).partner;
  } catch {
    return null;
  }
}

/** Headers as the answer of someone else has them, so that none comes twice. */
function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A refusal in the words of the caller. */
function inWords(refusal: ApiError, words: NameTranslator | null): ApiError {
  if (words === null) return refusal;
  const { status, rule, message, details, headers } = refusal;
  return new ApiError(status, rule, words.text(message), {
    headers,
    ...(details === null ? {} : { details }),
  });
}

/** Writes the answer to a request, as the fault that acts on it leaves it. */
function written(context: RequestContext, reply: AnyReply): ApiResponse {
  const { fault, refusal, headers, request } = context;
  if (fault === null) return toResponse(reply, headers, request.method);
  const faulted = faultResponse(fault, { reply, refusal, headers }, request.method);
  context.refusal = faulted.refusal;
  context.hints = [...context.hints, faulted.hint];
  return faulted.answer;
}

function checkDocumented({ fidelity }: Operation, { method, path }: ApiRequest): void {
  if (fidelity.kind === 'documented') return;
  const asked = `${method} ${shorten(path.slice(API_PREFIX.length))}`;
  const message = `no such operation: ${asked} (it rests on the assumption ${fidelity.id}, and the sandbox runs with --documented-only)`;
  throw new ApiError(404, assumed('documented-only'), message);
}
