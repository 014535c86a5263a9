/** Scheduled work: `kind` names the code, `ref` the record. Plain data, so that a state document can hold it. */
export interface Task {
  readonly kind: string;
  readonly ref: string;
}

/** A task and its due time in milliseconds. */
export interface Due {
  readonly at: number;
  readonly value: Task;
}

/** Runs a task. Never throws. A returned promise means that the task is in flight until it resolves. */
export type TaskRunner = (task: Task) => void | Promise<void>;

/** The identity of a task. Scheduling a task replaces the pending task with the same key. */
export function keyOf({ kind, ref }: Task): string {
  return `${kind} ${ref}`;
}
