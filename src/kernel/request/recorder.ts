import type { Host } from '../operation/host.ts';
import type { Plane } from '../operation/plane.ts';
import type { ApiRequest, ApiResponse } from './http.ts';

/** A request that has been handled. */
export interface RecordedRequest {
  readonly plane: Plane | 'page';
  /** The id of its journal entry; null for requests that the journal does not record. */
  readonly id: string | null;
  /** The request with neutral names; a path of the control plane does not name the world. */
  readonly request: ApiRequest;
  /** The body that was read; null for an operation that streams it. */
  readonly requestBody: string | null;
  readonly response: ApiResponse;
  /** The partner whose key the request carried, or null. */
  readonly partnerId: string | null;
  /** What the request was for, or why it was refused. */
  readonly summary: string;
}

/** Sees every request that may change a world. */
export interface Recorder {
  /**
   * Called before a request is handled, with its world as it is then. Returns the function to call with the outcome; it is
   * not called for a request that is not to be recorded.
   */
  begin(host: Host): (handled: RecordedRequest) => void;
}
