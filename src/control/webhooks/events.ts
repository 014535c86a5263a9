import * as z from 'zod';
import { partnerChoice, partnerOrFirst } from '../../core/access/partners.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { check, isObject } from '../../core/request/input.ts';
import { AMOUNT_PROBLEM, hasTwoDecimals } from '../../core/values/money.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { shorten } from '../../core/values/text.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES, type EventType } from '../../service/webhooks/event-types.ts';
import { type EventSubject, payloads } from '../../service/webhooks/payloads.ts';
import { deliveries, viewDelivery, webhookConfigOf } from '../../service/webhooks/records.ts';
import { Delivery } from '../../service/webhooks/schema.ts';

const NotDelivered = z.strictObject({
  delivered: z.literal(false),
  eventId: z.string(),
  cause: z.string().describe('Why no delivery was created.'),
});

/** Fields of an event's data. All their numbers are amounts. */
const EventData = z.record(z.string(), z.unknown()).superRefine((data, context) => {
  const open: (readonly [value: unknown, path: readonly PropertyKey[]])[] = [[data, []]];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const [value, path] = item;
    if (typeof value === 'number' && !hasTwoDecimals(value)) {
      const message = 'must be an amount with at most two decimals';
      context.addIssue({ code: 'custom', message, path: [...path], params: AMOUNT_PROBLEM });
      return;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) open.push([member, [...path, name]]);
  }
});

const raise = operation({
  id: 'events.raise',
  plane: 'control',
  method: 'POST',
  path: '/events',
  summary: 'Raise an event of any type about an existing record, or about one made for it',
  fidelity: assumed('triggered-events'),
  body: z.object({
    eventType: z.enum(EVENT_TYPES),
    partnerId: partnerChoice,
    resourceId: z
      .string()
      .optional()
      .describe(
        'Id of the record that it is about. Default: the newest of the right kind; if there is none, one is made.',
      ),
    data: EventData.optional().describe('Fields of its data to replace.'),
  }),
  responses: { 201: z.union([Delivery, NotDelivered]) },
  run({ state, body: { eventType, resourceId: id, data: changes = {}, ...body } }) {
    const { id: partnerId } = partnerOrFirst(state, body.partnerId);
    const { schema, subject } = payloads[eventType];
    const found = subject(state, partnerId, id);
    checkMembers(eventType, changes);
    const changed = (data: EventSubject['data']) =>
      check(z.object({ data: schema }), { data: mergeData(data, changes) }, 'body').data;
    // Before a record is made, so that a refused request makes none.
    changed(found.data);
    const { resourceId, data } = found.make?.() ?? found;
    const event = state.emit(eventType, { id: resourceId, partnerId }, changed(data));
    const row = state.table(deliveries).get(event.id);
    if (row !== undefined) return reply(201, viewDelivery(row));
    const cause = noDeliveryCause(state, partnerId, eventType);
    return reply(201, { delivered: false as const, eventId: event.id, cause });
  },
});

/** Throws a 400 for a field that the data of this event type does not have. */
function checkMembers(eventType: EventType, changes: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(payloads[eventType].schema.shape);
  const unknown = Object.keys(changes).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const hint = `${eventType} has ${known.join(', ')}${suggestion(unknown, known)}`;
  throw badRequest(assumed('triggered-events'), `body.data.${shorten(unknown)}: is unknown; ${hint}`);
}

function noDeliveryCause(state: WorldState, partnerId: string, eventType: EventType): string {
  const { webhookUrl } = webhookConfigOf(state, partnerId);
  const missing = webhookUrl === null ? 'webhookUrl and subscribedEvents' : 'subscribedEvents';
  return `${partnerId} is not subscribed to ${eventType}; set ${missing} with PATCH /v1/partner/webhooks/config`;
}

/** Returns the data with the changes applied. Nested objects are merged, not replaced. */
function mergeData(
  data: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = new Map(Object.entries(data));
  for (const [name, value] of Object.entries(changes)) {
    const before = result.get(name);
    result.set(name, isObject(before) && isObject(value) ? mergeData(before, value) : value);
  }
  return Object.fromEntries(result);
}

export const eventOperations = [raise];
