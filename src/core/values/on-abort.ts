import { queueMicrotask } from './builtins.ts';

/**
 * The tasks that wait for a signal. The signal has one listener for all of them: a listener for each would keep what it
 * refers to for as long as the signal lives, and `addEventListener` searches all listeners for each new one.
 */
const tasksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `task` once when the first of the signals is aborted, in a microtask if one already is. Returns a function that
 * cancels the call, after which the signals keep nothing of it. `task` must not throw.
 */
export function onAbort(signals: readonly AbortSignal[], task: () => void): () => void {
  let isDone = false;
  const cancel = () => {
    isDone = true;
    for (const signal of signals) tasksBySignal.get(signal)?.delete(run);
  };
  const run = () => {
    if (isDone) return;
    cancel();
    task();
  };
  if (signals.some(signal => signal.aborted)) queueMicrotask(run);
  else for (const signal of signals) tasksOf(signal).add(run);
  return cancel;
}

function tasksOf(signal: AbortSignal): Set<() => void> {
  const known = tasksBySignal.get(signal);
  if (known !== undefined) return known;
  const tasks = new Set<() => void>();
  const runAll = () => {
    for (const task of tasks) task();
  };
  signal.addEventListener('abort', runAll, { once: true });
  tasksBySignal.set(signal, tasks);
  return tasks;
}
