import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiRequest, ApiResponse } from '../../kernel/request/http.ts';
import type { SandboxCore } from '../../sandbox/sandbox.ts';
import { toApiResponse, toRequest } from './fetch-shapes.ts';

/** A request handler of MSW, as far as versions 2 and 3 have it in common. */
interface Handler {
  readonly info: { readonly header?: string };
  run(given: {
    readonly request: Request;
    readonly requestId: string;
    readonly resolutionContext: { readonly baseUrl: string };
  }): Promise<{ readonly response?: Response | undefined } | null>;
}

/** Handlers of a user that are asked before the sandbox answers. */
export interface Handlers {
  /** Where they were read. */
  readonly file: string;
  /**
   * Answers to requests to the API as the first handler that has one says, and as the sandbox does where none has.
   * What a handler answers is noted in the journal. `origin` is where the sandbox listens, once it does.
   */
  before(sandbox: SandboxCore, origin: () => string): ApiAnswers;
}

/** What answers requests to the API. */
export type ApiAnswers = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** A module of handlers that cannot be used; the message names the file and says why. */
export class HandlersError extends Error {
  override readonly name = 'HandlersError';
}

const FORM = "export const handlers = [http.get('*/v1/partner/cards', resolver)], or export them as default";
/** What MSW itself puts into a request that is to reach the real server, and into the answer that asks for one. */
const BYPASS = /(?:,\s*)?\bmsw\/passthrough\b/;
const INTENTION = 'x-msw-intention';

/**
 * Loads the module in which a user keeps MSW handlers. It brings its own MSW along: 2 and 3 will do. Rejects with a
 * HandlersError when it cannot be loaded or holds anything but HTTP handlers.
 */
export async function loadHandlers(file: string): Promise<Handlers> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new HandlersError(`the handlers in ${file} cannot be read: there is no such file`);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new HandlersError(`the handlers in ${file} cannot be loaded: ${whyNotLoaded(error)}`);
  }
  const given = handlersIn(module);
  if (!Array.isArray(given)) throw new HandlersError(`${file} exports no list of handlers; write ${FORM}`);
  const wrong = given.findIndex(each => !isHandler(each));
  if (wrong !== -1) {
    throw new HandlersError(
      `handler ${wrong + 1} of ${file} is no HTTP handler of MSW 2 or 3; write ${FORM}`,
    );
  }
  return { file, before: (sandbox, origin) => asksFirst({ file, all: given }, sandbox, origin) };
}

function asksFirst(
  { file, all }: { readonly file: string; readonly all: readonly Handler[] },
  sandbox: SandboxCore,
  origin: () => string,
): ApiAnswers {
  return request => {
    const accept = request.headers.accept;
    if (typeof accept === 'string' && BYPASS.test(accept)) {
      const headers = { ...request.headers, accept: accept.replace(BYPASS, '') || '*/*' };
      return sandbox.handle({ ...request, headers });
    }
    const asked = isWhole(request, sandbox) ? toRequest(request, origin()) : null;
    return asked === null ? sandbox.handle(request) : answered(asked, request);
  };

  async function answered(asked: Request, request: ApiRequest): Promise<ApiResponse> {
    const startedAt = performance.now();
    const bent = await firstAnswer(asked);
    if (bent === null) return sandbox.handle(request);
    return sandbox.recordExternalResponse(request, bent.answer, bent.hint, performance.now() - startedAt);
  }

  async function firstAnswer(asked: Request): Promise<{ answer: ApiResponse; hint: string } | null> {
    const requestId = crypto.randomUUID();
    for (const [index, handler] of all.entries()) {
      const name = `handler ${handler.info.header ?? index + 1} of ${file}`;
      try {
        const resolutionContext = { baseUrl: origin() };
        const result = await handler.run({ request: asked.clone(), requestId, resolutionContext });
        if (result?.response === undefined) continue;
        if (result.response.headers.get(INTENTION) === 'passthrough') return null;
        const answer = await toApiResponse(result.response);
        return { answer, hint: `${answer.drop ? 'the connection was closed' : 'answered'} by ${name}` };
      } catch (error) {
        console.error(`${name} failed:`, error);
        return { answer: failed(name, error), hint: `${name} failed` };
      }
    }
    return null;
  }
}

/** Whether the body is here as it was sent: of one that is too large only the beginning is read. */
function isWhole(request: ApiRequest, sandbox: SandboxCore): boolean {
  const size = Math.max(request.body.length, Number(request.headers['content-length'] ?? 0));
  return size <= sandbox.bodyLimit(request);
}

function failed(name: string, error: unknown): ApiResponse {
  const message = `${name} failed: ${error instanceof Error ? error.message : error}`;
  const body = JSON.stringify({ success: false, error: message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status: 500, headers, body };
}

function handlersIn(module: Readonly<Record<string, unknown>>): unknown {
  const { handlers, default: preset } = module;
  if (handlers !== undefined || preset === undefined) return handlers;
  // A CommonJS module comes as the default of one.
  const isModule = typeof preset === 'object' && preset !== null && 'handlers' in preset;
  return isModule ? preset.handlers : preset;
}

function isHandler(value: unknown): value is Handler {
  if (typeof value !== 'object' || value === null || !('run' in value) || !('info' in value)) return false;
  return typeof value.run === 'function' && typeof value.info === 'object' && value.info !== null;
}

function whyNotLoaded(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (/Cannot find package 'msw'|Cannot find module 'msw'/.test(message)) {
    return 'it needs msw, which is not installed beside it; npm install --save-dev msw';
  }
  if (/Unknown file extension "\.[mc]?tsx?"/.test(message)) {
    return `this Node (${process.version}) does not load TypeScript; write it in JavaScript, or use Node 22.18 or later`;
  }
  return message.split('\n')[0] ?? message;
}
