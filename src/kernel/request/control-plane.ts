import { checkFence } from '../access/fence.ts';
import type { AnyReply, ControlOperation } from '../operation/operation.ts';
import { CONTROL_PREFIX } from '../operation/plane.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { type ApiRequest, type ApiResponse, PRIVATE_HEADERS } from './http.ts';
import { checkBodyType, readBody, readContent } from './input.ts';
import { Router } from './router.ts';
import {
  checkInput,
  checkReply,
  readRequestInput,
  refuseUnknown,
  toContentResponse,
  toErrorResponse,
  toResponse,
  toStreamResponse,
} from './to-response.ts';

/** Handles requests below `/_sandbox`. */
export interface ControlPlane {
  /** Handles a request. Returns a promise if the operation waits for time. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether the body of a request is to be passed on as `content`, from its head alone. */
  streamsBody(head: ApiRequest): boolean;
}

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
      if (request.content !== undefined) checkBodyType(request);
      const body = operation.streamsBody ? '' : readBody(request);
      const input = readRequestInput(operation, request, body);
      refuseUnknown(operation, input);
      const checkedInput = checkInput(match, input);
      const respond = (reply: AnyReply) => {
        const headers = { ...PRIVATE_HEADERS };
        if (reply.content !== undefined) return toContentResponse(reply.content, headers, request.method);
        const { stream } = checkReply(operation, reply);
        return stream === undefined
          ? toResponse(reply, headers, request.method)
          : toStreamResponse(stream, headers, request.method);
      };
      const reply = operation.run({
        world: host.world,
        host,
        content: readContent(request.content ?? [request.body]),
        ...checkedInput,
      });
      return reply instanceof Promise ? reply.then(respond).catch(refuse) : respond(reply);
    } catch (error) {
      return refuse(error);
    }
  }

  function streamsBody(head: ApiRequest): boolean {
    return router.match(head.method, head.path)?.operation.streamsBody ?? false;
  }

  return { handle, streamsBody };
}
