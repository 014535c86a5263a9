import { checkSender, checkToken } from '../access/access-guard.ts';
import { ApiError, assumed, type Fidelity } from '../operation/errors.ts';
import {
  type AnyReply,
  type ControlOperation,
  checkReply,
  type OperationGroup,
} from '../operation/operation.ts';
import { AbortController } from '../values/builtins.ts';
import { onAbort } from '../values/on-abort.ts';
import { CONTROL_HEADER, CONTROL_PREFIX } from '../values/plane.ts';
import type { World } from '../world/world.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { refuseUnknown } from './hints.ts';
import {
  type ApiRequest,
  type ApiResponse,
  MAX_BODY_BYTES,
  PRIVATE_HEADERS,
  READING_METHODS,
  type Stream,
  toContentResponse,
  toErrorResponse,
  toResponse,
  toStreamResponse,
} from './http.ts';
import { checkInput, readBody, readRequestInput } from './input.ts';
import { decodeParam, type Match, Router } from './router.ts';

/** Handles requests below `/_sandbox`. */
export interface ControlPlane {
  /** Handles a request. Returns a promise if the operation waits for time. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** The maximum size in bytes of the body of a request, which is not read yet. */
  maxBodyBytes(request: ApiRequest): number;
}

/** The signal of requests whose surface does not know whether the caller still waits. */
const NEVER = new AbortController().signal;

const HEADERS = { ...PRIVATE_HEADERS, [CONTROL_HEADER]: 'control-plane' };

export function createControlPlane(
  groups: readonly OperationGroup<ControlOperation>[],
  { worlds, accessGuard, linkOrigin, holdResponse, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, groups);

  function handle(received: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { world: worldId, path } = splitPath(received.path);
    const request = path === received.path ? received : { ...received, path };
    let match: Match<ControlOperation> | null = null;
    let called: World | null = null;
    let body = '';
    let addToHistory: ReturnType<World['history']['begin']> | null = null;
    let hasWaited = false;
    const record = (response: ApiResponse, summary: string, rule?: Fidelity) => {
      const handled = { request, requestBody: body, response, summary, rule };
      addToHistory?.({ plane: 'control', requestId: null, ...handled }, hasWaited);
      return response;
    };
    const refuse = (error: unknown) => {
      const refusal = toErrorResponse(error, match?.operation ?? null, onBug);
      // Refused before it began.
      if (called !== null && isRecorded(match, request)) addToHistory ??= called.history.begin();
      const headers = { ...HEADERS, ...refusal.headers };
      return record(toResponse(refusal, headers, request.method), refusal.message, refusal.rule);
    };
    try {
      checkSender(request, accessGuard());
      match = router.match(request.method, path);
      // Below a world, a response without the token would show which worlds there are.
      if (worldId !== null || !match?.operation.isPublic) checkToken(request, accessGuard());
      const world = worldId === null ? worlds.main : worlds.existing(decodeParam(worldId));
      called = world;
      world.touch();
      if (match === null) throw router.unknownPathError(request.method, path);
      const { operation } = match;
      body = readBody(request, operation.maxBodyBytes);
      const input = readRequestInput(operation, request, body);
      refuseUnknown(operation, input);
      const signal = request.signal ?? NEVER;
      const onBegin = () => {
        addToHistory = world.history.begin();
      };
      const context = {
        state: world.state,
        world,
        linkOrigin: () => linkOrigin(request),
        signal,
        onBegin,
        ...checkInput(match, input),
      };
      const reply = world.state.clock.hold(() => {
        world.responses.open(request.afterResponse);
        if (operation.isRecorded) onBegin();
        return operation.run(context);
      });
      const respond = (reply: AnyReply): ApiResponse => {
        const headers = { ...HEADERS, ...reply.headers };
        if (reply.content !== undefined) {
          return toContentResponse(reply.content, headers, request.method, operation.mediaType);
        }
        const { stream } = checkReply(operation, reply);
        if (stream !== undefined) {
          return toStreamResponse(streamOfWorld(world, stream), headers, request.method);
        }
        return record(toResponse(reply, headers, request.method), operation.summary);
      };
      if (!(reply instanceof Promise)) return respond(reply);
      hasWaited = true;
      // It may wait for what it would hold up.
      request.afterResponse?.run();
      const held = holdResponse?.();
      const ended = held === undefined ? reply : reply.finally(() => held);
      return endWithWorld(world, ended).then(respond).catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  function maxBodyBytes(request: ApiRequest): number {
    try {
      // Nobody else can make the sandbox hold a large body.
      checkSender(request, accessGuard());
      checkToken(request, accessGuard());
      const { path } = splitPath(request.path);
      return router.match(request.method, path)?.operation.maxBodyBytes ?? MAX_BODY_BYTES;
    } catch {
      // `handle` reports it.
      return MAX_BODY_BYTES;
    }
  }

  return { handle, maxBodyBytes };
}

/** Whether the history has a call, because it writes. Without an operation, its method says so. */
function isRecorded(match: Match<ControlOperation> | null, { method }: ApiRequest): boolean {
  return match?.operation.isRecorded ?? !READING_METHODS.includes(method);
}

/** A path of the control plane without the world that it names. */
interface SplitPath {
  /** The id of the world, still percent-encoded; null for `main`. */
  readonly world: string | null;
  readonly path: string;
}

const WORLD_PATH = new RegExp(`^${CONTROL_PREFIX}/worlds/([^/]+)(/(?!worlds(?:/|$)).+)$`);

/** Splits `/_sandbox/worlds/{world}/clock` into the world and `/_sandbox/clock`. Any other path stays as it is. */
function splitPath(path: string): SplitPath {
  const [, world = null, rest = ''] = WORLD_PATH.exec(path) ?? [];
  return world === null ? { world, path } : { world, path: CONTROL_PREFIX + rest };
}

/** Resolves with a reply. Rejects with a 404 when its world ends before. The world counts as used until then. */
function endWithWorld<T>(world: World, reply: Promise<T>): Promise<T> {
  const release = world.use();
  return new Promise<T>((resolve, reject) => {
    const cancelEnd = onAbort([world.ended], () => {
      const message = `the world ${JSON.stringify(world.id)} ended before the response`;
      reject(new ApiError(404, assumed('worlds'), message));
    });
    reply.then(resolve, reject).finally(() => {
      cancelEnd();
      release();
    });
  });
}

/** A stream that ends with its world. The world counts as used while the stream is open. */
function streamOfWorld(world: World, stream: Stream): Stream {
  return (send, end) => {
    // A surface starts a stream after the response, so that the world may have ended meanwhile.
    if (world.ended.aborted) {
      end();
      return () => undefined;
    }
    const release = world.use();
    const stop = stream(send, end);
    const close = () => {
      cancelEnd();
      release();
      stop();
    };
    const cancelEnd = onAbort([world.ended], () => {
      close();
      end();
    });
    return close;
  };
}
