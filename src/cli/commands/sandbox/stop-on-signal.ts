import type { SandboxCore } from '../../../sandbox/sandbox.ts';
import type { RunningServer } from '../../../server/http/server.ts';
import { reportSave } from '../../output/saved.ts';

/** How long requests in flight may take to finish after a signal. With the last output this stays under 2 s. */
const GRACE_MS = 1_000;
/** A terminal that is closed sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Installs handlers for SIGINT, SIGTERM and SIGHUP, and for `stopRequest`, that shut the server down. Resolves once everything is closed and the state
 * file, if there is one, is saved; rejects when it cannot be saved. A second signal ends the process with exit code 1.
 */
export function stopOnSignal(
  server: RunningServer,
  sandbox: SandboxCore,
  stopRequest: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      stopRequest.removeEventListener('abort', stop);
      for (const signal of SIGNALS) process.off(signal, stop).once(signal, () => process.exit(1));
      const finish = async () => {
        reportSave(await sandbox.saveState());
        sandbox.stop();
      };
      void server.close(GRACE_MS).then(finish).then(resolve, reject);
    };
    for (const signal of SIGNALS) process.once(signal, stop);
    stopRequest.addEventListener('abort', stop);
  });
}
