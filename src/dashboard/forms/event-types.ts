import type { EventType } from '../../resources/webhooks/event-types.ts';

/** The twelve event types of interface section 6.1. */
export const EVENT_TYPES = [
  'card.transaction',
  'card.issued',
  'card.status.changed',
  'card.3ds_otp',
  'cardholder.kyc.updated',
  'cardholder.approved',
  'cardholder.created',
  'balance.low',
  'balance.alert',
  'balance.top_up',
  'kyc_session.completed',
  'kyc_session.failed',
] as const satisfies readonly EventType[];
