import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../../core/request/http.ts';
import { performance } from '../../core/values/builtins.ts';
import { messageOf, readThrown } from '../../core/values/read-thrown.ts';
import { printable } from '../../core/values/text.ts';
import { MAX_BODY_BYTES, type SandboxCore } from '../../sandbox/sandbox.ts';
import { toApiResponse, toRequest } from './fetch-conversion.ts';

/** The members of an MSW request handler that versions 2 and 3 have in common. */
export interface MswHandler {
  readonly info: { readonly header?: string };
  run(input: {
    readonly request: Request;
    readonly requestId: string;
    readonly resolutionContext: { readonly baseUrl: string };
  }): Promise<{ readonly response?: Response | undefined } | null>;
}

/** Handles requests to the API. Never throws or rejects. */
export type ApiHandler = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** The mark of MSW in a request that is to bypass its handlers. */
const BYPASS = /(?:,\s*)?\bmsw\/passthrough\b/;
/** The header of MSW in the response of a handler that passes the request through. */
const INTENTION = 'x-msw-intention';

/** The header that names the run of the handlers that a request comes from. The sandbox never sees it. */
const RUN = 'x-sandbox-handler-run';

/** A run of the handlers for one request. */
interface HandlerRun {
  /** The handlers that run for it, and for the request that it comes from. */
  readonly active: Set<MswHandler>;
  /** Whether the sandbox closed the connection of a request that a handler sent to it. */
  isDropped: boolean;
}

/**
 * Handles requests with the first handler that returns a response, and with the sandbox when none does. Records the
 * responses of handlers in the journal. A request that a handler sends with the headers of its own does not reach that
 * handler again. `file` names the handlers in messages; `origin` is where the sandbox listens.
 */
export function runHandlers(
  handlers: readonly MswHandler[],
  file: string,
  sandbox: SandboxCore,
  origin: () => string,
): ApiHandler {
  const runs = new Map<string, HandlerRun>();
  return request => {
    const { accept, [RUN]: mark, ...others } = request.headers;
    const parent = runs.get(String(mark));
    const isBypass = typeof accept === 'string' && BYPASS.test(accept);
    if (isBypass) {
      const headers = { ...others, accept: accept.replace(BYPASS, '') || '*/*' };
      return handleInSandbox({ ...request, headers }, parent);
    }
    const headers = { ...others, ...(accept !== undefined && { accept }) };
    const own = mark === undefined ? request : { ...request, headers };
    return isComplete(own) ? handle(own, parent) : sandbox.handle(own);
  };

  async function handle(request: ApiRequest, parent?: HandlerRun): Promise<ApiResponse> {
    const id = randomUUID();
    const marked = { ...request, headers: { ...request.headers, [RUN]: id } };
    const converted = toRequest(marked, origin());
    if (converted === null) return sandbox.handle(request);
    const startedAt = performance.now();
    const run: HandlerRun = { active: new Set(parent?.active), isDropped: false };
    runs.set(id, run);
    const result = await firstResponse(converted, id, run).finally(() => runs.delete(id));
    if (result === null) return handleInSandbox(request, parent);
    const durationMs = performance.now() - startedAt;
    return sandbox.recordExternalResponse(request, result.response, result.hint, durationMs);
  }

  async function handleInSandbox(request: ApiRequest, parent?: HandlerRun): Promise<ApiResponse> {
    const response = await sandbox.handle(request);
    if (parent !== undefined && response.drop) parent.isDropped = true;
    return response;
  }

  async function firstResponse(
    request: Request,
    requestId: string,
    run: HandlerRun,
  ): Promise<{ response: ApiResponse; hint: string } | null> {
    const inherited = new Set(run.active);
    for (const [index, handler] of handlers.entries()) {
      if (inherited.has(handler)) continue;
      const name = `handler ${handler.info.header ?? index + 1} of ${file}`;
      run.active.add(handler);
      try {
        const resolutionContext = { baseUrl: origin() };
        const result = await handler.run({ request: request.clone(), requestId, resolutionContext });
        if (result?.response === undefined) {
          run.active.delete(handler);
          continue;
        }
        if (result.response.headers.get(INTENTION) === 'passthrough') return null;
        const response = await toApiResponse(result.response);
        const hint = `${response.drop ? 'the connection was closed' : 'answered'} by ${name}`;
        return { response, hint };
      } catch (error) {
        // Its request was lost, and so is the one that it runs for.
        if (run.isDropped) return { response: DROPPED, hint: `the connection was closed behind ${name}` };
        console.error(`${printable(name)} failed: ${errorText(error)}`);
        return { response: failure(name, error), hint: `${name} failed` };
      }
    }
    return null;
  }
}

const DROPPED: ApiResponse = { status: 500, headers: {}, body: '', drop: true };

/** Whether the body was read in full: only the beginning is read of one that exceeds the limit. */
function isComplete(request: ApiRequest): boolean {
  const size = Math.max(request.body.length, Number(request.headers['content-length'] ?? 0));
  return size <= MAX_BODY_BYTES;
}

/** The message of an error and where it was thrown. What it repeats may come from a request, so it is made printable. */
function errorText(error: unknown): string {
  const { message, title, stack } = readThrown(error);
  // The message is one line, so that it cannot look like other lines of the log.
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : '';
  return [printable(title), ...frames.split('\n').slice(1).map(printable)].join('\n');
}

function failure(name: string, error: unknown): ApiResponse {
  const message = `${name} failed: ${messageOf(error)}`;
  const body = JSON.stringify({ success: false, error: message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status: 500, headers, body };
}
