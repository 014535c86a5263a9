import { type RowRule, rowRule } from '../../kernel/store/row-rule.ts';
import { webhookConfigs } from './records.ts';
import { webhookUrlProblem } from './rules.ts';

/** Invariants of webhook configurations. */
export const webhookRules: readonly RowRule[] = [
  rowRule(webhookConfigs, ({ id, partnerId }) => (id === partnerId ? null : "id: must be the partner's id")),
  rowRule(webhookConfigs, ({ webhookUrl, webhookSecret }, world) => {
    if (webhookUrl === null) return null;
    const problem = webhookUrlProblem(webhookUrl, world.options.allowHttpWebhooks);
    if (problem !== null) return `webhookUrl: ${problem}`;
    return webhookSecret === null ? 'webhookSecret: is required with a webhookUrl' : null;
  }),
];
