import type { Row, TableDefinition } from '../store/table-definition.ts';
import type { WorldState, WorldTask } from './world-state.ts';

/** Work for a row of a table that is due at a sandbox time. */
export interface TaskDefinition extends WorldTask {
  /** A name of the form `resource.verb`, which state documents contain. */
  readonly kind: string;
  /** Whether a row has this task. State documents are checked against it. */
  waits(row: Row, state: WorldState): boolean;
}

/** Defines a task. It works once it is listed in `src/sandbox/tasks.ts`. */
export function defineTask<R extends Row, U extends string, G extends string>(task: {
  readonly kind: string;
  readonly table: TableDefinition<R, U, G>;
  waits(row: R, state: WorldState): boolean;
  run(state: WorldState, id: string): void | Promise<void>;
}): TaskDefinition {
  // `waits` is only called with rows of its own table, which are of type R.
  return { ...task, waits: task.waits as TaskDefinition['waits'] };
}

/** Schedules a task for a row, at a time in milliseconds. Replaces the same task of that row if it has not started. */
export function schedule(state: WorldState, { kind }: TaskDefinition, id: string, at: number): void {
  state.clock.schedule(at, { kind, ref: id });
}

export function cancel(state: WorldState, { kind }: TaskDefinition, id: string): void {
  state.clock.cancel({ kind, ref: id });
}
