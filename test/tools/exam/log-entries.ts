import type { RequestLogEntry } from '../../../src/client/attendant.ts';

/** A request that issued a card, as the log has it. */
export const ISSUE: RequestLogEntry = {
  id: 'req_1',
  world: 'main',
  at: '2026-03-15T10:00:00.000Z',
  method: 'POST',
  url: '/v1/partner/cards',
  operation: 'cards.issue',
  status: 201,
  durationMs: 1,
  partnerId: 'acme',
  refusal: null,
  rule: null,
  hints: [],
  dropped: false,
  fault: null,
};

/** A delivery that was accepted at once, as the log has it. */
export const DELIVERY = {
  id: 'evt_1',
  world: 'main',
  at: '2026-03-15T10:00:00.000Z',
  partnerId: 'acme',
  eventType: 'card.issued',
  resourceId: 'card_1',
  status: 'delivered',
  attemptCount: 1,
  url: 'http://127.0.0.1:1/',
  durationMs: 1,
  cause: null,
  nextRetryAt: null,
  fault: null,
  isExtra: false,
  responseStatus: 204,
};
