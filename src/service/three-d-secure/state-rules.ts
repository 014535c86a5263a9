import { type RowRule, reference } from '../../core/store/row-rule.ts';
import { cardholders } from '../cardholders/records.ts';
import { cards } from '../cards/records.ts';
import { challenges } from './records.ts';

/** Invariants of 3-D Secure challenges. */
export const challengeRules: readonly RowRule[] = [
  reference(challenges, 'cardId', ({ cardId }) => cardId, cards),
  reference(challenges, 'cardholderId', ({ cardholderId }) => cardholderId, cardholders),
];
