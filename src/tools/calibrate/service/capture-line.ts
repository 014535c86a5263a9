import { type Exchange, masked, pathOf } from './exchange.ts';

/** A line of a capture file: a request, its response, and what it was sent for. Holds no secret. */
export interface CaptureLine {
  /** Wall time, ISO 8601. */
  readonly at: string;
  /** The entry that a probe is about, or the step of a scenario. */
  readonly part: string;
  readonly request: {
    readonly method: string;
    /** With the query. */
    readonly path: string;
    /** `partner` for the key of the partner, `none`, or `other`. */
    readonly key: 'partner' | 'none' | 'other';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** The first line of a capture file. */
export interface CaptureHead {
  readonly capture: 1;
  /** The base URL of the service. */
  readonly service: string;
  readonly startedAt: string;
}

/** Returns an exchange as a line of a capture file. */
export function captureLine(part: string, { request, status, body }: Exchange, now: number): CaptureLine {
  const { method, headers, apiKey } = request;
  return {
    at: new Date(now).toISOString(),
    part,
    request: {
      method,
      path: pathOf(request),
      key: apiKey === undefined ? 'partner' : apiKey === null ? 'none' : 'other',
      ...(headers !== undefined && { headers }),
      ...(request.body !== undefined && { body: masked(request.body) }),
    },
    response: { status, body: masked(body) },
  };
}
