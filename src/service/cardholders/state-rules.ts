import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { kycSessions, shareTokens, USED_BY_FIXTURE } from '../kyc/records.ts';
import { programs } from '../programs/records.ts';
import { cardholders } from './records.ts';

/** Invariants of cardholders and of the KYC sources they were created from. */
export const cardholderRules: readonly RowRule[] = [
  reference(
    cardholders,
    'submission.cardProgramId',
    ({ submission }) => submission?.cardProgramId ?? null,
    programs,
  ),
  rowRule(cardholders, ({ kycStatus, submission }) => {
    const isDecided = submission !== null && submission.decidedAt !== null;
    return isDecided === (kycStatus !== 'pending')
      ? null
      : 'kycStatus: must be approved or rejected after the decision on its submission, and pending before';
  }),
  rowRule(cardholders, ({ kycStatus, submission }) =>
    submission?.reasons === undefined || kycStatus === 'rejected'
      ? null
      : 'submission.reasons: only a rejected submission has reasons',
  ),
  reference(kycSessions, 'usedBy', ({ usedBy }) => usedBy, cardholders),
  reference(shareTokens, 'usedBy', ({ usedBy }) => (usedBy === USED_BY_FIXTURE ? null : usedBy), cardholders),
];
