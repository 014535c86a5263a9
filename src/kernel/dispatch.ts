import { createApiPlane } from './api-plane.ts';
import { createControlPlane } from './control-plane.ts';
import { internalError, toAnswer, toRefusal } from './exchange.ts';
import { checkHost, type FenceOptions } from './fence.ts';
import type { Host } from './host.ts';
import type { Answer, ApiRequest } from './http.ts';
import { LARGEST_BODY } from './input.ts';
import type { JournalEntry } from './journal.ts';
import type { ControlOperation, Operation, PartnerOperation } from './operation.ts';
import type { Page } from './page.ts';
import { createPagePlane } from './page-plane.ts';
import { planeOf } from './plane.ts';
import type { RealTime } from './realtime.ts';

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
  readonly onAnswer: (entry: JournalEntry) => void;
  /** Told of every error that is our own fault, with the operation it happened in. */
  readonly onBug: (error: unknown, operation: string) => void;
}

/** Turns requests into answers. Every surface hands its requests in here, so that all answer alike. */
export interface Dispatch {
  /** Answers a request below `/v1`. Synchronous, and never throws. */
  handle(request: ApiRequest): Answer;
  /**
   * Notes a request below `/v1` that someone else has answered, as the sandbox's own are noted, and returns the
   * answer with the headers that every answer has. The hint says who it was.
   */
  answeredElsewhere(request: ApiRequest, answer: Answer, hint: string, durationMs: number): Answer;
  /** Answers a request below `/_sandbox`. A promise only where the operation waits for time; never rejects. */
  control(request: ApiRequest): Answer | Promise<Answer>;
  /** Whether a path is that of a page: a card's reveal link or a KYC session. */
  hasPage(path: string): boolean;
  /** Answers a request for a page, with HTML. Synchronous, and never throws. */
  page(request: ApiRequest): Answer;
  /** The refusal of a request under a name that is not ours, for what a surface serves itself; null when it is fine. */
  refuseForeignHost(request: Pick<ApiRequest, 'method' | 'headers'>): Answer | null;
  /** How many bytes of a request's body are worth reading. Known from its head; the body may be missing still. */
  bodyLimit(head: ApiRequest): number;
}

/** Builds the two planes around one table of operations, and the pages beside them. */
export function createDispatch(given: DispatchOptions): Dispatch {
  // Whoever listens to us must not be able to turn an answer into a crash.
  const onBug: DispatchOptions['onBug'] = (error, operation) => attempt(() => given.onBug(error, operation));
  const onAnswer: DispatchOptions['onAnswer'] = entry =>
    attempt(
      () => given.onAnswer(entry),
      error => onBug(error, 'a listener to answers'),
    );
  const options = { ...given, onBug, onAnswer };
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
        return toAnswer(internalError(), {}, request.method);
      }
    },
    answeredElsewhere: api.answeredElsewhere,
    hasPage: pages.has,
    page: pages.answer,
    refuseForeignHost({ method, headers }) {
      try {
        checkHost({ headers }, given.fence());
        return null;
      } catch (error) {
        return toAnswer(toRefusal(error, null, onBug), {}, method);
      }
    },
    control: control.answer,
    bodyLimit: head => (planeOf(head.path) === 'control' ? control.bodyLimit(head) : LARGEST_BODY),
  };
}

function attempt(work: () => void, onError: (error: unknown) => void = () => undefined): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}
