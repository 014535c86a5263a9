import type { AnyTable } from '../core/store/table-definition.ts';
import type { TaskRunner } from '../core/time/scheduled-tasks.ts';
import type { TaskDefinition } from '../core/world/task-definition.ts';
import type { WorldState } from '../core/world/world-state.ts';
import { lowCheck } from '../service/balance/rules.ts';
import { kycDecision } from '../service/cardholders/submission.ts';
import { expiry } from '../service/transactions/rules.ts';
import { deliveryAttempt, redelivery } from '../service/webhooks/sending.ts';

/** Every task of a world, by its kind. A world has only the tasks listed here. */
export const tasks: Readonly<Record<string, TaskDefinition>> = Object.fromEntries(
  [kycDecision, lowCheck, expiry, deliveryAttempt, redelivery].map(task => [task.kind, task]),
);

/** The table of what a task belongs to, by its kind. */
export const taskTables: Readonly<Record<string, AnyTable>> = Object.fromEntries(
  Object.values(tasks).map(({ kind, table }) => [kind, table]),
);

/** Returns what runs the tasks of a world. Errors go to `onBug`, so that they never stop a clock. */
export function taskRunner(
  onBug: (error: unknown, where: string) => void,
): (state: WorldState) => TaskRunner {
  return state =>
    ({ kind, ref }) => {
      const report = (error: unknown) => onBug(error, `timer ${kind} of ${ref}`);
      try {
        const task = tasks[kind];
        if (task === undefined) throw new Error('there is no function for this kind of task');
        return task.run(state, ref)?.catch(report);
      } catch (error) {
        report(error);
      }
    };
}
