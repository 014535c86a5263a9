import * as z from 'zod';
import { assumedField, documented } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { Month, overlap, periodOfMonth, periodQuery } from '../../core/values/timestamp.ts';
import { USAGE_TYPES } from '../programs/schema.ts';
import { usageRecords, viewUsage } from './records.ts';
import { UsageRecord } from './schema.ts';

const listUsage = operation({
  id: 'usage.list',
  plane: 'partner',
  method: 'GET',
  path: '/partner/usage/records',
  summary: 'List usage records',
  fidelity: documented('4.6'),
  query: z.object({
    ...pagingQuery,
    from: periodQuery.from.meta(assumedField('usage-from-parameter')),
    to: periodQuery.to.meta(assumedField('usage-to-parameter')),
    billingPeriod: Month.optional().describe('`YYYY-MM`.').meta(assumedField('usage-period-parameter')),
    type: z.enum(USAGE_TYPES).optional().meta(assumedField('usage-type-parameter')),
  }),
  hints({ query: { billingPeriod, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } }) {
    if (billingPeriod === undefined) return [];
    const month = periodOfMonth(billingPeriod);
    return [
      ...(month.to < from ? ['query.billingPeriod ends before query.from, so nothing can match'] : []),
      ...(month.from > to ? ['query.billingPeriod begins after query.to, so nothing can match'] : []),
    ];
  },
  responses: { 200: pageOf(UsageRecord) },
  run({ state, partner, query }) {
    const { billingPeriod, type } = query;
    const table = state.table(usageRecords);
    const list =
      type === undefined ? table.ofPartner(partner.id) : table.group('type', `${partner.id} ${type}`);
    const period = billingPeriod === undefined ? query : overlap(query, periodOfMonth(billingPeriod));
    return reply(200, paginate(state, list.within(period), query, viewUsage));
  },
});

export const usageOperations = [listUsage];
