import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import {
  HOLDING_KINDS,
  WEBHOOK_FAULT_KINDS,
  type WebhookFaultKind,
} from '../../service/webhooks/fault-kinds.ts';
import {
  addWebhookFault,
  clearWebhookFaults,
  viewWebhookFault,
  webhookFaults,
} from '../../service/webhooks/faults.ts';
import { faultScope, knownPartner } from '../known-partner.ts';

const MAX_DELAY_MS = 7 * 24 * 3_600_000;

/** The kinds that a delay belongs to. */
const TIMED_KINDS: readonly WebhookFaultKind[] = [...HOLDING_KINDS, 'stale_timestamp'];

const WebhookFault = z.strictObject({
  id: z.string(),
  kind: z.enum(WEBHOOK_FAULT_KINDS),
  partnerId: z.string().nullable().describe('Null for all partners.'),
  eventType: z.enum(EVENT_TYPES).nullable().describe('Null for all types.'),
  times: z.int().nullable().describe('How often it applies; null until it is deleted.'),
  delayMs: z
    .int()
    .nullable()
    .describe('The delay, or the age of the timestamp; null for the default of the kind.'),
  hits: z.int().describe('How often it has been applied.'),
});

const list = operation({
  id: 'webhookFaults.list',
  plane: 'control',
  method: 'GET',
  path: '/webhook-faults',
  summary: 'List webhook faults',
  fidelity: assumed('webhook-faults'),
  query: faultScope,
  responses: { 200: z.array(WebhookFault) },
  run({ state, query: { partnerId } }) {
    knownPartner(state, partnerId);
    const all = [...state.table(webhookFaults).all()];
    const found = all.filter(({ scope }) => partnerId === undefined || scope === partnerId);
    return reply(200, found.map(viewWebhookFault));
  },
});

const add = operation({
  id: 'webhookFaults.add',
  plane: 'control',
  method: 'POST',
  path: '/webhook-faults',
  summary: 'Add a fault to the next webhook deliveries',
  fidelity: assumed('webhook-faults'),
  body: z
    .object({
      kind: z.enum(WEBHOOK_FAULT_KINDS).describe('What happens to the deliveries.'),
      partnerId: z
        .string()
        .optional()
        .describe('The partner whose requests or deliveries it applies to. Default: all.'),
      eventType: z.enum(EVENT_TYPES).optional(),
      times: z.int().min(1).optional().describe('How often it applies. Default: until it is deleted.'),
      delayMs: z
        .int()
        .min(0)
        .max(MAX_DELAY_MS)
        .optional()
        .describe('The delay, or the age of the timestamp. Default: that of the kind.'),
    })
    .superRefine(({ kind, delayMs }, context) => {
      if (delayMs === undefined || TIMED_KINDS.includes(kind)) return;
      const message = `has no effect on ${kind}; leave it out, or use it with ${TIMED_KINDS.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['delayMs'], message });
    }),
  responses: { 201: WebhookFault },
  run({ state, body: { partnerId = null, eventType = null, times = null, delayMs = null, kind } }) {
    knownPartner(state, partnerId ?? undefined);
    return reply(201, addWebhookFault(state, { partnerId, eventType, times, delayMs, kind }));
  },
});

const clear = operation({
  id: 'webhookFaults.clear',
  plane: 'control',
  method: 'DELETE',
  path: '/webhook-faults',
  summary: 'Delete all webhook faults, or all of one partner',
  fidelity: assumed('webhook-faults'),
  query: faultScope,
  responses: { 204: null },
  run({ state, query: { partnerId } }) {
    knownPartner(state, partnerId);
    clearWebhookFaults(state, partnerId);
    return reply(204, null);
  },
});

export const webhookFaultOperations = [list, add, clear];
