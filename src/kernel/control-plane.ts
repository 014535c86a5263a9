import type { DispatchOptions } from './dispatch.ts';
import {
  checkInput,
  checkReply,
  hintsAbout,
  readGiven,
  toAnswer,
  toRefusal,
  toStreamAnswer,
} from './exchange.ts';
import { checkFence } from './fence.ts';
import type { Answer, ApiRequest } from './http.ts';
import { LARGEST_BODY, readBody } from './input.ts';
import type { AnyReply, ControlOperation } from './operation.ts';
import { CONTROL_PREFIX } from './plane.ts';
import { Router } from './router.ts';

/** What answers requests below `/_sandbox`. */
export interface ControlPlane {
  /** A promise where the operation waits for time. */
  answer(request: ApiRequest): Answer | Promise<Answer>;
  /** How many bytes of a request's body are worth reading, known from its head. */
  bodyLimit(head: ApiRequest): number;
}

/** Builds the control plane. */
export function createControlPlane(
  operations: readonly ControlOperation[],
  { host, fence, onBug }: DispatchOptions,
): ControlPlane {
  const router = new Router(CONTROL_PREFIX, operations);

  function answer(request: ApiRequest): Answer | Promise<Answer> {
    const match = router.match(request.method, request.path);
    const refuse = (error: unknown) => {
      const refusal = toRefusal(error, match?.operation ?? null, onBug);
      return toAnswer(refusal, { ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, fence());
      if (match === null) throw router.unknown(request.method, request.path);
      const given = readGiven(match.operation, request, readBody(request, match.operation.largestBody));
      const hints = hintsAbout(match.operation, given);
      const input = checkInput(match, given);
      const finish = (given: AnyReply) => {
        const reply = checkReply(match.operation, given);
        return reply.stream === undefined
          ? toAnswer(reply, hintHeader(hints), request.method)
          : toStreamAnswer(reply.stream, hintHeader(hints), request.method);
      };
      const reply = match.operation.run({ world: host.world, host, ...input });
      return reply instanceof Promise ? reply.then(finish).catch(refuse) : finish(reply);
    } catch (error) {
      return refuse(error);
    }
  }

  function bodyLimit(head: ApiRequest): number {
    const largest = router.match(head.method, head.path)?.operation.largestBody ?? LARGEST_BODY;
    if (largest === LARGEST_BODY) return LARGEST_BODY;
    try {
      checkFence(head, fence());
      return largest;
    } catch {
      // It will be refused for another reason than its length.
      return LARGEST_BODY;
    }
  }

  return { answer, bodyLimit };
}

/** Control calls are not in the journal, so what they did not understand is told in a header. */
function hintHeader(hints: readonly string[]): Record<string, string> {
  if (hints.length === 0) return {};
  return { 'X-Sandbox-Hint': hints.join('; ').replace(/[^\x20-\x7e]/g, '?') };
}
