import { createPagePlane } from '../page/page-plane.ts';
import { planeOf } from '../values/plane.ts';
import { createControlPlane } from './control-plane.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { type ApiRequest, type ApiResponse, toErrorResponse, toResponse } from './http.ts';
import { createPartnerPlane } from './partner-plane.ts';

/** Turns requests into responses. Every surface passes its requests to one of these, so that all respond alike. */
export interface Dispatch {
  /**
   * Prepares the world that a request for the API or for a page belongs to: reads it from its file, or saves its last
   * change where saves are late. Returns a promise, which never rejects, when that takes long; otherwise null. A world that
   * was not read yet refuses the request until then with a 503.
   */
  prepare(request: ApiRequest): Promise<void> | null;
  /** Handles a request below `/v1`. Synchronous; never throws. */
  handle(request: ApiRequest): ApiResponse;
  /**
   * Records the response of someone else to a request below `/v1` in the journal, and returns it with the headers that
   * every response has. `hint` names who responded. Never throws.
   */
  recordExternalResponse(
    request: ApiRequest,
    response: ApiResponse,
    hint: string,
    durationMs: number,
  ): ApiResponse;
  /** Handles a request below `/_sandbox`. Returns a promise only if the operation waits for time; never rejects. */
  control(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether a page is at this path: a card's reveal link or a KYC session. */
  hasPage(path: string): boolean;
  /** Handles a request for a page; the response is HTML. Synchronous; never throws. */
  page(request: ApiRequest): ApiResponse;
  /** Whether the body of a request is to be passed on as `content`. Never throws. */
  streamsBody(method: string, path: string): boolean;
}

/** Builds the planes over one table of operations, and the pages beside them. */
export function createDispatch(options: DispatchOptions): Dispatch {
  // A listener that throws must not break the response.
  const onBug: DispatchOptions['onBug'] = (error, operation) =>
    callSafely(() => options.onBug(error, operation));
  const onResponse: DispatchOptions['onResponse'] = (entry, world) =>
    callSafely(
      () => options.onResponse(entry, world),
      error => onBug(error, 'a response listener'),
    );
  const planeOptions = { ...options, onBug, onResponse };
  const api = createPartnerPlane(options.partnerGroups, planeOptions);
  const control = createControlPlane(options.controlGroups, planeOptions);
  const pages = createPagePlane(options.pages, planeOptions);
  const respond = (request: ApiRequest, work: () => ApiResponse) => {
    try {
      return work();
    } catch (error) {
      return toResponse(toErrorResponse(error, { id: 'dispatch' }, onBug), {}, request.method);
    }
  };
  return {
    prepare: request =>
      options.worlds.prepare(
        planeOf(request.path) === 'partner' ? api.worldOf(request) : pages.worldOf(request),
      ),
    handle: request => respond(request, () => api.handle(request)),
    recordExternalResponse: (request, ...rest) =>
      respond(request, () => api.recordExternalResponse(request, ...rest)),
    hasPage: pages.has,
    page: pages.handle,
    control: control.handle,
    streamsBody: (method, path) => planeOf(path) === 'control' && control.streamsBody(method, path),
  };
}

/**
 * Returns what calls `handle` once the world of a request is read, where worlds are kept in files. `handle` itself refuses
 * a request whose world takes long to be read.
 */
export function whenPrepared(
  { prepare }: Pick<Dispatch, 'prepare'>,
  handle: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
): (request: ApiRequest) => ApiResponse | Promise<ApiResponse> {
  return request => {
    const preparing = prepare(request);
    return preparing === null ? handle(request) : preparing.then(() => handle(request));
  };
}

function callSafely(call: () => void, onError: (error: unknown) => void = () => undefined): void {
  try {
    call();
  } catch (error) {
    onError(error);
  }
}
