import * as z from 'zod';
import { assumedField, documented } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { pageOf, paginate, pagingQuery } from '../../kernel/store/paging.ts';
import { isWithin, Month, periodQuery } from '../../kernel/values/timestamp.ts';
import { USAGE_TYPES } from '../programs/schema.ts';
import { billingPeriodOf, type UsageRow, usageRecords, viewUsage } from './records.ts';
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
    from: periodQuery.from.meta(assumedField('filter-names')),
    to: periodQuery.to.meta(assumedField('filter-names')),
    billingPeriod: Month.optional().meta(assumedField('filter-names')),
    type: z.enum(USAGE_TYPES).optional().meta(assumedField('filter-names')),
  }),
  responses: { 200: pageOf(UsageRecord) },
  run({ world, partner, query }) {
    const { from, to, billingPeriod, type } = query;
    const filtered = [from, to, billingPeriod, type].some(filter => filter !== undefined);
    const matches = (row: UsageRow) =>
      isWithin(row.createdAt, query) &&
      (billingPeriod === undefined || billingPeriodOf(row) === billingPeriod) &&
      (type === undefined || row.type === type);
    const table = world.table(usageRecords);
    const ids = table.ofPartner(partner.id);
    return reply(200, paginate(table, ids, query, viewUsage, filtered ? matches : undefined));
  },
});

/** Operations on usage records. */
export const usageOperations = [listUsage];
