import { checkHost, type FenceOptions } from '../access/fence.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Host } from '../operation/host.ts';
import type { ControlOperation, Operation, PartnerOperation } from '../operation/operation.ts';
import { planeOf } from '../operation/plane.ts';
import type { RealTime } from '../time/realtime.ts';
import { createApiPlane } from './api-plane.ts';
import { createControlPlane } from './control-plane.ts';
import type { ApiRequest, ApiResponse } from './http.ts';
import { MAX_BODY_BYTES } from './input.ts';
import type { Page } from './page.ts';
import { createPagePlane } from './page-plane.ts';
import { internalError, toErrorResponse, toResponse } from './to-response.ts';

/** What a dispatch is built from. */
export interface DispatchOptions {
  readonly host: Host;
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  readonly realTime: RealTime;
  /** Asked at every call, because the address is known only once the sandbox listens. */
  readonly fence: () => FenceOptions;
  /** Answers the operations that rest on an assumption with 404. */
  readonly documentedOnly: boolean;
  /** Told of every answered API request. */
  readonly onResponse: (entry: JournalEntry) => void;
  /** Told of every error that is our own fault, with the operation it happened in. */
  readonly onBug: (error: unknown, operation: string) => void;
}

/** Turns requests into answers. Every surface hands its requests in here, so that all answer alike. */
export interface Dispatch {
  /** Answers a request below `/v1`. Synchronous, and never throws. */
  handle(request: ApiRequest): ApiResponse;
  /**
   * Notes a request below `/v1` that someone else has answered, as the sandbox's own are noted, and returns the
   * answer with the headers that every answer has. The hint says who it was.
   */
  recordExternalResponse(
    request: ApiRequest,
    answer: ApiResponse,
    hint: string,
    durationMs: number,
  ): ApiResponse;
  /** Answers a request below `/_sandbox`. A promise only where the operation waits for time; never rejects. */
  control(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether a path is that of a page: a card's reveal link or a KYC session. */
  hasPage(path: string): boolean;
  /** Answers a request for a page, with HTML. Synchronous, and never throws. */
  page(request: ApiRequest): ApiResponse;
  /** The refusal of a request under a name that is not ours, for what a surface serves itself; null when it is fine. */
  refuseForeignHost(request: Pick<ApiRequest, 'method' | 'headers'>): ApiResponse | null;
  /** How many bytes of a request's body are worth reading. Known from its head; the body may be missing still. */
  bodyLimit(head: ApiRequest): number;
}

/** Builds the two planes around one table of operations, and the pages beside them. */
export function createDispatch(given: DispatchOptions): Dispatch {
  // Whoever listens to us must not be able to turn an answer into a crash.
  const onBug: DispatchOptions['onBug'] = (error, operation) => attempt(() => given.onBug(error, operation));
  const onResponse: DispatchOptions['onResponse'] = entry =>
    attempt(
      () => given.onResponse(entry),
      error => onBug(error, 'a listener to answers'),
    );
  const options = { ...given, onBug, onResponse };
  const isPartner = (each: Operation): each is PartnerOperation => each.plane === 'partner';
  const isControl = (each: Operation): each is ControlOperation => each.plane === 'control';
  const api = createApiPlane(given.operations.filter(isPartner), options);
  const control = createControlPlane(given.operations.filter(isControl), options);
  const pages = createPagePlane(given.pages, options);
  return {
    handle(request) {
      try {
        return api.answer(request);
      } catch (error) {
        onBug(error, 'dispatch');
        return toResponse(internalError(), {}, request.method);
      }
    },
    recordExternalResponse: api.answeredElsewhere,
    hasPage: pages.has,
    page: pages.answer,
    refuseForeignHost({ method, headers }) {
      try {
        checkHost({ headers }, given.fence());
        return null;
      } catch (error) {
        return toResponse(toErrorResponse(error, null, onBug), {}, method);
      }
    },
    control: control.answer,
    bodyLimit: head => (planeOf(head.path) === 'control' ? control.bodyLimit(head) : MAX_BODY_BYTES),
  };
}

function attempt(work: () => void, onError: (error: unknown) => void = () => undefined): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
