import { constants } from 'node:os';
import { AbortController } from '../core/values/builtins.ts';
import { onAbort } from '../core/values/on-abort.ts';

/** What shells add to the number of a signal. */
const SIGNAL_BASE = 128;

/** The signals that ask a process to end. A terminal that is closed sends SIGHUP. */
const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A signal that is aborted when this process is asked to end. */
export interface EndRequest {
  readonly signal: AbortSignal;
  abort(): void;
  received(): NodeJS.Signals | null;
  release(): void;
}

/** Installs handlers that abort when the process is asked to end, instead of ending it. */
export function abortOnSignals(controller = new AbortController()): EndRequest {
  let received: NodeJS.Signals | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    received ??= name;
    controller.abort();
  };
  for (const name of END_SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    received: () => received,
    release() {
      for (const name of END_SIGNALS) process.off(name, onSignal);
    },
  };
}

/** Runs an action with what aborts when the process is asked to end, instead of ending it. */
export async function withEndRequest<T>(action: (end: EndRequest) => Promise<T>): Promise<T> {
  const end = abortOnSignals();
  try {
    return await action(end);
  } finally {
    end.release();
  }
}

/** Resolves and rejects as `work` does, and rejects with `reason` when this process is asked to end before. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, reason: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = onAbort([signal], () => reject(new Error(reason)));
    work.then(resolve, reject).finally(cancel);
  });
}

/** Returns the exit code that a shell reports for a process that a signal ended. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return SIGNAL_BASE + constants.signals[signal];
}
