import { assumed, type Cause, cause, causeOf, type Fidelity } from '../operation/errors.ts';
import type { Clock } from '../time/clock.ts';

/** How often a condition was seen, and when first, in sandbox time, ISO 8601. */
export interface Sighting {
  count: number;
  readonly firstAt: string;
}

/** The conditions that a world has seen since its start. Resets, rewinds and loaded states keep them. */
export class Coverage {
  /** By operation, empty for conditions of none, and by what distinguishes them. */
  readonly #seen = new Map<string, Map<number | string, Sighting>>();

  /** Counts a condition: the id of its operation with a status or the key of a refusal, or no operation and an id. */
  note(operation: string, key: number | string, clock: Clock): void {
    let conditions = this.#seen.get(operation);
    if (conditions === undefined) {
      conditions = new Map();
      this.#seen.set(operation, conditions);
    }
    const known = conditions.get(key);
    if (known === undefined) conditions.set(key, { count: 1, firstAt: clock.timestamp() });
    else known.count += 1;
  }

  /** Returns how often a condition was seen, or undefined if it was not. */
  sighting(operation: string, key: number | string): Readonly<Sighting> | undefined {
    return this.#seen.get(operation)?.get(key);
  }
}

/** The causes for which any operation of the API may refuse a request. The rate limit is a condition of its own. */
const SHARED_CAUSES: readonly Cause[] = [
  cause(400, assumed('invalid-input')),
  cause(401, assumed('authentication')),
  cause(401, assumed('live-keys')),
  cause(401, assumed('allow-list-status')),
];

/** Refusals that only the sandbox knows: of a fault in a header, and of `--documented-only`. */
const OWN_CAUSES: readonly string[] = ['faults', 'documented-only'];

/** Returns the causes for which an operation may refuse a request, those of every operation included. */
export function causesOf({ causes }: { readonly causes: readonly Cause[] }): readonly Cause[] {
  return [...SHARED_CAUSES, ...causes];
}

/** Returns the key of a refusal among the conditions of its operation. */
export function refusalKey(status: number, rule: Fidelity): string {
  return `${status} ${causeOf(rule)}`;
}

/** Whether a refusal of an operation is one of its conditions, or one that is never a condition. */
export function isDeclared(
  operation: { readonly causes: readonly Cause[] },
  { status, rule }: { readonly status: number; readonly rule: Fidelity },
): boolean {
  if (status >= 500 || OWN_CAUSES.includes(causeOf(rule))) return true;
  const key = refusalKey(status, rule);
  return causesOf(operation).some(each => refusalKey(each.status, each) === key);
}
