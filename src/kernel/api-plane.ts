import { authenticate, checkAddress } from './authenticate.ts';
import { allowOrigin, preflightHeaders } from './cors.ts';
import type { DispatchOptions } from './dispatch.ts';
import { ApiError, assumed, type Refusal } from './errors.ts';
import { checkInput, checkReply, hintsAbout, readGiven, toAnswer, toRefusal } from './exchange.ts';
import { faultAnswer, faultFor, NO_REPLY, takesPlace } from './fault-answer.ts';
import type { ActingFault } from './faults.ts';
import type { Answer, ApiRequest } from './http.ts';
import { readBody } from './input.ts';
import type { AnyReply, Operation, PartnerOperation } from './operation.ts';
import type { Partner } from './partners.ts';
import { API_PREFIX } from './plane.ts';
import { Router } from './router.ts';
import { shorten } from './shorten.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

/** What is found out about a request on its way. */
interface RequestContext {
  readonly request: ApiRequest;
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly trace: Trace;
  operation: Operation | null;
  partner: Partner | null;
  requestBody: string;
  hints: readonly string[];
  refusal: Refusal | null;
  fault: ActingFault | null;
}

/** Builds what answers requests below `/v1`. */
export function createApiPlane(
  operations: readonly PartnerOperation[],
  { host, realTime, documentedOnly, onAnswer, onBug }: DispatchOptions,
): (request: ApiRequest) => Answer {
  const documented = operations.filter(({ fidelity }) => fidelity.kind === 'documented');
  const router = new Router(API_PREFIX, operations, documentedOnly ? documented : operations);

  function handle(request: ApiRequest): Answer {
    const startedAt = realTime.elapsed();
    const { world } = host;
    const context: RequestContext = {
      request,
      id: world.journal.nextId(),
      headers: {},
      trace: { changes: [], events: [] },
      operation: null,
      partner: null,
      requestBody: '',
      hints: [],
      refusal: null,
      fault: null,
    };
    const reply = request.method === 'OPTIONS' ? preflight(world, context) : answered(world, context);
    context.headers['X-Sandbox-Request'] = context.id;
    const answer = written(context, reply);
    onAnswer(world.journal.record(context, answer, realTime.elapsed() - startedAt));
    return answer;
  }

  function preflight(world: World, context: RequestContext): AnyReply {
    Object.assign(context.headers, preflightHeaders(world, context.request));
    return { status: 204, body: null };
  }

  function answered(world: World, context: RequestContext): AnyReply {
    let reply: AnyReply;
    try {
      reply = run(world, context);
    } catch (error) {
      const refusal = toRefusal(error, context.operation, onBug);
      Object.assign(context.headers, refusal.headers);
      context.refusal = refusal;
      reply = refusal;
    }
    allowOrigin(world, context.partner, context.request, context.headers);
    return reply;
  }

  /** The pipeline itself. Its order decides which refusal wins when several are due. */
  function run(world: World, context: RequestContext): AnyReply {
    const { request, headers, trace } = context;
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
    const given = readGiven(operation, request, context.requestBody);
    context.hints = hintsAbout(operation, given);
    const input = checkInput(match, given);
    const reply = world.traced(trace, () => operation.run({ world, partner, ...input }));
    return checkReply(operation, reply);
  }

  return handle;
}

/** Writes the answer to a request, as the fault that acts on it leaves it. */
function written(context: RequestContext, reply: AnyReply): Answer {
  const { fault, refusal, headers, request } = context;
  if (fault === null) return toAnswer(reply, headers, request.method);
  const faulted = faultAnswer(fault, { reply, refusal, headers }, request.method);
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
