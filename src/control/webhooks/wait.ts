import * as z from 'zod';
import { ApiError, assumed, badRequest, notFound } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import type { RowList } from '../../core/store/persistent/row-list.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import { parseTimestamp, timeOf, timestampRule } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type DeliveryRow, deliveries, viewDelivery } from '../../service/webhooks/records.ts';
import { Delivery } from '../../service/webhooks/schema.ts';
import { knownPartner } from '../known-partner.ts';
import {
  candidates,
  type DeliveryFilters,
  deliveryFilters,
  differences,
  matches,
} from './delivery-filters.ts';

const RULE = assumed('waiting');

/** Below the timeout of every test runner, so that the message of the 408 is what the test reports. */
const DEFAULT_TIMEOUT_MS = 2_000;
const MAX_TIMEOUT_MS = 600_000;

const MAX_NAMED = 3;

/** Cap on the deliveries that are compared for it, the newest. */
const MAX_COMPARED = 1_000;

const AFTER_RULE = 'must be the id of a delivery, an ISO 8601 moment, or now';

/** The deliveries that were recorded after the moment that a wait starts from. */
interface After {
  includes(row: DeliveryRow): boolean;
  of(list: RowList<DeliveryRow>): RowList<DeliveryRow>;
}

const ALL: After = { includes: () => true, of: list => list };

export const wait = operation({
  id: 'deliveries.wait',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/wait',
  summary: 'Wait for the first webhook delivery that matches, including past ones unless after is set',
  fidelity: RULE,
  body: z.object({
    ...deliveryFilters,
    after: z
      .string()
      .optional()
      .describe(
        'Only deliveries recorded after this one count: the id of a delivery, an ISO 8601 moment, or `now`. Default: past ones count.',
      ),
    timeoutMs: z
      .int()
      .min(0)
      .max(MAX_TIMEOUT_MS)
      .default(DEFAULT_TIMEOUT_MS)
      .describe('Timeout in wall time.'),
  }),
  responses: { 200: Delivery },
  errors: [{ status: 408, when: 'No delivery matches within the timeout.' }],
  async run({ state, world, signal, body: { timeoutMs, after, ...filters } }) {
    knownPartner(state, filters.partnerId);
    const row = await firstMatch(world, filters, readAfter(state, after), { after, timeoutMs, signal });
    return reply(200, viewDelivery(row));
  },
});

interface Limits {
  readonly after: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Resolves with the first delivery that matches, in the current state and every later one. Rejects after the timeout. */
function firstMatch(
  world: World,
  filters: DeliveryFilters,
  after: After,
  limits: Limits,
): Promise<DeliveryRow> {
  const start = world.state;
  let afterNow = after;
  const findNow = () => {
    for (const row of afterNow.of(candidates(world.state, filters))) if (matches(row, filters)) return row;
    return null;
  };
  const found = findNow();
  if (found !== null) return Promise.resolve(found);
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancelTimeout();
      unsubscribe();
      cancelEnd();
    };
    // Nobody reads this response: the one of a world that ends is made elsewhere. The wait must not keep its world.
    const cancelEnd = onAbort([world.ended, limits.signal], () => {
      stop();
      reject(new ApiError(408, RULE, 'the wait is over, because its caller or its world has gone'));
    });
    const cancelTimeout = start.setup.realTime.after(limits.timeoutMs, () => {
      stop();
      reject(timedOut(world.state, filters, afterNow, limits));
    });
    const end = (row: DeliveryRow) => {
      stop();
      resolve(row);
    };
    const unsubscribe = world.feed.subscribe(message => {
      if (message.kind === 'reset') {
        // A state that was restored or loaded has deliveries, which are past ones.
        if (after !== ALL) afterNow = readAfter(world.state, 'now');
        const restored = findNow();
        if (restored !== null) end(restored);
      }
      if (message.kind !== 'delivery') return;
      const row = world.state.table(deliveries).get(message.id);
      if (row !== undefined && matches(row, filters) && afterNow.includes(row)) end(row);
    });
  });
}

/** Parses the member `after`. Throws a 404 for the id of no delivery, and a 400 for a text in no known form. */
function readAfter(state: WorldState, after: string | undefined): After {
  if (after === undefined) return ALL;
  const table = state.table(deliveries);
  const sequence = after === 'now' ? table.nextSequence - 1 : table.sequenceOf(after);
  if (sequence !== undefined) {
    return {
      includes: ({ id }) => (table.sequenceOf(id) ?? 0) > sequence,
      of: list => list.since(sequence + 1),
    };
  }
  const moment = parseTimestamp(after);
  if (moment !== null) {
    return {
      includes: ({ createdAt }) => timeOf(createdAt) > moment,
      of: list => list.within({ from: moment + 1 }),
    };
  }
  if (/^evt_/.test(after)) throw notFound('delivery event', after);
  throw badRequest(RULE, `body.after: ${/^\d/.test(after) ? timestampRule(after) : AFTER_RULE}`);
}

/** Returns the 408. It names the deliveries that differ in the fewest members, the newest of them first. */
function timedOut(
  state: WorldState,
  filters: DeliveryFilters,
  isAfter: After,
  { after, timeoutMs }: Limits,
): ApiError {
  const conditions = Object.entries(filters).map(([name, value]) => `${name} ${value}`);
  const nearest = nearestDeliveries(state, filters, isAfter).map(row => {
    const past = isAfter.includes(row) ? [] : [`it was recorded before ${describeAfter(row, after)}`];
    return `${row.id} (${row.eventType}): ${[...differences(row, filters), ...past].join(', ')}`;
  });
  const found =
    nearest.length === 0
      ? 'there is no delivery at all; is the type of the event in subscribedEvents?'
      : `the nearest that did not match: ${nearest.join('; ')}`;
  const subject = conditions.length === 0 ? 'no delivery' : `no delivery with ${conditions.join(', ')}`;
  const since = after === undefined ? '' : ` after ${after}`;
  return new ApiError(408, RULE, `${subject}${since} within ${timeoutMs} ms; ${found}`);
}

/** Returns the deliveries that meet all but the fewest conditions, the newest of them first. */
function nearestDeliveries(state: WorldState, filters: DeliveryFilters, after: After): DeliveryRow[] {
  const found: { readonly row: DeliveryRow; readonly unmet: number }[] = [];
  for (const row of state.table(deliveries).group('all', '').newestFirst()) {
    found.push({ row, unmet: differences(row, filters).length + (after.includes(row) ? 0 : 1) });
    if (found.length === MAX_COMPARED) break;
  }
  found.sort((a, b) => a.unmet - b.unmet);
  return found.slice(0, MAX_NAMED).map(({ row }) => row);
}

function describeAfter({ id }: DeliveryRow, after = ''): string {
  if (after === id) return 'the wait, and is the one that after names';
  return after === 'now' ? 'the wait (after is now)' : `after, which is ${after}`;
}
