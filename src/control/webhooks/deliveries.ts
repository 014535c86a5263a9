import * as z from 'zod';
import { partners } from '../../kernel/access/partners.ts';
import { ApiError, assumed } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { wholeNumber } from '../../kernel/store/paging.ts';
import { type DeliveryRow, deliveries, viewDelivery } from '../../resources/webhooks/deliveries.ts';
import { retryDelivery, WEBHOOK_ATTEMPT } from '../../resources/webhooks/delivery/sending.ts';
import { EVENT_TYPES } from '../../resources/webhooks/event-types.ts';
import { DELIVERY_STATUSES, Delivery } from '../../resources/webhooks/schema.ts';

/** Timeout of `wait`. */
const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;

const MAX_ROWS = 10_000;

const filters = {
  eventType: z.enum(EVENT_TYPES).optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  resourceId: z.string().optional().describe('Id of the record that the event is about.'),
  partnerId: z.string().optional(),
} as const;

/** Conditions on a delivery. An omitted condition matches any. */
type Filters = { readonly [K in keyof typeof filters]?: string | undefined };

function matches(row: DeliveryRow, { eventType, status, resourceId, partnerId }: Filters): boolean {
  return (
    (eventType === undefined || row.eventType === eventType) &&
    (status === undefined || row.status === status) &&
    (resourceId === undefined || row.resourceId === resourceId) &&
    (partnerId === undefined || row.partnerId === partnerId)
  );
}

const listDeliveries = operation({
  id: 'deliveries.list',
  plane: 'control',
  method: 'GET',
  path: '/deliveries',
  summary: 'List webhook deliveries of all types and partners with their attempts, newest first',
  fidelity: assumed('unrecorded-events'),
  query: z.object({
    ...filters,
    limit: wholeNumber(1, MAX_ROWS, `must be a whole number from 1 to ${MAX_ROWS}`)
      .optional()
      .describe('Default: all.'),
  }),
  responses: { 200: z.array(Delivery) },
  run({ world, query: { limit, ...filters } }) {
    const found = [...world.table(deliveries).all()].filter(row => matches(row, filters)).reverse();
    return reply(200, found.slice(0, limit).map(viewDelivery));
  },
});

const getDelivery = operation({
  id: 'deliveries.get',
  plane: 'control',
  method: 'GET',
  path: '/deliveries/{id}',
  summary: 'Get a webhook delivery with its attempts',
  fidelity: assumed('unrecorded-events'),
  responses: { 200: Delivery },
  run: ({ world, params }) => reply(200, viewDelivery(world.table(deliveries).existing(params.id))),
});

const retry = operation({
  id: 'deliveries.retry',
  plane: 'control',
  method: 'POST',
  path: '/deliveries/{id}/retry',
  summary: 'Retry a failed webhook delivery of any type',
  fidelity: assumed('manual-retry'),
  responses: { 200: Delivery },
  run: ({ world, params }) =>
    reply(200, viewDelivery(retryDelivery(world, world.table(deliveries).existing(params.id)))),
});

const settle = operation({
  id: 'deliveries.settle',
  plane: 'control',
  method: 'POST',
  path: '/deliveries/settle',
  summary: 'Wait until no webhook attempt is in flight, of one partner or of all',
  fidelity: assumed('waiting'),
  body: z.object({ partnerId: z.string().optional().describe('Default: all partners.') }),
  responses: {
    200: z.strictObject({ pending: z.int().describe('Number of deliveries that wait for a retry.') }),
  },
  errors: [{ status: 404, when: 'There is no such partner.' }],
  async run({ world, body: { partnerId } }) {
    if (partnerId !== undefined) world.table(partners).existing(partnerId);
    const isOfPartner = (row: DeliveryRow | undefined) =>
      row !== undefined && (partnerId === undefined || row.partnerId === partnerId);
    await world.clock.settled(({ kind, ref }) =>
      kind === WEBHOOK_ATTEMPT ? isOfPartner(world.table(deliveries).get(ref)) : partnerId === undefined,
    );
    const all = [...world.table(deliveries).all()];
    return reply(200, { pending: all.filter(row => row.status === 'pending' && isOfPartner(row)).length });
  },
});

const wait = operation({
  id: 'deliveries.wait',
  plane: 'control',
  method: 'POST',
  path: '/wait',
  summary: 'Wait for the first webhook delivery that matches, including past ones',
  fidelity: assumed('waiting'),
  body: z.object({
    ...filters,
    timeoutMs: z
      .int()
      .min(0)
      .max(MAX_TIMEOUT_MS)
      .default(DEFAULT_TIMEOUT_MS)
      .describe('Timeout in wall time.'),
  }),
  responses: { 200: Delivery },
  errors: [{ status: 408, when: 'No delivery matches within the timeout.' }],
  async run({ host, body: { timeoutMs, ...filters } }) {
    return reply(200, viewDelivery(await firstMatch(host, filters, timeoutMs)));
  },
});

/** Resolves with the first delivery that matches, in the current world and every later one. Rejects after the timeout. */
function firstMatch(host: Host, filters: Filters, timeoutMs: number): Promise<DeliveryRow> {
  const past = [...host.world.table(deliveries).all()].find(row => matches(row, filters));
  if (past !== undefined) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const cancelTimeout = host.world.realTime.after(timeoutMs, () => {
      unsubscribe();
      reject(timedOut(host, filters, timeoutMs));
    });
    const unsubscribe = host.feed.subscribe(message => {
      if (message.kind !== 'delivery') return;
      const row = host.world.table(deliveries).get(message.id);
      if (row === undefined || !matches(row, filters)) return;
      cancelTimeout();
      unsubscribe();
      resolve(row);
    });
  });
}

/** Returns the 408, with the nearest delivery that exists. */
function timedOut(host: Host, { status, ...others }: Filters, timeoutMs: number): ApiError {
  const conditions = Object.entries({ status, ...others }).filter(([, value]) => value !== undefined);
  const text = conditions.map(([name, value]) => `${name} ${value}`).join(', ');
  const nearest = [...host.world.table(deliveries).all()].filter(row => matches(row, others)).at(-1);
  const hint =
    nearest === undefined
      ? 'no such event was raised for a subscribed partner; is its type in subscribedEvents?'
      : `the latest is ${nearest.status}${nearest.cause === null ? '' : `: ${nearest.cause}`}; see GET /_sandbox/deliveries/${nearest.id}`;
  const subject = text === '' ? 'no delivery' : `no delivery with ${text}`;
  return new ApiError(408, assumed('waiting'), `${subject} within ${timeoutMs} ms; ${hint}`);
}

/** Operations on webhook deliveries. */
export const deliveryOperations = [listDeliveries, getDelivery, retry, settle, wait];
