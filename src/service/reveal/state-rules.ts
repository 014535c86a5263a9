import { type RowRule, reference } from '../../core/store/row-rule.ts';
import { cards } from '../cards/records.ts';
import { revealLinks } from './records.ts';

/** Invariants of reveal links. */
export const revealRules: readonly RowRule[] = [
  reference(revealLinks, 'cardId', ({ cardId }) => cardId, cards),
];
