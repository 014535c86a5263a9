/** A signal that is aborted when this process is asked to end. */
export interface EndRequest {
  readonly signal: AbortSignal;
  abort(): void;
  /** Returns the signal that was received first, or null. */
  received(): NodeJS.Signals | null;
  /** Removes the handlers. */
  release(): void;
}

/** Installs handlers that abort on these signals, instead of ending the process. */
export function abortOnSignals(names: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']): EndRequest {
  const controller = new AbortController();
  let received: NodeJS.Signals | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    received ??= name;
    controller.abort();
  };
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    received: () => received,
    release() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
