import { Buffer } from 'node:buffer';
import { checkPageOrigin } from '../access/access-guard.ts';
import { authenticate, checkAddress, KEY_HEADER } from '../access/authenticate.ts';
import { allowOrigin, preflightHeaders } from '../access/cors.ts';
import type { Partner } from '../access/partners.ts';
import type { ActingFault } from '../faults/effect-schema.ts';
import { faultResponse, NO_REPLY, replacesRequest, replacesResponse } from '../faults/fault-response.ts';
import { faultFor } from '../faults/faults.ts';
import { isDeclared, refusalKey } from '../journal/coverage.ts';
import type { Trace } from '../journal/events.ts';
import type { ResponseMaker } from '../journal/history.ts';
import { ApiError, assumed, type Refusal } from '../operation/errors.ts';
import {
  type AnyReply,
  checkReply,
  type HintContext,
  type Input,
  type Operation,
  type OperationGroup,
  type PartnerOperation,
} from '../operation/operation.ts';
import { type NameTranslator, NEUTRAL_HEADER } from '../values/names.ts';
import { API_PREFIX } from '../values/plane.ts';
import { shorten } from '../values/text.ts';
import type { World } from '../world/world.ts';
import type { WorldState } from '../world/world-state.ts';
import type { DispatchOptions, Wire } from './dispatch-options.ts';
import { hintsAbout } from './hints.ts';
import {
  type ApiRequest,
  type ApiResponse,
  header,
  READING_METHODS,
  ResponseHeaders,
  toErrorResponse,
  toResponse,
} from './http.ts';
import { checkInput, readBody, readRequestInput } from './input.ts';
import { type Match, Router } from './router.ts';

export interface PartnerPlane {
  /** Handles a request. Synchronous. */
  handle(request: ApiRequest): ApiResponse;
  /**
   * Records the response of someone else in the journal, and returns it with the headers that every response has. `played`
   * has the summary of a request of a record, whose response was made here: a fault counts it.
   */
  recordExternalResponse(
    request: ApiRequest,
    response: ApiResponse,
    hint: string,
    durationMs: number,
    played?: { readonly summary: string; readonly countsFault: boolean },
  ): ApiResponse;
}

/** What the partner plane knows about a request while it handles it. */
interface RequestContext {
  /** The world that the API key belongs to. */
  readonly world: World;
  /** Records the handled request in the history of the world. */
  readonly addToHistory: ReturnType<World['history']['begin']>;
  /** The request as it arrived, and with neutral names. */
  readonly received: ApiRequest;
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
  /** The refusal as it was thrown, before names and settings change it. */
  thrown: ApiError | null;
  fault: ActingFault | null;
}

const NO_HINTS: readonly string[] = [];

export function createPartnerPlane(
  groups: readonly OperationGroup<PartnerOperation>[],
  options: DispatchOptions,
): PartnerPlane {
  const { worlds, accessGuard, realTime, names: allNames, documentedOnly, onResponse, onBug } = options;
  const { wireOf, linkOrigin } = options;
  const isServed = ({ fidelity }: Operation) => !documentedOnly || fidelity.kind === 'documented';
  const router = new Router(API_PREFIX, groups, isServed);

  /** Calls `work` with the context of a request, at one moment of its world. */
  function inContext<T>(received: ApiRequest, work: (context: RequestContext) => T): T {
    const names = hasNeutralNames(received) ? null : allNames;
    const request =
      names === null ? received : { ...received, headers: names.neutralHeaders(received.headers) };
    const named = request.world === undefined ? undefined : worlds.find(request.world);
    const world = named ?? worlds.ofKey(header(request, KEY_HEADER));
    return world.state.clock.hold(() =>
      work({
        world,
        received,
        // Before the id is drawn, so that going back to this moment gives it out again.
        addToHistory: world.history.begin(),
        request,
        id: world.state.journal.nextId(),
        headers: new ResponseHeaders(),
        trace: { changes: [], events: [] },
        names,
        operation: null,
        partner: null,
        requestBody: '',
        hints: NO_HINTS,
        refusal: null,
        thrown: null,
        fault: null,
      }),
    );
  }

  function handle(received: ApiRequest): ApiResponse {
    const startedAt = realTime.elapsed();
    return inContext(received, context => {
      const { request, world } = context;
      const { state } = world;
      world.touch();
      world.responses.open(request.afterResponse);
      const reply = request.method === 'OPTIONS' ? preflight(context) : replyTo(state, context);
      context.headers['X-Sandbox-Request'] = context.id;
      const response = writeResponse(context, reply);
      if (context.fault === null || !replacesResponse(context.fault)) count(context, reply);
      record(context, response, realTime.elapsed() - startedAt, makerOf(context));
      // A response that is held back may wait for what it would hold up.
      if (response.sendAfter !== undefined || response.delayMs !== undefined) request.afterResponse?.run();
      return response;
    });
  }

  /** Counts the conditions that a request has shown. */
  function count({ world, operation, thrown }: RequestContext, { status, body }: AnyReply): void {
    const { coverage, state } = world;
    if (thrown?.status === 429) coverage.note('', 'rate-limited', state.clock);
    else if (operation === null) return;
    else if (thrown === null) {
      coverage.note(operation.id, status, state.clock);
      if (isLaterPage(body)) coverage.note('', 'page-beyond-first', state.clock);
    } else {
      const key = refusalKey(thrown.status, thrown.rule);
      coverage.note(operation.id, key, state.clock);
      if (isDeclared(operation, thrown)) return;
      onBug(new Error(`the refusal ${key} is not among the causes of the operation`), operation.id);
    }
  }

  /** Adds a request to the journal and to the history. */
  function record(
    context: RequestContext,
    response: ApiResponse,
    durationMs: number,
    by?: ResponseMaker,
    summary?: string,
  ): void {
    const { world, id, received, request, requestBody, refusal, operation, partner, fault, trace } = context;
    const { state } = world;
    onResponse(state.journal.record(context, response, durationMs), world);
    const notes = state.setup.disturbance?.afterRequest(state, {
      ...{ request, fault, response, trace },
      operation: operation?.id ?? null,
      partnerId: partner?.id ?? null,
      isRefused: isRefusal(context.thrown?.status ?? 0),
    });
    const isDisturbed = fault !== null && replacesRequest(fault) && notes?.struck.includes(fault.id);
    context.addToHistory({
      plane: 'partner',
      requestId: id,
      request: received,
      requestBody,
      response,
      summary: summary ?? refusal?.message ?? operation?.summary ?? received.method,
      by: by ?? (isDisturbed ? 'disturbance' : undefined),
      fault: fault?.id,
      hasWritten: fault === null ? undefined : trace.changes.length > 0,
      rule: refusal?.rule,
      notes,
    });
  }

  const recordExternalResponse: PartnerPlane['recordExternalResponse'] = (
    received,
    response,
    hint,
    durationMs,
    played,
  ) =>
    inContext(received, context => {
      const { request, headers, world } = context;
      const { state } = world;
      world.touch();
      context.operation = router.match(request.method, request.path)?.operation ?? null;
      context.partner = callerOf(state, request);
      if (played?.countsFault) countFault(state, context);
      context.requestBody = Buffer.from(request.body).toString();
      context.hints = [hint];
      addHint(context, allowOrigin(context.partner, request, headers));
      record(context, response, durationMs, 'handler', played?.summary);
      return {
        ...response,
        headers: { ...lowerCaseNames(headers), ...response.headers, 'x-sandbox-request': context.id },
      };
    });

  function preflight(context: RequestContext): AnyReply {
    const { headers, hint } = preflightHeaders(worlds, context.request);
    for (const [name, value] of Object.entries(headers)) {
      context.headers[name] = context.names?.text(value) ?? value;
    }
    addHint(context, hint);
    return { status: 204, body: null };
  }

  function replyTo(state: WorldState, context: RequestContext): AnyReply {
    let reply: AnyReply;
    try {
      reply = run(state, context);
    } catch (error) {
      const thrown = toErrorResponse(error, context.operation, onBug);
      context.thrown = thrown;
      const sent = wireOf(state.assumptions)?.refusal(thrown) ?? thrown;
      const refusal = translateRefusal(sent, context.names);
      Object.assign(context.headers, refusal.headers);
      context.refusal = refusal;
      addHint(context, refusal.hint ?? otherWorldHint(context.world, error));
      reply = refusal;
    }
    addHint(context, allowOrigin(context.partner, context.request, context.headers));
    return reply;
  }

  /** The pipeline. Its order decides which refusal wins when several apply. */
  function run(state: WorldState, context: RequestContext): AnyReply {
    const { request, headers, trace, names } = context;
    const match = onWire(router.match(request.method, request.path), wireOf(state.assumptions), request);
    context.operation = match?.operation ?? null;
    state.setup.disturbance?.beforeRequest(state, request);
    const { partner, key } = authenticate(state, request);
    context.partner = partner;
    checkAddress(partner, request.remoteAddress);
    const { limitsRates } = state.setup;
    if (limitsRates) state.rateLimiter.take(key, partner.settings.rateLimitPerMinute, headers);
    context.fault = faultFor(state, request, context.operation, partner.id);
    if (context.fault !== null && replacesRequest(context.fault)) {
      // The body is not parsed, but the journal shows it.
      context.requestBody = Buffer.from(request.body).toString();
      return NO_REPLY;
    }
    if (match === null) throw router.unknownPathError(request.method, request.path);
    const { operation } = match;
    if (context.world.documentedOnly) checkDocumented(operation, request);
    if (operation.trustedPagesOnly) checkPageOrigin(request, partner, accessGuard());
    context.requestBody = readBody(request);
    const received = readRequestInput(operation, request, context.requestBody);
    const input = names === null ? received : names.toNeutral(received);
    context.hints = hintsAbout(operation, input, names?.text);
    const { params, query, body } = checkInput(match, input);
    addInputHints(
      context,
      operation,
      { query, body },
      { state, partner, otherWorld: holds => otherWorldOf(context.world, holds) },
    );
    const reply = checkReply(
      operation,
      state.traced(trace, operation, {
        state,
        partner,
        linkOrigin: () => linkOrigin(request),
        params,
        query,
        body,
      }),
    );
    return names === null ? reply : names.toPartner(reply);
  }

  return { handle, recordExternalResponse };
}

function onWire(
  match: Match<PartnerOperation> | null,
  wire: Wire | null,
  request: ApiRequest,
): Match<PartnerOperation> | null {
  if (match === null || wire === null) return match;
  return { ...match, operation: wire.operation(match.operation, hasNeutralNames(request)) };
}

/** Whether a request and its response use the neutral names, whatever names the sandbox is configured with. */
function hasNeutralNames({ headers }: ApiRequest): boolean {
  return headers[NEUTRAL_HEADER] === 'neutral';
}

/** What made a response, where the request did not. */
function makerOf({ fault, thrown }: RequestContext): ResponseMaker | undefined {
  if (thrown?.status === 429) return 'rate-limit';
  return fault?.effect.drop && replacesRequest(fault) ? 'lost-request' : undefined;
}

/** Whether the body of a reply is a page beyond the first that has records. */
function isLaterPage(body: unknown): boolean {
  // Only the bodies of lists have a page, and they have data.
  const list = body as { readonly page?: number; readonly data: readonly unknown[] } | null;
  return list?.page !== undefined && list.page > 1 && list.data.length > 0;
}

/** Counts a request as one that a fault acts on or lets pass, if it comes so far. */
function countFault(state: WorldState, { request, operation, partner }: RequestContext): void {
  if (partner === null || request.method === 'OPTIONS') return;
  try {
    checkAddress(partner, request.remoteAddress);
    faultFor(state, request, operation, partner.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The partner whose key a request carries, or null when the key is missing or not valid. */
function callerOf(state: WorldState, request: ApiRequest): Partner | null {
  try {
    return authenticate(state, request).partner;
  } catch {
    return null;
  }
}

/** Headers with names in lower case, as an external response has them, so that no header is sent twice. */
function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function translateRefusal(refusal: ApiError, names: NameTranslator | null): ApiError {
  if (names === null) return refusal;
  const { status, rule, message, details, headers, hint } = refusal;
  return new ApiError(status, rule, names.text(message), {
    headers,
    hint: hint === null ? null : names.text(hint),
    ...(details === null ? {} : { details }),
  });
}

function checkDocumented({ fidelity }: Operation, { method, path }: ApiRequest): void {
  if (fidelity.kind === 'documented') return;
  const route = `${method} ${shorten(path.slice(API_PREFIX.length))}`;
  const message = `no such operation: ${route} (it rests on the assumption ${fidelity.id}, and the sandbox runs with --documented-only)`;
  throw new ApiError(404, assumed('documented-only'), message);
}

function addHint(context: RequestContext, hint: string | null): void {
  if (hint !== null) context.hints = [...context.hints, hint];
}

/** Adds hints about input that is valid and hardly what the caller meant. */
function addInputHints(
  context: RequestContext,
  operation: PartnerOperation,
  input: Pick<Input, 'query' | 'body'>,
  caller: HintContext,
): void {
  const { request } = context;
  if (request.headers['idempotency-key'] !== undefined && !READING_METHODS.includes(request.method)) {
    addHint(context, 'header Idempotency-Key: the API has none; a request that is repeated is applied again');
  }
  const hints = operation.hints(input, caller);
  if (hints.length === 0) return;
  context.hints = [...context.hints, ...hints.map(hint => context.names?.text(hint) ?? hint)];
}

/** The hint about a record or a token of another world, or null. The response does not show that it exists there. */
function otherWorldHint(world: World, error: unknown): string | null {
  if (!(error instanceof ApiError) || error.missing === null) return null;
  const { subject, isIn } = error.missing;
  const other = otherWorldOf(world, isIn);
  return other && `${subject} belongs to world ${other}; the request has a key of world ${world.id}`;
}

/** Returns the id of the first other world of which something holds, or null. */
function otherWorldOf({ id, worlds }: World, holds: (state: WorldState) => boolean): string | null {
  for (const other of worlds.all()) if (other.id !== id && holds(other.state)) return other.id;
  return null;
}

/** Writes the response to a request, changed by the fault that acts on it, if any. */
function writeResponse(context: RequestContext, reply: AnyReply): ApiResponse {
  const { fault, refusal, headers, request, trace } = context;
  let response: ApiResponse;
  if (fault === null) response = toResponse(reply, headers, request.method);
  else {
    const result = faultResponse(fault, { reply, refusal, headers }, request.method);
    context.refusal = result.refusal;
    addHint(context, result.hint);
    response = result.response;
  }
  const { sendAfter } = trace;
  return sendAfter === undefined ? response : { ...response, sendAfter: Promise.all(sendAfter) };
}

/** Whether a status says that a request is not valid: the same one is refused again. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
