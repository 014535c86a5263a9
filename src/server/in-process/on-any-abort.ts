/**
 * Calls `task` once when the first of the signals is aborted, in a microtask if one already is. Returns a function that
 * cancels the call.
 */
export function onAnyAbort(signals: readonly AbortSignal[], task: () => void): () => void {
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    for (const signal of signals) signal.removeEventListener('abort', run);
  };
  const run = () => {
    if (isCancelled) return;
    cancel();
    task();
  };
  if (signals.some(signal => signal.aborted)) queueMicrotask(run);
  else for (const signal of signals) signal.addEventListener('abort', run);
  return cancel;
}
