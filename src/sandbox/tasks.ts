import type { TaskRunner } from '../kernel/time/task.ts';
import type { TaskHandlers, World } from '../kernel/world/world.ts';
import { LOW_CHECK, runLowCheck } from '../resources/balance/rules.ts';
import { KYC_DECISION, runScheduledDecision } from '../resources/cardholders/submission.ts';
import { attemptDelivery, WEBHOOK_ATTEMPT } from '../resources/webhooks/sending.ts';

/** Code for everything that falls due. */
const tasks: TaskHandlers = {
  [KYC_DECISION]: runScheduledDecision,
  [LOW_CHECK]: runLowCheck,
  [WEBHOOK_ATTEMPT]: attemptDelivery,
};

/** Runs the tasks of worlds; `onBug` is told of what one throws, so that a clock never stops at it. */
export function taskRunner(onBug: (error: unknown, where: string) => void): (world: World) => TaskRunner {
  return world =>
    ({ kind, ref }) => {
      const report = (error: unknown) => onBug(error, `timer ${kind} of ${ref}`);
      try {
        const task = tasks[kind];
        if (task === undefined) throw new Error('no code for this kind of timer');
        return task(world, ref)?.catch(report);
      } catch (error) {
        report(error);
      }
    };
}
