import { checkFence } from '../access/fence.ts';
import type { AnyReply, ControlOperation } from '../operation/operation.ts';
import { CONTROL_PREFIX } from '../operation/plane.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { endWithWorld, streamOfWorld } from './end-with-world.ts';
import { type ApiRequest, type ApiResponse, PRIVATE_HEADERS } from './http.ts';
import { MAX_BODY_BYTES, readBody } from './input.ts';
import { decodeParam, Router } from './router.ts';
import {
  checkInput,
  checkReply,
  readRequestInput,
  refuseUnknown,
  toErrorResponse,
  toResponse,
  toStreamResponse,
} from './to-response.ts';

/** Handles requests below `/_sandbox`. */
export interface ControlPlane {
  /** Handles a request. Returns a promise if the operation waits for time. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** The maximum body size of a request in bytes, from its head alone. */
  bodyLimit(head: ApiRequest): number;
}

/** Builds the control plane. */
export function createControlPlane(
  operations: readonly ControlOperation[],
  { worlds, fence, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, operations);

  function handle(received: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { world: worldId, path } = splitPath(received.path);
    const request = path === received.path ? received : { ...received, path };
    const match = router.match(request.method, path);
    const refuse = (error: unknown) => {
      const refusal = toErrorResponse(error, match?.operation ?? null, onBug);
      return toResponse(refusal, { ...PRIVATE_HEADERS, ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, fence());
      const host = worldId === null ? worlds.main : worlds.existing(decodeParam(worldId));
      host.touch();
      if (match === null) throw router.unknown(request.method, received.path);
      const { operation } = match;
      const body = readBody(request, operation.maxBodyBytes);
      const input = readRequestInput(operation, request, body);
      refuseUnknown(operation, input);
      const checkedInput = checkInput(match, input);
      const respond = (reply: AnyReply) => {
        const { stream } = checkReply(operation, reply);
        const headers = { ...PRIVATE_HEADERS };
        return stream === undefined
          ? toResponse(reply, headers, request.method)
          : toStreamResponse(streamOfWorld(host, stream), headers, request.method);
      };
      const reply = operation.run({ world: host.world, host, ...checkedInput });
      if (!(reply instanceof Promise)) return respond(reply);
      return endWithWorld(host, reply).then(respond).catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  function bodyLimit(head: ApiRequest): number {
    const limit =
      router.match(head.method, splitPath(head.path).path)?.operation.maxBodyBytes ?? MAX_BODY_BYTES;
    if (limit === MAX_BODY_BYTES) return MAX_BODY_BYTES;
    try {
      checkFence(head, fence());
      return limit;
    } catch {
      // The request will be refused for another reason than its length.
      return MAX_BODY_BYTES;
    }
  }

  return { handle, bodyLimit };
}

/** A path of the control plane with the world that it names, and without its name. */
interface WorldPath {
  /** The id of the world, still percent-encoded; null for `main`. */
  readonly world: string | null;
  readonly path: string;
}

const WORLD_PATH = new RegExp(`^${CONTROL_PREFIX}/worlds/([^/]+)(/(?!worlds(?:/|$)).+)$`);

/** Splits `/_sandbox/worlds/{world}/clock` into the world and `/_sandbox/clock`. Any other path stays as it is. */
function splitPath(path: string): WorldPath {
  const [, world = null, rest = ''] = WORLD_PATH.exec(path) ?? [];
  return world === null ? { world, path } : { world, path: CONTROL_PREFIX + rest };
}
