const tasksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `task` when the signal is aborted. Returns a function that cancels this. Unlike `addEventListener`, which
 * searches all listeners for each new one, this stays fast when many sends wait for the same signal.
 */
export function onAbort(signal: AbortSignal, task: () => void): () => void {
  const tasks = tasksBySignal.get(signal) ?? listen(signal);
  tasks.add(task);
  return () => tasks.delete(task);
}

function listen(signal: AbortSignal): Set<() => void> {
  const tasks = new Set<() => void>();
  signal.addEventListener('abort', () => {
    for (const task of tasks) task();
  });
  tasksBySignal.set(signal, tasks);
  return tasks;
}
