import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse } from '../../core/request/http.ts';
import { performance } from '../../core/values/builtins.ts';
import { isError } from '../../core/values/is-error.ts';
import { printable } from '../../core/values/text.ts';
import { MAX_BODY_BYTES, type SandboxCore } from '../../sandbox/sandbox.ts';
import { loadFetchApi } from '../../sandbox/transport/fetch-api.ts';
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

/**
 * Handles requests with the first handler that returns a response, and with the sandbox when none does. Records the
 * responses of handlers in the journal. `file` names the handlers in messages; `origin` is where the sandbox listens.
 */
export function runHandlers(
  handlers: readonly MswHandler[],
  file: string,
  sandbox: SandboxCore,
  origin: () => string,
): ApiHandler {
  return request => {
    const accept = request.headers.accept;
    if (typeof accept === 'string' && BYPASS.test(accept)) {
      const headers = { ...request.headers, accept: accept.replace(BYPASS, '') || '*/*' };
      return sandbox.handle({ ...request, headers });
    }
    return isComplete(request) ? handle(request) : sandbox.handle(request);
  };

  async function handle(request: ApiRequest): Promise<ApiResponse> {
    const converted = toRequest(request, origin(), await loadFetchApi());
    if (converted === null) return sandbox.handle(request);
    const startedAt = performance.now();
    const result = await firstResponse(converted);
    if (result === null) return sandbox.handle(request);
    const durationMs = performance.now() - startedAt;
    return sandbox.recordExternalResponse(request, result.response, result.hint, durationMs);
  }

  async function firstResponse(request: Request): Promise<{ response: ApiResponse; hint: string } | null> {
    const requestId = randomUUID();
    for (const [index, handler] of handlers.entries()) {
      const name = `handler ${handler.info.header ?? index + 1} of ${file}`;
      try {
        const resolutionContext = { baseUrl: origin() };
        const result = await handler.run({ request: request.clone(), requestId, resolutionContext });
        if (result?.response === undefined) continue;
        if (result.response.headers.get(INTENTION) === 'passthrough') return null;
        const response = await toApiResponse(result.response);
        const hint = `${response.drop ? 'the connection was closed' : 'answered'} by ${name}`;
        return { response, hint };
      } catch (error) {
        console.error(`${printable(name)} failed: ${errorText(error)}`);
        return { response: failure(name, error), hint: `${name} failed` };
      }
    }
    return null;
  }
}

/** Whether the body was read in full: only the beginning is read of one that exceeds the limit. */
function isComplete(request: ApiRequest): boolean {
  const size = Math.max(request.body.length, Number(request.headers['content-length'] ?? 0));
  return size <= MAX_BODY_BYTES;
}

/** The message of an error and where it was thrown. What it repeats may come from a request, so it is made printable. */
function errorText(error: unknown): string {
  if (!isError(error)) return printable(String(error));
  const { name, message, stack = '' } = error;
  // The message is one line, so that it cannot look like other lines of the log.
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : '';
  return [printable(`${name}: ${message}`), ...frames.split('\n').slice(1).map(printable)].join('\n');
}

function failure(name: string, error: unknown): ApiResponse {
  const message = `${name} failed: ${isError(error) ? error.message : error}`;
  const body = JSON.stringify({ success: false, error: message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status: 500, headers, body };
}
