import type { TaskDefinition } from '../core/world/task-definition.ts';
import { lowCheck } from '../service/balance/rules.ts';
import { kycDecision } from '../service/cardholders/submission.ts';
import { expiry } from '../service/network/rules.ts';
import { deliveryAttempt, redelivery } from '../service/webhooks/sending.ts';

/** Every task of a world, by its kind. A world has only the tasks listed here. */
export const tasks: Readonly<Record<string, TaskDefinition>> = Object.fromEntries(
  [kycDecision, lowCheck, expiry, deliveryAttempt, redelivery].map(task => [task.kind, task]),
);
