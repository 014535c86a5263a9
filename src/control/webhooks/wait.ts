import * as z from 'zod';
import { ApiError, assumed, badRequest, notFound } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { parseTimestamp } from '../../kernel/values/timestamp.ts';
import type { World } from '../../kernel/world/world.ts';
import { type DeliveryRow, deliveries, viewDelivery } from '../../resources/webhooks/deliveries.ts';
import { Delivery } from '../../resources/webhooks/schema.ts';
import { knownPartner } from '../known-partner.ts';
import { type DeliveryFilters, deliveryFilters, differences, matches } from './delivery-filters.ts';

const RULE = assumed('waiting');

/** Below the timeout of every test runner, so that the message of the 408 is what the test reports. */
const DEFAULT_TIMEOUT_MS = 2_000;
const MAX_TIMEOUT_MS = 600_000;

/** How many deliveries the message of a 408 names. */
const MAX_NAMED = 3;

const AFTER_RULE = 'must be the id of a delivery, an ISO 8601 moment, or now';

/** Returns whether a delivery was recorded after the moment that a wait starts from. */
type IsAfter = (row: DeliveryRow) => boolean;

/** Waits for a delivery. */
export const wait = operation({
  id: 'deliveries.wait',
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
  async run({ world, host, body: { timeoutMs, after, ...filters } }) {
    knownPartner(world, filters.partnerId);
    const row = await firstMatch(host, filters, readAfter(world, after), { after, timeoutMs });
    return reply(200, viewDelivery(row));
  },
});

/** The text of the member `after` and the timeout, for messages. */
interface Limits {
  readonly after: string | undefined;
  readonly timeoutMs: number;
}

/** Resolves with the first delivery that matches, in the current world and every later one. Rejects after the timeout. */
function firstMatch(
  host: Host,
  filters: DeliveryFilters,
  isAfter: IsAfter,
  limits: Limits,
): Promise<DeliveryRow> {
  const start = host.world;
  const isMatch = (row: DeliveryRow) => matches(row, filters) && (host.world !== start || isAfter(row));
  const past = [...start.table(deliveries).all()].find(isMatch);
  if (past !== undefined) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancelTimeout();
      unsubscribe();
      host.ended.removeEventListener('abort', stop);
    };
    // The response of a world that ends is made elsewhere; this wait must not keep it in memory.
    host.ended.addEventListener('abort', stop);
    const cancelTimeout = start.realTime.after(limits.timeoutMs, () => {
      stop();
      reject(timedOut(host, filters, row => host.world !== start || isAfter(row), limits));
    });
    const unsubscribe = host.feed.subscribe(message => {
      if (message.kind !== 'delivery') return;
      const row = host.world.table(deliveries).get(message.id);
      if (row === undefined || !isMatch(row)) return;
      stop();
      resolve(row);
    });
  });
}

/** Parses the member `after`. Throws a 404 for the id of no delivery, and a 400 for a text that is none of the forms. */
function readAfter(world: World, after: string | undefined): IsAfter {
  if (after === undefined) return () => true;
  const table = world.table(deliveries);
  if (after === 'now') return afterRow(world, [...table.all()].at(-1)?.id);
  if (table.get(after) !== undefined) return afterRow(world, after);
  const moment = parseTimestamp(after);
  if (moment !== null) return ({ createdAt }) => Date.parse(createdAt) > moment;
  if (/^evt_/.test(after)) throw notFound('delivery event', after);
  throw badRequest(RULE, `body.after: ${AFTER_RULE}`);
}

/** All deliveries after the one with this id, which were recorded later; all when there is none. */
function afterRow(world: World, id: string | undefined): IsAfter {
  const earlier = new Set<string>();
  if (id !== undefined) {
    for (const row of world.table(deliveries).all()) {
      earlier.add(row.id);
      if (row.id === id) break;
    }
  }
  return row => !earlier.has(row.id);
}

/** Returns the 408. It names the deliveries that differ in the fewest members, the newest of them first. */
function timedOut(
  host: Host,
  filters: DeliveryFilters,
  isAfter: IsAfter,
  { after, timeoutMs }: Limits,
): ApiError {
  const conditions = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  const nearest = [...host.world.table(deliveries).all()]
    .reverse()
    .map(row => {
      const past = isAfter(row) ? [] : [`it was recorded before ${describeAfter(row, after)}`];
      return { row, differing: [...differences(row, filters), ...past] };
    })
    .sort((a, b) => a.differing.length - b.differing.length)
    .slice(0, MAX_NAMED)
    .map(({ row, differing }) => `${row.id} (${row.eventType}): ${differing.join(', ')}`);
  const found =
    nearest.length === 0
      ? 'there is no delivery at all; is the type of the event in subscribedEvents?'
      : `the nearest that did not match: ${nearest.join('; ')}`;
  const subject = conditions.length === 0 ? 'no delivery' : `no delivery with ${conditions.join(', ')}`;
  const since = after === undefined ? '' : ` after ${after}`;
  return new ApiError(408, RULE, `${subject}${since} within ${timeoutMs} ms; ${found}`);
}

function describeAfter({ id }: DeliveryRow, after = ''): string {
  if (after === id) return 'the wait, and is the one that after names';
  return after === 'now' ? 'the wait (after is now)' : `after, which is ${after}`;
}
