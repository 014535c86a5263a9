import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { wholeNumber } from '../../core/store/paging.ts';
import type { Task } from '../../core/time/timers.ts';
import { runInTurns } from '../../core/time/turns.ts';
import { type DeliveryRow, deliveries, redeliveries, viewDelivery } from '../../service/webhooks/records.ts';
import { Delivery } from '../../service/webhooks/schema.ts';
import { deliveryAttempt, redeliver, redelivery, retryDelivery } from '../../service/webhooks/sending.ts';
import { knownPartner } from '../known-partner.ts';
import { containsText, firstOf, offsetParameter, pageReply, searchRows } from '../people/record-list.ts';
import { candidates, deliveryFilters, matches } from './delivery-filters.ts';
import { wait } from './wait.ts';

const MAX_ROWS = 10_000;

const listDeliveries = operation({
  id: 'deliveries.list',
  plane: 'control',
  method: 'GET',
  path: '/deliveries',
  summary: 'List webhook deliveries of all types and partners with their attempts, newest first',
  fidelity: assumed('unrecorded-events'),
  query: z.object({
    ...deliveryFilters,
    q: z.string().optional().describe('Returns only deliveries that contain this text, case-insensitive.'),
    limit: wholeNumber(1, MAX_ROWS).optional().describe('Default: all.'),
    offset: offsetParameter,
  }),
  responses: { 200: z.array(Delivery) },
  responseHeaders: ['X-Total-Count'],
  errors: [{ status: 409, when: 'The world was reset or replaced during a search.' }],
  async run({ state, signal, query: { q, limit = Number.POSITIVE_INFINITY, offset, ...filters } }) {
    knownPartner(state, filters.partnerId);
    const rows = () => candidates(state, filters);
    if (q === undefined && filters.resourceId === undefined)
      return pageReply(firstOf(rows().newestFirst(offset), limit).map(viewDelivery), rows().length);
    const text = q?.toLowerCase();
    const isWanted = (row: DeliveryRow) =>
      matches(row, filters) && (text === undefined || containsText(viewDelivery(row), text, ''));
    const table = state.table(deliveries);
    const max = offset + limit;
    const search = searchRows({ state, table, rows, exact: [], matches: isWanted, max, signal });
    const found = await runInTurns(search, state.setup.realTime);
    return pageReply(found.slice(offset).map(viewDelivery));
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
  run: ({ state, params }) => reply(200, viewDelivery(state.table(deliveries).existing(params.id))),
});

const retry = operation({
  id: 'deliveries.retry',
  plane: 'control',
  method: 'POST',
  path: '/deliveries/{id}/retry',
  summary: 'Retry a failed webhook delivery of any type',
  fidelity: assumed('manual-retry'),
  responses: { 200: Delivery },
  run: ({ state, params }) =>
    reply(200, viewDelivery(retryDelivery(state, state.table(deliveries).existing(params.id)))),
});

const sendAgain = operation({
  id: 'deliveries.redeliver',
  plane: 'control',
  method: 'POST',
  path: '/deliveries/{id}/redeliver',
  summary: 'Send a webhook delivery of any status once more, signed again',
  fidelity: assumed('redelivery'),
  responses: { 200: Delivery },
  async run({ state, params }) {
    const row = state.table(deliveries).existing(params.id);
    await redeliver(state, row);
    return reply(200, viewDelivery(state.table(deliveries).get(row.id) ?? row));
  },
});

const settle = operation({
  id: 'deliveries.settle',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/deliveries/settle',
  summary: 'Wait until no webhook attempt is in flight, of one partner or of all',
  fidelity: assumed('waiting'),
  body: z.object({ partnerId: deliveryFilters.partnerId }),
  responses: {
    200: z.strictObject({ pending: z.int().describe('Number of deliveries that wait for a retry.') }),
  },
  errors: [{ status: 404, when: 'There is no such partner.' }],
  async run({ state: first, world, body: { partnerId } }) {
    knownPartner(first, partnerId);
    for (let state = first; ; state = world.state) {
      const isOfPartner = ({ kind, ref }: Task) => {
        if (kind === redelivery.kind) return state.table(redeliveries).get(ref)?.partnerId === partnerId;
        return kind === deliveryAttempt.kind && state.table(deliveries).get(ref)?.partnerId === partnerId;
      };
      await state.clock.waitUntilSettled(partnerId === undefined ? undefined : isOfPartner);
      // A reset, or a state that is loaded, ends the wait for the attempts of the state before.
      if (state !== world.state) continue;
      return reply(200, { pending: candidates(state, { status: 'pending', partnerId }).length });
    }
  },
});

export const deliveryOperations = [listDeliveries, getDelivery, retry, sendAgain, settle, wait];
