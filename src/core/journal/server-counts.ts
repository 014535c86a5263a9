import type { Plane } from '../values/plane.ts';
import type { AttemptOutcome } from '../world/transport.ts';

/** Responses of one status to the requests of one operation. */
export interface RequestCount {
  readonly plane: Plane | 'page';
  /** The id of the operation, the name of the page, or `none` for a request without either. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
}

/** Counts what a server has done since its start, for monitoring. A request costs two lookups in small maps. */
export class ServerCounts {
  readonly #requests = { partner: new StatusCounts(), control: new StatusCounts(), page: new StatusCounts() };
  /** By the status of the response; `none` for an attempt without one. */
  readonly #attempts = new Map<number | 'none', number>();

  /** Counts a response. `operation` is undefined for a request without one. */
  countRequest(plane: RequestCount['plane'], operation: string | undefined, status: number): void {
    this.#requests[plane].count(operation ?? 'none', status);
  }

  /** Counts an attempt to send a webhook that has ended. */
  countAttempt({ status }: AttemptOutcome): void {
    const key = status ?? 'none';
    this.#attempts.set(key, (this.#attempts.get(key) ?? 0) + 1);
  }

  /** All counts of requests. */
  *requests(): Generator<RequestCount> {
    for (const plane of ['partner', 'control', 'page'] as const) {
      for (const each of this.#requests[plane].all()) yield { plane, ...each };
    }
  }

  /** All counts of webhook attempts. */
  attempts(): Iterable<readonly [status: number | 'none', count: number]> {
    return this.#attempts;
  }
}

class StatusCounts {
  readonly #byOperation = new Map<string, Map<number, number>>();

  count(operation: string, status: number): void {
    let statuses = this.#byOperation.get(operation);
    if (statuses === undefined) {
      statuses = new Map();
      this.#byOperation.set(operation, statuses);
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  *all(): Generator<Pick<RequestCount, 'operation' | 'status' | 'count'>> {
    for (const [operation, statuses] of this.#byOperation) {
      for (const [status, count] of statuses) yield { operation, status, count };
    }
  }
}
