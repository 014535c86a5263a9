/** Has `task` called once when the first of the signals is aborted, soon if one is already; returns the way to call that off. */
export function onAnyAbort(signals: readonly AbortSignal[], task: () => void): () => void {
  let isOff = false;
  const forget = () => {
    isOff = true;
    for (const signal of signals) signal.removeEventListener('abort', once);
  };
  const once = () => {
    if (isOff) return;
    forget();
    task();
  };
  if (signals.some(signal => signal.aborted)) queueMicrotask(once);
  else for (const signal of signals) signal.addEventListener('abort', once);
  return forget;
}
