import * as z from 'zod';
import { ApiError, assumed } from '../../kernel/operation/errors.ts';
import type { Host } from '../../kernel/operation/host.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { wholeNumber } from '../../kernel/store/paging.ts';
import { type DeliveryRow, deliveries, viewDelivery } from '../../resources/webhooks/deliveries.ts';
import { retryDelivery } from '../../resources/webhooks/delivery/sending.ts';
import { EVENT_TYPES } from '../../resources/webhooks/event-types.ts';
import { DELIVERY_STATUSES, Delivery } from '../../resources/webhooks/schema.ts';

/** How long `wait` waits unless it is told, and at most, in milliseconds. */
const PATIENCE_MS = 5_000;
const LONGEST_PATIENCE_MS = 600_000;

/** The most rows that a list may be cut to. */
const MOST_ROWS = 10_000;

const filters = {
  eventType: z.enum(EVENT_TYPES).optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  resourceId: z.string().optional().describe('The record that the event is about.'),
  partnerId: z.string().optional(),
} as const;

/** What deliveries are looked for by; what is left out fits any. */
type Filters = { readonly [K in keyof typeof filters]?: string | undefined };

function fits(row: DeliveryRow, { eventType, status, resourceId, partnerId }: Filters): boolean {
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
  summary: 'Webhook deliveries of all types and partners, newest first, with every attempt',
  fidelity: assumed('unrecorded-events'),
  query: z.object({
    ...filters,
    limit: wholeNumber(1, MOST_ROWS, `must be a whole number from 1 to ${MOST_ROWS}`)
      .optional()
      .describe('How many at most; all unless given.'),
  }),
  responses: { 200: z.array(Delivery) },
  run({ world, query: { limit, ...filters } }) {
    const found = [...world.table(deliveries).all()].filter(row => fits(row, filters)).reverse();
    return reply(200, found.slice(0, limit).map(viewDelivery));
  },
});

const getDelivery = operation({
  id: 'deliveries.get',
  plane: 'control',
  method: 'GET',
  path: '/deliveries/{id}',
  summary: 'One webhook delivery with every attempt',
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
  summary: 'Wait until no webhook attempt is in flight',
  fidelity: assumed('waiting'),
  responses: { 200: z.strictObject({ pending: z.int().describe('Deliveries that wait for a retry.') }) },
  async run({ world }) {
    await world.clock.settled();
    const pending = [...world.table(deliveries).all()].filter(({ status }) => status === 'pending').length;
    return reply(200, { pending });
  },
});

const wait = operation({
  id: 'deliveries.wait',
  plane: 'control',
  method: 'POST',
  path: '/wait',
  summary: 'Wait for the first webhook delivery that fits, past ones included',
  fidelity: assumed('waiting'),
  body: z.object({
    ...filters,
    timeoutMs: z.int().min(0).max(LONGEST_PATIENCE_MS).default(PATIENCE_MS).describe('In wall time.'),
  }),
  responses: { 200: Delivery },
  errors: [{ status: 408, when: 'No delivery fits within the time-out.' }],
  async run({ host, body: { timeoutMs, ...filters } }) {
    return reply(200, viewDelivery(await firstFitting(host, filters, timeoutMs)));
  },
});

/** The first delivery that fits, now or until the time-out, whatever world is current then. */
function firstFitting(host: Host, filters: Filters, timeoutMs: number): Promise<DeliveryRow> {
  const past = [...host.world.table(deliveries).all()].find(row => fits(row, filters));
  if (past !== undefined) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const disarm = host.world.realTime.after(timeoutMs, () => {
      unsubscribe();
      reject(timedOut(host, filters, timeoutMs));
    });
    const unsubscribe = host.feed.subscribe(news => {
      if (news.kind !== 'delivery') return;
      const row = host.world.table(deliveries).get(news.id);
      if (row === undefined || !fits(row, filters)) return;
      disarm();
      unsubscribe();
      resolve(row);
    });
  });
}

/** The 408 that says what came instead. */
function timedOut(host: Host, { status, ...others }: Filters, timeoutMs: number): ApiError {
  const wanted = Object.entries({ status, ...others }).filter(([, value]) => value !== undefined);
  const words = wanted.map(([name, value]) => `${name} ${value}`).join(', ');
  const near = [...host.world.table(deliveries).all()].filter(row => fits(row, others)).at(-1);
  const instead =
    near === undefined
      ? 'no such event was raised for a subscribed partner; is its type in subscribedEvents?'
      : `the latest is ${near.status}${near.cause === null ? '' : `: ${near.cause}`}; GET /_sandbox/deliveries/${near.id} says more`;
  const what = words === '' ? 'no delivery' : `no delivery with ${words}`;
  return new ApiError(408, assumed('waiting'), `${what} within ${timeoutMs} ms; ${instead}`);
}

/** Control operations on webhook deliveries. */
export const deliveryOperations = [listDeliveries, getDelivery, retry, settle, wait];
