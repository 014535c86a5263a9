import { checkFence } from '../access/fence.ts';
import type { AnyReply, ControlOperation } from '../operation/operation.ts';
import { CONTROL_PREFIX } from '../operation/plane.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { type ApiRequest, type ApiResponse, PRIVATE_HEADERS } from './http.ts';
import { MAX_BODY_BYTES, readBody } from './input.ts';
import { Router } from './router.ts';
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

/** The signal of requests whose surface does not know whether the caller still waits. */
const NEVER = new AbortController().signal;

/** Builds the control plane. */
export function createControlPlane(
  operations: readonly ControlOperation[],
  { host, fence, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, operations);

  function handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const match = router.match(request.method, request.path);
    const refuse = (error: unknown) => {
      const refusal = toErrorResponse(error, match?.operation ?? null, onBug);
      return toResponse(refusal, { ...PRIVATE_HEADERS, ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, fence());
      if (match === null) throw router.unknown(request.method, request.path);
      const { operation } = match;
      const body = readBody(request, operation.maxBodyBytes);
      const input = readRequestInput(operation, request, body);
      refuseUnknown(operation, input);
      const checkedInput = checkInput(match, input);
      const respond = (reply: AnyReply) => {
        const { stream } = checkReply(operation, reply);
        const headers = { ...PRIVATE_HEADERS, ...reply.headers };
        return stream === undefined
          ? toResponse(reply, headers, request.method)
          : toStreamResponse(stream, headers, request.method);
      };
      const reply = operation.run({
        world: host.world,
        host,
        signal: request.signal ?? NEVER,
        ...checkedInput,
      });
      return reply instanceof Promise ? reply.then(respond).catch(refuse) : respond(reply);
    } catch (error) {
      return refuse(error);
    }
  }

  function bodyLimit(head: ApiRequest): number {
    const limit = router.match(head.method, head.path)?.operation.maxBodyBytes ?? MAX_BODY_BYTES;
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
