import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { deliveries } from './deliveries.ts';
import { webhookFaults } from './faults.ts';
import { heldDeliveries } from './held-deliveries.ts';
import { webhookConfigs } from './records.ts';
import { webhookUrlProblem } from './rules.ts';

/** Invariants of webhook configurations and of deliveries that are held back. */
export const webhookRules: readonly RowRule[] = [
  rowRule(webhookConfigs, ({ id, partnerId }) => (id === partnerId ? null : "id: must be the partner's id")),
  rowRule(webhookConfigs, ({ webhookUrl, webhookSecret }, state) => {
    if (webhookUrl === null) return null;
    const problem = webhookUrlProblem(webhookUrl, state.forwarding().allowHttp);
    if (problem !== null) return `webhookUrl: ${problem}`;
    return webhookSecret === null ? 'webhookSecret: is required with a webhookUrl' : null;
  }),
  rowRule(webhookFaults, ({ scope, partnerId }) =>
    scope === null || scope === partnerId ? null : "scope: must be null or the partner's id",
  ),
  reference(heldDeliveries, 'id', ({ id }) => id, deliveries),
  rowRule(heldDeliveries, ({ id }, state) => {
    const status = state.table(deliveries).get(id)?.status ?? 'pending';
    return status === 'pending' ? null : `id: must be that of a pending delivery, and it is ${status}`;
  }),
];
