/** The event types, each with what it reports (interface section 6.1). Every other list of them comes from here. */
export const EVENT_MEANINGS = {
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

export type EventType = keyof typeof EVENT_MEANINGS;

declare module '../../core/journal/events.ts' {
  interface EventTypes extends Record<EventType, true> {}
}

/** The event types that delivery records do not name (interface section 6.1): the API does not list their deliveries. */
export const UNRECORDED_TYPES = [
  'card.3ds_otp',
  'cardholder.approved',
  'balance.alert',
] as const satisfies readonly EventType[];

export type RecordedType = Exclude<EventType, (typeof UNRECORDED_TYPES)[number]>;

/** The event types that delivery records name (interface section 6.1). */
export const RECORDED_TYPES = Object.keys(EVENT_MEANINGS).filter(isRecordedType);

/** All event types: those of delivery records, then the others. */
export const EVENT_TYPES: readonly EventType[] = [...RECORDED_TYPES, ...UNRECORDED_TYPES];

export function isRecordedType(type: string): type is RecordedType {
  const unrecorded: readonly string[] = UNRECORDED_TYPES;
  return Object.hasOwn(EVENT_MEANINGS, type) && !unrecorded.includes(type);
}
