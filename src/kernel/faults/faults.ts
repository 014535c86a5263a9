import { badRequest, type Fidelity, notFound } from '../operation/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { Random } from '../values/random.ts';
import { FAULT_RULE, type FaultEffect } from './fault.ts';

const MAX_FAULTS = 1_000;

/** The effect of a fault and the requests it acts on. */
export interface FaultOrder extends FaultEffect {
  /** The partner whose requests it acts on; all when undefined. */
  readonly partnerId?: string | undefined;
  /** Sandbox time in milliseconds from which on it acts, and before which it acts; always when undefined. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Method of the operation; any when undefined. */
  readonly method?: string | undefined;
  /** Path of the operation as the interface writes it. Any when undefined, including unknown paths. */
  readonly path?: string | undefined;
  /** How many matching requests pass before the fault acts. */
  readonly after: number;
  /** How many times it acts; until it is deleted when undefined. */
  readonly times?: number | undefined;
}

/** An armed fault and the number of times it has acted. */
export interface Fault extends FaultOrder {
  readonly id: string;
  readonly hits: number;
}

/** A fault that acts on a request. */
export interface ActingFault {
  readonly id: string;
  readonly effect: FaultEffect;
}

/** What a fault has to match. */
export interface FaultTarget {
  readonly method: string;
  /** Path of the operation; null when there is none. */
  readonly path: string | null;
  readonly partnerId: string;
}

interface Armed extends ActingFault {
  readonly effect: FaultOrder;
  passed: number;
  hits: number;
}

/** The faults of one world, in the order in which they were armed. At most one acts on a request: the first that matches. */
export class Faults {
  readonly #random: Random;
  readonly #clock: Pick<Clock, 'now'>;
  #all: Armed[] = [];
  /** The faults that can still act, so that used up ones cost a request nothing. */
  #armed: readonly Armed[] = [];

  constructor(random: Random, clock: Pick<Clock, 'now'>) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Arms a fault after the existing ones. Throws a 400 when 1,000 can still act. */
  arm(order: FaultOrder): Fault {
    const others = withRoom(this.#all, isUsedUp, { rule: FAULT_RULE, path: 'faults' });
    const armed: Armed = { id: this.#random.id('flt'), effect: order, passed: 0, hits: 0 };
    this.#all = [...others, armed];
    this.#armed = [...this.#armed, armed];
    return view(armed);
  }

  /** Every fault in the order of arming, including recent used up ones. */
  list(): Fault[] {
    return this.#all.map(view);
  }

  /** Removes a fault. Throws the 404 for an unknown id. */
  remove(id: string): void {
    if (!this.#all.some(each => each.id === id)) throw notFound('fault', id);
    this.#all = this.#all.filter(each => each.id !== id);
    this.#armed = this.#armed.filter(each => each.id !== id);
  }

  /** Removes every fault, or those of one partner. */
  clear(partnerId?: string): void {
    const stays = ({ effect }: Armed) => partnerId !== undefined && effect.partnerId !== partnerId;
    this.#all = this.#all.filter(stays);
    this.#armed = this.#armed.filter(stays);
  }

  /**
   * Returns the fault that acts on a request and counts a hit, or null when none acts. A matching fault that lets the
   * request pass counts it; faults after the one that acts do not. HEAD counts as GET.
   */
  take({ method, path, partnerId }: FaultTarget): ActingFault | null {
    for (const armed of this.#armed) {
      const { effect } = armed;
      if (effect.path !== undefined && effect.path !== path) continue;
      if (effect.partnerId !== undefined && effect.partnerId !== partnerId) continue;
      if (effect.method !== undefined && effect.method !== (method === 'HEAD' ? 'GET' : method)) continue;
      if (!isWithinWindow(effect, this.#clock)) continue;
      if (armed.passed < effect.after) {
        armed.passed += 1;
        continue;
      }
      armed.hits += 1;
      if (isUsedUp(armed)) this.#armed = this.#armed.filter(each => each !== armed);
      return armed;
    }
    return null;
  }
}

/** Whether it is time for a fault to act. At the end of its window exactly it is over. */
function isWithinWindow({ from, until }: FaultOrder, clock: Pick<Clock, 'now'>): boolean {
  if (from === undefined && until === undefined) return true;
  const now = clock.now();
  return (from === undefined || now >= from) && (until === undefined || now < until);
}

function isUsedUp({ effect, hits }: Armed): boolean {
  return hits === effect.times;
}

/**
 * Makes room for one more fault: removes the oldest used up one when there are 1,000. Throws a 400 when none is used up.
 * `path` is the control path that clears the faults.
 */
export function withRoom<F>(
  faults: readonly F[],
  isUsedUp: (fault: F) => boolean,
  { rule, path }: { readonly rule: Fidelity; readonly path: string },
): readonly F[] {
  if (faults.length < MAX_FAULTS) return faults;
  const oldest = faults.findIndex(isUsedUp);
  if (oldest !== -1) return faults.toSpliced(oldest, 1);
  const message = `there are already ${MAX_FAULTS} ${path.replace('-', ' ')}; DELETE /_sandbox/${path} clears them`;
  throw badRequest(rule, message);
}

function view({ id, effect, hits }: Armed): Fault {
  return { id, ...effect, hits };
}
