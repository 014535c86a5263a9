import { type RowRule, reference } from '../../kernel/store/row-rule.ts';
import { cards } from '../cards/records.ts';
import { revealLinks } from './records.ts';

/** What reveal links keep to. */
export const revealRules: readonly RowRule[] = [
  reference(revealLinks, 'cardId', ({ cardId }) => cardId, cards),
];
