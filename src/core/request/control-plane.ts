import { callerOf, checkFence, outsideWorld, unknownCaller } from '../access/fence.ts';
import { ApiError, assumed } from '../operation/errors.ts';
import {
  type Access,
  type AnyReply,
  type ControlOperation,
  checkReply,
  type OperationGroup,
} from '../operation/operation.ts';
import { CONTROL_HEADER, CONTROL_PREFIX } from '../values/plane.ts';
import { shorten } from '../values/text.ts';
import type { World } from '../world/world.ts';
import type { DispatchOptions, Recorder } from './dispatch-options.ts';
import { refuseUnknown } from './hints.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Content,
  PRIVATE_HEADERS,
  type Stream,
  toContentResponse,
  toErrorResponse,
  toResponse,
  toStreamResponse,
  toTextResponse,
} from './http.ts';
import { checkBodyType, checkInput, readBody, readContent, readRequestInput } from './input.ts';
import { decodeParam, type Match, Router } from './router.ts';

/** Handles requests below `/_sandbox`. */
export interface ControlPlane {
  /** Handles a request. Returns a promise if the operation waits for time. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether the body of a request is to be passed on as `content`. */
  streamsBody(method: string, path: string): boolean;
}

/** The signal of requests whose surface does not know whether the caller still waits. */
const NEVER = new AbortController().signal;

const HEADERS = { ...PRIVATE_HEADERS, [CONTROL_HEADER]: 'control-plane' };

/** Builds the control plane. */
export function createControlPlane(
  groups: readonly OperationGroup<ControlOperation>[],
  { worlds, shard, fence, recorder, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, groups);

  function handle(received: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { shard: named, world: worldId, path } = splitPath(received.path);
    const request = path === received.path ? received : { ...received, path };
    let match: Match<ControlOperation> | null = null;
    let called: World | null = null;
    let addToHistory: ReturnType<Recorder['begin']> | null = null;
    let body = '';
    const counted = (response: ApiResponse) => {
      worlds.counts.countRequest('control', match?.operation.id, response.status);
      return response;
    };
    const refuse = (error: unknown) => {
      const refusal = toErrorResponse(error, match?.operation ?? null, onBug);
      const response = toResponse(refusal, { ...HEADERS, ...refusal.headers }, request.method);
      // Refused before it began.
      if (called !== null && isRecorded(match, request)) addToHistory ??= recorder.begin(called);
      addToHistory?.({
        plane: 'control',
        id: null,
        request,
        requestBody: match?.operation.streamsBody ? null : body,
        response,
        summary: refusal.message,
      });
      return counted(response);
    };
    try {
      checkFence(request, fence());
      const caller = callerOf(request, fence(), token => worlds.idOfToken(token));
      match = router.match(request.method, path);
      const declared = match?.operation.access ?? 'world';
      // What everybody may call of the server must not show which worlds there are.
      const access = worldId !== null && declared === 'anyone' ? 'world' : declared;
      if (caller.kind === 'unknown' && access !== 'anyone') throw unknownCaller();
      const id = decodeParam(worldId ?? match?.params.world ?? worlds.main.id);
      if (caller.kind === 'world' && !mayCall(caller.world, access, id)) throw outsideWorld(caller.world);
      if (named !== null && named !== shard) throw unknownShard(named, shard);
      const loading = worldId === null ? null : worlds.prepare(id);
      if (loading !== null) return loading.then(() => handle(received));
      const world = worldId === null ? worlds.main : worlds.existing(id);
      called = world;
      world.touch();
      if (match === null) throw router.unknownPathError(request.method, received.path);
      const { operation } = match;
      if (request.content !== undefined) checkBodyType(request);
      body = operation.streamsBody ? '' : readBody(request);
      const input = readRequestInput(operation, request, body);
      refuseUnknown(operation, input);
      const checkedInput = checkInput(match, input);
      const content = request.content ?? [request.body];
      const kept = operation.streamsBody && operation.isRecorded ? new KeptBody(content) : null;
      const context = {
        state: world.state,
        world,
        tokenOf: caller.kind === 'world' ? caller.world : null,
        signal: request.signal ?? NEVER,
        content: readContent(kept?.pieces() ?? content),
        ...checkedInput,
      };
      const reply = world.state.clock.hold(() => {
        if (operation.isRecorded) addToHistory = recorder.begin(world);
        return operation.run(context);
      });
      const writeReply = (reply: AnyReply): ApiResponse => {
        const headers = { ...HEADERS, ...reply.headers };
        if (reply.content !== undefined) return toContentResponse(reply.content, headers, request.method);
        const { stream, text } = checkReply(operation, reply);
        if (stream !== undefined) {
          return toStreamResponse(streamOfWorld(world, stream), headers, request.method);
        }
        if (text !== undefined) return toTextResponse(text, headers, request.method);
        const response = toResponse(reply, headers, request.method);
        const { summary } = operation;
        addToHistory?.({
          plane: 'control',
          id: null,
          request,
          requestBody: kept === null ? body : kept.text,
          response,
          summary,
        });
        return response;
      };
      const respond = (reply: AnyReply) => counted(writeReply(reply));
      if (!(reply instanceof Promise)) return respond(reply);
      return endWithWorld(world, reply).then(respond).catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  function streamsBody(method: string, path: string): boolean {
    try {
      return router.match(method, splitPath(path).path)?.operation.streamsBody ?? false;
    } catch {
      // `handle` reports it.
      return false;
    }
  }

  return { handle, streamsBody };
}

/** Whether the history has a call, because it writes. Without an operation, its method says so. */
function isRecorded(match: Match<ControlOperation> | null, { method }: ApiRequest): boolean {
  return match?.operation.isRecorded ?? !['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** Whether the token of `own` allows a call for the world `target`. */
function mayCall(own: string, access: Access, target: string): boolean {
  return access === 'anyone' || access === 'any-world' || (access !== 'server' && own === target);
}

function unknownShard(named: string, shard: string | null): ApiError {
  const actual =
    shard === null
      ? 'this sandbox was started without --shard'
      : `this is the shard ${JSON.stringify(shard)}`;
  return new ApiError(404, assumed('shards'), `no shard ${JSON.stringify(shorten(named))}; ${actual}`);
}

/** A path of the control plane with the shard and the world that it names, and without their names. */
interface SplitPath {
  /** The name of the shard, as sent; null for whichever process the request reaches. */
  readonly shard: string | null;
  /** The id of the world, still percent-encoded; null for `main`. */
  readonly world: string | null;
  readonly path: string;
}

const WORLD_PATH = new RegExp(`^${CONTROL_PREFIX}/worlds/([^/]+)(/(?!worlds(?:/|$)|token$).+)$`);

const SHARD_PATH = new RegExp(`^${CONTROL_PREFIX}/shards/([^/]+)(/.+)$`);

/**
 * Splits `/_sandbox/shards/{name}/worlds/{world}/clock` into the shard, the world and `/_sandbox/clock`. Either may be
 * missing. Any other path stays as it is.
 */
function splitPath(path: string): SplitPath {
  const [, shard = null, inShard = ''] = SHARD_PATH.exec(path) ?? [];
  const below = shard === null ? path : CONTROL_PREFIX + inShard;
  const [, world = null, rest = ''] = WORLD_PATH.exec(below) ?? [];
  return world === null ? { shard, world, path: below } : { shard, world, path: CONTROL_PREFIX + rest };
}

/** Resolves with a reply. Rejects with a 404 when its world ends before. The world counts as used until then. */
function endWithWorld<T>(world: World, reply: Promise<T>): Promise<T> {
  const release = world.use();
  return new Promise<T>((resolve, reject) => {
    const onEnd = () => {
      const message = `the world ${JSON.stringify(world.id)} ended before the response`;
      reject(new ApiError(404, assumed('worlds'), message));
    };
    world.ended.addEventListener('abort', onEnd, { once: true });
    reply.then(resolve, reject).finally(() => {
      world.ended.removeEventListener('abort', onEnd);
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
      world.ended.removeEventListener('abort', onEnd);
      release();
      stop();
    };
    const onEnd = () => {
      close();
      end();
    };
    world.ended.addEventListener('abort', onEnd, { once: true });
    return close;
  };
}

/** Cap on a body that is kept although its operation reads it in pieces, in bytes. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** A body that is kept while it is passed on in pieces, unless it is large. */
class KeptBody {
  readonly #content: Content | readonly Uint8Array[];
  /** The pieces so far; null once they are too many. */
  #pieces: Uint8Array[] | null = [];
  #length = 0;

  constructor(content: Content | readonly Uint8Array[]) {
    this.#content = content;
  }

  /** The pieces of the body, once. */
  async *pieces(): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of this.#content) {
      this.#length += piece.length;
      if (this.#length > MAX_KEPT_BYTES) this.#pieces = null;
      this.#pieces?.push(piece);
      yield piece;
    }
  }

  /** The text of the pieces that were passed on; null when it is too large. */
  get text(): string | null {
    return this.#pieces === null ? null : Buffer.concat(this.#pieces).toString();
  }
}
