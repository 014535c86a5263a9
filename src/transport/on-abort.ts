const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `task` when the signal is aborted, and returns the way to call that off. A signal itself looks through all its
 * listeners for each new one; this does not, so many sends can wait for the same signal.
 */
export function onAbort(signal: AbortSignal, task: () => void): () => void {
  let tasks = listening.get(signal);
  if (tasks === undefined) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const each of all) each();
    });
    listening.set(signal, all);
    tasks = all;
  }
  tasks.add(task);
  return () => tasks.delete(task);
}
