import type { Sandbox } from '../sandbox.ts';
import type { RunningServer } from '../surfaces/server.ts';

/** How long what is in flight may take to finish after a signal; together with the last output under two seconds. */
const GRACE_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves when SIGINT or SIGTERM has come and everything is closed; a second signal ends the process at once. */
export function stopped(server: RunningServer, sandbox: Sandbox): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop).once(signal, () => process.exit(1));
      void server.close(GRACE_MS).then(() => {
        sandbox.stop();
        resolve();
      });
    };
    for (const signal of SIGNALS) process.once(signal, stop);
  });
}
