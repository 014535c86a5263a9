import * as z from 'zod';
import { partnerOrFirst } from '../access/partners.ts';
import { badRequest, FAULT_RULE, type Fidelity, notFound } from '../operation/errors.ts';
import type { ApiRequest } from '../request/http.ts';
import { type RowRule, rowRule } from '../store/row-rule.ts';
import type { Table } from '../store/table.ts';
import { defineTable, type Row, type RowOf, rowSchema, StoredId } from '../store/table-definition.ts';
import type { Clock } from '../time/clock.ts';
import type { WorldState } from '../world/world-state.ts';
import {
  type ActingFault,
  faultCounts,
  faultMembers,
  faultProblem,
  parseFaultHeader,
} from './effect-schema.ts';

const FaultOrder = () =>
  z.strictObject({
    ...faultMembers,
    when: z.enum(['before', 'after']),
    /** The partner whose requests it acts on; all when undefined. */
    partnerId: StoredId.optional(),
    /** Sandbox time in milliseconds from which on it acts, and before which it acts; always when undefined. */
    from: z.int().optional(),
    until: z.int().optional(),
    /** Method of the operation; any when undefined. */
    method: z.string().optional(),
    /** Path of the operation as the interface writes it. Any when undefined, including unknown paths. */
    path: z.string().optional(),
    after: faultCounts.after.unwrap(),
    times: faultCounts.times,
  });

type FaultOrder = RowOf<typeof FaultOrder>;

const FaultRow = rowSchema(() => ({
  order: FaultOrder(),
  /** How many matching requests have passed, and how often it has acted. */
  passed: z.int().min(0),
  hits: z.int().min(0),
}));

type FaultRow = RowOf<typeof FaultRow>;

/** The faults of the API, in the order in which they were armed. */
export const faultTable = defineTable({ kind: 'fault', row: FaultRow });

export const faultRules: readonly RowRule[] = [
  rowRule(faultTable, ({ partnerId, order }) => {
    if (order.partnerId !== undefined && order.partnerId !== partnerId) {
      return "order.partnerId: must be missing or the row's partnerId";
    }
    const problem = faultProblem(order);
    return problem === null ? null : `order: ${problem}`;
  }),
];

const FAULT_HEADER = 'x-sandbox-fault';
export const HEADER_ID = 'header';

const MAX_FAULTS = 1_000;

export interface Fault extends FaultOrder {
  readonly id: string;
  readonly hits: number;
}

/** The faults of one world, in the order in which they were armed. At most one acts on a request: the first that matches. */
class Faults {
  readonly #world: WorldState;
  readonly #faults: Table<FaultRow>;
  /** The faults that can still act. Used up ones cost a request nothing. Null after a change. */
  #armed: readonly FaultRow[] | null = null;

  constructor(state: WorldState) {
    this.#world = state;
    this.#faults = state.table(faultTable);
  }

  /** Arms a fault after the existing ones. Throws a 400 when 1,000 can still act. */
  arm(order: FaultOrder): Fault {
    makeRoom(this.#faults, isUsedUp, { rule: FAULT_RULE, path: 'faults' });
    this.#armed = null;
    // Every row belongs to a partner; one that applies to all of them belongs to the first.
    const partnerId = order.partnerId ?? partnerOrFirst(this.#world, undefined).id;
    const id = this.#world.random.id('flt');
    return view(this.#faults.insert({ id, partnerId, order, passed: 0, hits: 0 }));
  }

  /** Every fault in the order of arming, including recent used up ones. */
  list(): Fault[] {
    return Array.from(this.#faults.all(), view);
  }

  /** Removes a fault. Throws the 404 for an unknown id. */
  remove(id: string): void {
    if (this.#faults.get(id) === undefined) throw notFound('fault', id);
    this.#faults.delete(id);
    this.#armed = null;
  }

  clear(partnerId?: string): void {
    for (const { id, order } of [...this.#faults.all()]) {
      if (partnerId === undefined || order.partnerId === partnerId) this.remove(id);
    }
  }

  /**
   * Returns the fault that acts on a request and counts a hit, or null when none acts. A matching fault that lets the
   * request pass counts it; faults after the one that acts do not. HEAD counts as GET.
   */
  take(method: string, path: string | undefined, partnerId: string): ActingFault | null {
    if (this.#faults.size === 0) return null;
    this.#armed ??= [...this.#faults.all()].filter(fault => !isUsedUp(fault));
    for (const { id, order, passed, hits } of this.#armed) {
      if (order.path !== undefined && order.path !== path) continue;
      if (order.partnerId !== undefined && order.partnerId !== partnerId) continue;
      if (order.method !== undefined && order.method !== (method === 'HEAD' ? 'GET' : method)) continue;
      if (!isWithinWindow(order, this.#world.clock)) continue;
      this.#armed = null;
      if (passed < order.after) {
        this.#faults.update(id, { passed: passed + 1 });
        continue;
      }
      this.#faults.update(id, { hits: hits + 1 });
      return { id, effect: order };
    }
    return null;
  }
}

/** The fault in the header acts before armed ones, and those before the disturbance of the world. */
export function faultFor(
  state: WorldState,
  request: ApiRequest,
  operation: { readonly id: string; readonly path: string } | null,
  partnerId: string,
): ActingFault | null {
  const value = request.headers[FAULT_HEADER];
  if (value !== undefined) return { id: HEADER_ID, effect: parseFaultHeader(value) };
  const own = faultsOf(state).take(request.method, operation?.path, partnerId);
  const { disturbance } = state.setup;
  return (
    own ?? disturbance?.faultFor(state, { request, operation: operation?.id ?? null, partnerId }) ?? null
  );
}

export function faultsOf(state: WorldState): Faults {
  return state.memo(createFaults);
}

function createFaults(state: WorldState): Faults {
  return new Faults(state);
}

/** Whether the clock is within the window of a fault. The end is exclusive. */
function isWithinWindow({ from, until }: FaultOrder, clock: Pick<Clock, 'now'>): boolean {
  if (from === undefined && until === undefined) return true;
  const now = clock.now();
  return (from === undefined || now >= from) && (until === undefined || now < until);
}

function isUsedUp({ order, hits }: FaultRow): boolean {
  return hits === order.times;
}

/**
 * Makes room for one more fault: removes the oldest used up one when there are 1,000. Throws a 400 when none is used up.
 * `path` is the control path that clears the faults.
 */
export function makeRoom<F extends Row>(
  faults: Table<F>,
  isUsedUp: (fault: F) => boolean,
  { rule, path }: { readonly rule: Fidelity; readonly path: string },
): void {
  if (faults.size < MAX_FAULTS) return;
  for (const fault of faults.all()) {
    if (!isUsedUp(fault)) continue;
    faults.delete(fault.id);
    return;
  }
  const message = `there are already ${MAX_FAULTS} ${path.replace('-', ' ')}; DELETE /_sandbox/${path} clears them`;
  throw badRequest(rule, message);
}

function view({ id, order, hits }: FaultRow): Fault {
  return { id, ...order, hits };
}
