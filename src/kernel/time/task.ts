/** Work that falls due: `kind` names the code, `ref` the record it is about. Data, so that it can be saved. */
export interface Task {
  readonly kind: string;
  readonly ref: string;
}

/** A task and the moment, in milliseconds, at which it falls due. */
export interface Due {
  readonly at: number;
  readonly value: Task;
}

/** Does the work of a task and never throws. A promise means that it is under way until that resolves. */
export type TaskRunner = (task: Task) => void | Promise<void>;

/** What tells tasks apart: of those with one key, only the last scheduled falls due. */
export function keyOf({ kind, ref }: Task): string {
  return `${kind} ${ref}`;
}
