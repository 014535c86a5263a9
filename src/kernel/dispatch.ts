import { authenticate, checkAddress } from './authenticate.ts';
import { allowOrigin, preflightHeaders } from './cors.ts';
import { ApiError, assumed } from './errors.ts';
import { checkFence, type FenceOptions } from './fence.ts';
import type { Host } from './host.ts';
import type { Answer, ApiRequest } from './http.ts';
import { check, parseBody, readBody, readQuery, unknownMembers } from './input.ts';
import type { JournalEntry } from './journal.ts';
import type { AnyReply, Operation } from './operation.ts';
import type { Partner } from './partners.ts';
import type { RealTime } from './realtime.ts';
import { decodeParams, type Match, Router } from './router.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

/** Prefix of the API's paths: the version segment in which `{base_url}` ends (interface section 9). */
export const API_PREFIX = '/v1';
/** Prefix of the control plane's paths. */
export const CONTROL_PREFIX = '/_sandbox';

/** What a dispatch is built from. */
export interface DispatchOptions {
  readonly host: Host;
  readonly operations: readonly Operation[];
  readonly realTime: RealTime;
  /** Asked at every call, because the address is known only once the sandbox listens. */
  readonly fence: () => FenceOptions;
  /** Answers the operations that rest on an assumption with 404. */
  readonly documentedOnly: boolean;
  /** Told of every answered API request. */
  readonly onAnswer: (entry: JournalEntry) => void;
  /** Told of every error that is our own fault, with the operation it happened in. */
  readonly onBug: (error: unknown, operation: string) => void;
}

/** Turns requests into answers. Every surface hands its requests in here, so that all answer alike. */
export interface Dispatch {
  /** Answers a request below `/v1`. Synchronous, and never throws. */
  handle(request: ApiRequest): Answer;
  /** Answers a request below `/_sandbox`. A promise only where the operation waits for time; never rejects. */
  control(request: ApiRequest): Answer | Promise<Answer>;
}

/** What is found out about an API request on its way. */
interface Passage {
  readonly request: ApiRequest;
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly trace: Trace;
  operation: Operation | null;
  partner: Partner | null;
  requestBody: string;
  hints: readonly string[];
  refusal: ApiError | null;
}

/** Builds the pipeline around a table of operations. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { host, operations, realTime } = options;
  const api = new Router(
    API_PREFIX,
    operations.filter(each => each.plane === 'partner'),
  );
  const control = new Router(
    CONTROL_PREFIX,
    operations.filter(each => each.plane === 'control'),
  );

  function handle(request: ApiRequest): Answer {
    const startedAt = realTime.elapsed();
    const { world } = host;
    const passage: Passage = {
      request,
      id: world.journal.nextId(),
      headers: {},
      trace: { changes: [], events: [] },
      operation: null,
      partner: null,
      requestBody: '',
      hints: [],
      refusal: null,
    };
    const reply = request.method === 'OPTIONS' ? preflight(world, passage) : answered(world, passage);
    passage.headers['X-Sandbox-Request'] = passage.id;
    const answer = toAnswer(reply, passage.headers, request.method);
    const entry = world.journal.record({
      id: passage.id,
      request,
      answer,
      operation: passage.operation,
      partnerId: passage.partner?.id ?? null,
      durationMs: realTime.elapsed() - startedAt,
      requestBody: passage.requestBody,
      refusal: passage.refusal,
      hints: passage.hints,
      trace: passage.trace,
    });
    options.onAnswer(entry);
    return answer;
  }

  function preflight(world: World, passage: Passage): AnyReply {
    Object.assign(passage.headers, preflightHeaders(world, passage.request));
    return { status: 204, body: null };
  }

  function answered(world: World, passage: Passage): AnyReply {
    let reply: AnyReply;
    try {
      reply = run(world, passage);
    } catch (error) {
      passage.refusal = toApiError(error, passage.operation);
      Object.assign(passage.headers, passage.refusal.headers);
      reply = passage.refusal;
    }
    allowOrigin(world, passage.partner, passage.request, passage.headers);
    return reply;
  }

  /** The pipeline itself. Its order decides which refusal wins when several are due. */
  function run(world: World, passage: Passage): AnyReply {
    const { request, headers, trace } = passage;
    const match = api.match(request.method, request.path);
    passage.operation = match?.operation ?? null;
    const { partner, key } = authenticate(world, request);
    passage.partner = partner;
    checkAddress(partner, request.remoteAddress);
    world.rateLimiter.take(key, partner.settings.rateLimitPerMinute, headers);
    if (match === null) throw api.unknown(request.method, request.path);
    if (options.documentedOnly) checkDocumented(match.operation);
    passage.requestBody = readBody(request);
    const input = parseInput(match, request.query, passage.requestBody);
    passage.hints = input.hints;
    const reply = world.traced(trace, () => match.operation.run({ world, partner, ...input }));
    if (reply instanceof Promise) throw new Error('an operation for partners must not wait');
    return checkReply(match.operation, reply);
  }

  function controlAnswer(request: ApiRequest): Answer | Promise<Answer> {
    const match = control.match(request.method, request.path);
    const refuse = (error: unknown) => {
      const refusal = toApiError(error, match?.operation ?? null);
      return toAnswer(refusal, { ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, options.fence());
      if (match === null) throw control.unknown(request.method, request.path);
      const { operation } = match;
      const input = parseInput(match, request.query, readBody(request));
      const finish = (reply: AnyReply) => toAnswer(checkReply(operation, reply), {}, request.method);
      const reply = operation.run({ world: host.world, host, ...input });
      return reply instanceof Promise ? reply.then(finish).catch(refuse) : finish(reply);
    } catch (error) {
      return refuse(error);
    }
  }

  function toApiError(error: unknown, operation: Operation | null): ApiError {
    if (error instanceof ApiError) return error;
    options.onBug(error, operation?.id ?? 'no operation');
    const message = 'internal error of the sandbox; its standard error output says more';
    return new ApiError(500, assumed('internal-error'), message);
  }

  return { handle, control: controlAnswer };
}

/** Decodes and checks everything that a request brings, and notes what of it the operation does not know. */
function parseInput({ operation, params }: Match, queryText: string, bodyText: string) {
  const given = { query: readQuery(queryText, operation.query), body: parseBody(bodyText) };
  const query = check(operation.query, given.query, 'query');
  const body = operation.body === null ? {} : check(operation.body, given.body, 'body');
  return {
    params: decodeParams(params),
    query,
    body,
    hints: [
      ...unknownMembers(operation.query, given.query, query, 'query'),
      ...unknownMembers(operation.body ?? operation.query, given.body, body, 'body'),
    ],
  };
}

function checkDocumented({ method, path, fidelity }: Operation): void {
  if (fidelity.kind === 'documented') return;
  const message = `no such operation: ${method} ${path} (it rests on the assumption ${fidelity.id}, and the sandbox runs with --documented-only)`;
  throw new ApiError(404, assumed('documented-only'), message);
}

/** Lets only answers out that the operation declares, so that no internal field leaks. */
function checkReply(operation: Operation, reply: AnyReply): AnyReply {
  const schema = operation.responses[reply.status];
  if (schema === undefined) throw new Error(`answer ${reply.status} is not declared`);
  const result = schema?.safeParse(reply.body);
  if (result?.success === false) throw new Error(`answer does not fit its schema: ${result.error.message}`);
  return reply;
}

function toAnswer({ status, body }: AnyReply, headers: Record<string, string>, method: string): Answer {
  if (body === null) return { status, headers, body: '' };
  const text = JSON.stringify(body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return { status, headers, body: method === 'HEAD' ? '' : text };
}
