import { type RowRule, rowRule } from '../../core/store/row-rule.ts';
import { kycSessions } from './records.ts';

/** Invariants of KYC sessions. */
export const kycRules: readonly RowRule[] = [
  rowRule(kycSessions, ({ status, identity }) =>
    (identity !== null) === (status === 'approved')
      ? null
      : 'identity: must be set in an approved session, and null in any other',
  ),
  rowRule(kycSessions, ({ status, reasons }) =>
    reasons === undefined || status === 'rejected' ? null : 'reasons: only a rejected session has reasons',
  ),
  rowRule(kycSessions, ({ status, usedBy }) =>
    usedBy === null || status === 'approved' ? null : 'usedBy: only an approved session can be used',
  ),
];
