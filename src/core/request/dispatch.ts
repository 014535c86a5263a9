import { createPagePlane } from '../page/page-plane.ts';
import { planeOf } from '../values/plane.ts';
import { createControlPlane } from './control-plane.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { type ApiRequest, type ApiResponse, internalError, MAX_BODY_BYTES, toResponse } from './http.ts';
import { createPartnerPlane, type PartnerPlane } from './partner-plane.ts';

/** Turns requests into responses. Every surface passes its requests to one of these, so that all respond alike. */
export interface Dispatch {
  /** Handles a request below `/v1`. Synchronous; never throws. */
  handle(request: ApiRequest): ApiResponse;
  /**
   * Records the response of someone else to a request below `/v1` in the journal, and returns it with the headers that
   * every response has. `hint` names who responded. Never throws.
   */
  recordExternalResponse: PartnerPlane['recordExternalResponse'];
  /** Handles a request below `/_sandbox`. Returns a promise only if the operation waits for time; never rejects. */
  control(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether a page is at this path: a card's reveal link or a KYC session. */
  hasPage(path: string): boolean;
  /** Handles a request for a page; the response is HTML. Synchronous; never throws. */
  page(request: ApiRequest): ApiResponse;
  /** The maximum size in bytes of the body of a request, which is not read yet. Never throws. */
  maxBodyBytes(request: ApiRequest): number;
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
      onBug(error, 'dispatch');
      return toResponse(internalError(), {}, request.method);
    }
  };
  return {
    handle: request => respond(request, () => api.handle(request)),
    recordExternalResponse: (request, ...rest) =>
      respond(request, () => api.recordExternalResponse(request, ...rest)),
    hasPage: pages.has,
    page: pages.handle,
    control: control.handle,
    maxBodyBytes: request =>
      planeOf(request.path) === 'control' ? control.maxBodyBytes(request) : MAX_BODY_BYTES,
  };
}

function callSafely(call: () => void, onError: (error: unknown) => void = () => undefined): void {
  try {
    call();
  } catch (error) {
    onError(error);
  }
}
