import { expect, test } from 'vitest';
import { startInProcess } from '../support/in-process.ts';

const LISTS = [
  'cardholders',
  'cards',
  'card-programs',
  'transactions',
  'usage/records',
  'webhooks/events',
] as const;
const PAGE = 'query.page: must be a whole number from 1 up';
const LIMIT = 'query.limit: must be a whole number from 1 to 100';
const TIME = /^query\.(?:from|to): must be an ISO 8601 timestamp/;
const MONTH = /^query\.billingPeriod: must be a month in the form YYYY-MM/;

const ANY_LIST = [
  ['page=0', PAGE],
  ['page=-1', PAGE],
  ['page=1.5', PAGE],
  ['page=1e3', PAGE],
  ['page=one', PAGE],
  ['page=', PAGE],
  ['limit=0', LIMIT],
  ['limit=101', LIMIT],
  ['limit=ten', LIMIT],
  ['page=0&limit=0', `${PAGE}; ${LIMIT}`],
  ['page=1&page=2', 'query.page: must be given once, is repeated'],
] as const;

test.each(LISTS.flatMap(list => ANY_LIST.map(query => [list, ...query] as const)))(
  '%s?%s is refused',
  (list, query, error) => {
    const { api } = startInProcess();
    expect(api('GET', `/partner/${list}?${query}`)).toEqual({ status: 400, body: { success: false, error } });
  },
);

test.each<[query: string, error: string | RegExp]>([
  ['cardholders?status=open', 'query.status: must be one of "active", "suspended", "closed"'],
  ['cardholders?status=', 'query.status: must be one of "active", "suspended", "closed"'],
  ['cardholders?status=active&status=closed', 'query.status: must be given once, is repeated'],
  ['cardholders?kycStatus=Approved', 'query.kycStatus: must be one of "pending", "approved", "rejected"'],
  ['cards?status=open', 'query.status: must be one of "created", "active", "frozen", "cancelled"'],
  ['cards?status=active%2Cfrozen', 'query.status: must be one of "created", "active", "frozen", "cancelled"'],
  ['cards?cardholderId=a&cardholderId=b', 'query.cardholderId: must be given once, is repeated'],
  ['transactions?status=open', /^query\.status: must be one of "authorized", /],
  ['transactions?from=yesterday', TIME],
  ['transactions?cardId=a&cardId=b', 'query.cardId: must be given once, is repeated'],
  ['usage/records?from=1773568800000', TIME],
  ['usage/records?from=', TIME],
  ['usage/records?to=2026-02-30', TIME],
  ['usage/records?to=2026-03-15T25:00:00Z', TIME],
  ['usage/records?to=15.03.2026', TIME],
  ['usage/records?from=2026-03-15T12:00:00+02:00', TIME],
  ['usage/records?from=2026-03-15&from=2026-03-16', 'query.from: must be given once, is repeated'],
  ['usage/records?billingPeriod=2026-13', MONTH],
  ['usage/records?billingPeriod=2026-3', MONTH],
  ['usage/records?billingPeriod=2026-03-15', MONTH],
  ['usage/records?billingPeriod=', MONTH],
  [
    'usage/records?type=refund',
    'query.type: must be one of "card_issuance", "transaction_processing", "kyc_verification"',
  ],
  ['webhooks/events?status=sent', 'query.status: must be one of "pending", "delivered", "failed"'],
  ['webhooks/events?eventType=card.lost', /^query\.eventType: must be one of "/],
  ['webhooks/events?from=yesterday', TIME],
])('%s is refused', (query, error) => {
  const { status, body } = startInProcess().api('GET', `/partner/${query}`);
  expect([status, body.error]).toEqual([
    400,
    typeof error === 'string' ? error : expect.stringMatching(error),
  ]);
});
