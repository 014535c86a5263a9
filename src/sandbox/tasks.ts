import type { TaskRunner } from '../core/time/task.ts';
import type { WorldState } from '../core/world/world-state.ts';
import { LOW_CHECK, runLowCheck } from '../service/balance/rules.ts';
import { KYC_DECISION, runScheduledDecision } from '../service/cardholders/submission.ts';
import { EXPIRY, runExpiry } from '../service/transactions/rules.ts';
import { attemptDelivery, REDELIVERY, runRedelivery, WEBHOOK_ATTEMPT } from '../service/webhooks/sending.ts';

/** The function for each kind of task. */
const tasks: Readonly<Record<string, (state: WorldState, ref: string) => void | Promise<void>>> = {
  [KYC_DECISION]: runScheduledDecision,
  [LOW_CHECK]: runLowCheck,
  [EXPIRY]: runExpiry,
  [WEBHOOK_ATTEMPT]: attemptDelivery,
  [REDELIVERY]: runRedelivery,
};

/** The kinds of tasks. */
export const TASK_KINDS: readonly string[] = Object.keys(tasks);

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
        return task(state, ref)?.catch(report);
      } catch (error) {
        report(error);
      }
    };
}
