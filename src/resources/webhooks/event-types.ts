import type { EventType } from './schema.ts';

/** What each event type tells (interface section 6.1). */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'card.transaction': 'A card transaction was authorized, settled, declined or reversed',
  'card.issued': 'A card was issued',
  'card.status.changed': 'A card was activated, frozen, unfrozen or cancelled',
  'card.3ds_otp': 'A one-time passcode for 3-D Secure, to reach the cardholder within 60 seconds',
  'cardholder.kyc.updated': 'The KYC of a cardholder was approved or rejected',
  'cardholder.approved': 'A cardholder passed KYC and can be issued cards',
  'cardholder.created': 'A cardholder was created',
  'balance.low': 'The balance was below its threshold at the daily check',
  'balance.alert': 'The balance has just fallen below its alert threshold',
  'balance.top_up': 'The balance was topped up',
  'kyc_session.completed': 'A KYC session was approved',
  'kyc_session.failed': 'A KYC session was rejected',
};
