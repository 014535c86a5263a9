import { badRequest, type Fidelity, notFound } from '../operation/errors.ts';
import type { Random } from '../values/random.ts';
import { FAULT_RULE, type FaultEffect } from './fault.ts';

const MOST_FAULTS = 1_000;

/** Which requests a fault acts on, and what it does to them. */
export interface FaultOrder extends FaultEffect {
  /** Method of the operation; every one when undefined. */
  readonly method?: string | undefined;
  /** Path of the operation as the interface writes it; every one, and none, when undefined. */
  readonly path?: string | undefined;
  /** How many matching requests are let through first. */
  readonly after: number;
  /** How often it acts; until it is deleted when undefined. */
  readonly times?: number | undefined;
}

/** A fault as it was armed, and how often it has acted. */
export interface Fault extends FaultOrder {
  readonly id: string;
  readonly hits: number;
}

/** A fault that acts on a request. */
export interface ActingFault {
  readonly id: string;
  readonly effect: FaultEffect;
}

interface Armed extends ActingFault {
  readonly effect: FaultOrder;
  passed: number;
  hits: number;
}

/** The faults of one world. They are asked in the order in which they were armed; the first that acts ends it. */
export class Faults {
  readonly #random: Random;
  #all: Armed[] = [];
  /** Those that may still act, so that used up ones cost a request nothing. */
  #armed: readonly Armed[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Arms a fault, behind those that there are. Throws a 400 when there are a thousand that may still act. */
  arm(order: FaultOrder): Fault {
    const others = withRoom(this.#all, isUsedUp, { rule: FAULT_RULE, path: 'faults' });
    const armed: Armed = { id: this.#random.id('flt'), effect: order, passed: 0, hits: 0 };
    this.#all = [...others, armed];
    this.#armed = [...this.#armed, armed];
    return view(armed);
  }

  /** Every fault, those used up lately included, in the order in which they were armed. */
  list(): Fault[] {
    return this.#all.map(view);
  }

  /** Takes a fault away; throws the 404 for an unknown one. */
  remove(id: string): void {
    if (!this.#all.some(each => each.id === id)) throw notFound('fault', id);
    this.#all = this.#all.filter(each => each.id !== id);
    this.#armed = this.#armed.filter(each => each.id !== id);
  }

  /** Takes every fault away. */
  clear(): void {
    this.#all = [];
    this.#armed = [];
  }

  /**
   * The fault that acts on a request, counted as a hit; null when none does. A fault that is asked and lets
   * the request through counts it too; those behind the one that acts are not asked. GET stands for HEAD.
   */
  take(method: string, path: string | null): ActingFault | null {
    for (const armed of this.#armed) {
      const { effect } = armed;
      if (effect.path !== undefined && effect.path !== path) continue;
      if (effect.method !== undefined && effect.method !== (method === 'HEAD' ? 'GET' : method)) continue;
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

function isUsedUp({ effect, hits }: Armed): boolean {
  return hits === effect.times;
}

/**
 * Faults with room for one more: where there are a thousand, the oldest that is used up gives way. Throws a 400 when
 * none is; `path` is where they are cleared.
 */
export function withRoom<F>(
  faults: readonly F[],
  isUsedUp: (fault: F) => boolean,
  { rule, path }: { readonly rule: Fidelity; readonly path: string },
): readonly F[] {
  if (faults.length < MOST_FAULTS) return faults;
  const oldest = faults.findIndex(isUsedUp);
  if (oldest !== -1) return faults.toSpliced(oldest, 1);
  const message = `there are ${MOST_FAULTS} ${path.replace('-', ' ')} already; DELETE /_sandbox/${path} clears them`;
  throw badRequest(rule, message);
}

function view({ id, effect, hits }: Armed): Fault {
  return { id, ...effect, hits };
}
