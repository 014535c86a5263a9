import { checkFence } from '../access/fence.ts';
import type { AnyReply, ControlOperation } from '../operation/operation.ts';
import { CONTROL_PREFIX } from '../operation/plane.ts';
import type { DispatchOptions } from './dispatch.ts';
import type { ApiRequest, ApiResponse } from './http.ts';
import { MAX_BODY_BYTES, readBody } from './input.ts';
import { Router } from './router.ts';
import {
  checkInput,
  checkReply,
  hintsAbout,
  readRequestInput,
  toErrorResponse,
  toResponse,
  toStreamResponse,
} from './to-response.ts';

/** What answers requests below `/_sandbox`. */
export interface ControlPlane {
  /** A promise where the operation waits for time. */
  answer(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** How many bytes of a request's body are worth reading, known from its head. */
  bodyLimit(head: ApiRequest): number;
}

/** Builds the control plane. */
export function createControlPlane(
  operations: readonly ControlOperation[],
  { host, fence, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, operations);

  function answer(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const match = router.match(request.method, request.path);
    const refuse = (error: unknown) => {
      const refusal = toErrorResponse(error, match?.operation ?? null, onBug);
      return toResponse(refusal, { ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, fence());
      if (match === null) throw router.unknown(request.method, request.path);
      const given = readRequestInput(
        match.operation,
        request,
        readBody(request, match.operation.maxBodyBytes),
      );
      const hints = hintsAbout(match.operation, given);
      const input = checkInput(match, given);
      const finish = (given: AnyReply) => {
        const reply = checkReply(match.operation, given);
        return reply.stream === undefined
          ? toResponse(reply, hintHeader(hints), request.method)
          : toStreamResponse(reply.stream, hintHeader(hints), request.method);
      };
      const reply = match.operation.run({ world: host.world, host, ...input });
      return reply instanceof Promise ? reply.then(finish).catch(refuse) : finish(reply);
    } catch (error) {
      return refuse(error);
    }
  }

  function bodyLimit(head: ApiRequest): number {
    const largest = router.match(head.method, head.path)?.operation.maxBodyBytes ?? MAX_BODY_BYTES;
    if (largest === MAX_BODY_BYTES) return MAX_BODY_BYTES;
    try {
      checkFence(head, fence());
      return largest;
    } catch {
      // It will be refused for another reason than its length.
      return MAX_BODY_BYTES;
    }
  }

  return { answer, bodyLimit };
}

/** Control calls are not in the journal, so what they did not understand is told in a header. */
function hintHeader(hints: readonly string[]): Record<string, string> {
  if (hints.length === 0) return {};
  return { 'X-Sandbox-Hint': hints.join('; ').replace(/[^\x20-\x7e]/g, '?') };
}
