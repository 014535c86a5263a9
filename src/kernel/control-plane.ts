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
import { readBody } from './input.ts';
import type { AnyReply, ControlOperation } from './operation.ts';
import { CONTROL_PREFIX } from './plane.ts';
import { Router } from './router.ts';

/** Builds what answers requests below `/_sandbox`: a promise where the operation waits for time. */
export function createControlPlane(
  operations: readonly ControlOperation[],
  { host, fence, onBug }: DispatchOptions,
): (request: ApiRequest) => Answer | Promise<Answer> {
  const router = new Router(CONTROL_PREFIX, operations);

  return request => {
    const match = router.match(request.method, request.path);
    const refuse = (error: unknown) => {
      const refusal = toRefusal(error, match?.operation ?? null, onBug);
      return toAnswer(refusal, { ...refusal.headers }, request.method);
    };
    try {
      checkFence(request, fence());
      if (match === null) throw router.unknown(request.method, request.path);
      const given = readGiven(match.operation, request, readBody(request));
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
  };
}

/** Control calls are not in the journal, so what they did not understand is told in a header. */
function hintHeader(hints: readonly string[]): Record<string, string> {
  if (hints.length === 0) return {};
  return { 'X-Sandbox-Hint': hints.join('; ').replace(/[^\x20-\x7e]/g, '?') };
}
