import { type RowRule, rowRule } from '../../kernel/store/row-rule.ts';
import { kycSessions } from './records.ts';

/** What KYC sessions keep to. */
export const kycRules: readonly RowRule[] = [
  rowRule(kycSessions, ({ status, identity }) =>
    (identity !== null) === (status === 'approved')
      ? null
      : 'identity: must be there in an approved session, and null in any other',
  ),
  rowRule(kycSessions, ({ status, usedBy }) =>
    usedBy === null || status === 'approved' ? null : 'usedBy: only an approved session can have been used',
  ),
];
