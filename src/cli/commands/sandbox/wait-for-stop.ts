import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import type { RunningServer } from '../../../surfaces/http/server.ts';

/** How long what is in flight may take to finish after a signal; together with the last output under two seconds. */
const GRACE_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves when SIGINT or SIGTERM has come, everything is closed and the state, if it is kept in a file, is
 * saved; rejects when it cannot be. A second signal ends the process at once.
 */
export function stopped(server: RunningServer, sandbox: SandboxCore): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop).once(signal, () => process.exit(1));
      const finish = () => {
        sandbox.saveState();
        sandbox.stop();
      };
      void server.close(GRACE_MS).then(finish).then(resolve, reject);
    };
    for (const signal of SIGNALS) process.once(signal, stop);
  });
}
