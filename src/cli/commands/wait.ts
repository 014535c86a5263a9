import { Option } from 'commander';
import { type Client, RefusedError, UnreachableError } from '../../client/client.ts';
import { AbortSignal, performance, sleep } from '../../core/values/builtins.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { checkField, duration, printFlag } from '../flags.ts';
import { outputBody } from '../output/response.ts';

interface WaitFlags extends ConnectionFlags {
  readonly timeout: number;
}

const AFTER = `
Fails at once when another server responds.
${examples('wait --timeout 10s && npm test')}`;

const INTERVAL_MS = 100;
const MAX_ATTEMPT_MS = 2_000;

export const add: AddCommand = program => {
  const command = commandAt(program, ['wait'])
    .description('Wait until a sandbox responds. (events wait waits for a delivery.)')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait').argParser(duration).default(30_000, '30s'),
    );
  connectionFlags(printFlag(command))
    .addHelpText('after', AFTER)
    .action(async (flags: WaitFlags) => {
      if (flags.print !== undefined) checkField(command, flags.print, ['status', 'version']);
      await outputBody(await pollHealth(connect(flags), flags), flags);
    });
};

/**
 * Resolves with the health of the sandbox once it responds. Rejects when it does not within the timeout, and at once when
 * another server responds.
 */
async function pollHealth(client: Client, { timeout }: WaitFlags): Promise<unknown> {
  const end = performance.now() + timeout;
  // An attempt that the timeout cuts short says less than the attempts before it.
  let reason = `no sandbox answers at ${client.url} in time`;
  for (;;) {
    const left = Math.max(1, end - performance.now());
    const signal = AbortSignal.timeout(Math.ceil(Math.min(left, MAX_ATTEMPT_MS)));
    try {
      return (await client.control({ method: 'GET', path: '/health', signal })).body;
    } catch (error) {
      if (!signal.aborted) reason = reasonToWait(error);
      if (performance.now() + INTERVAL_MS >= end) throw new UnreachableError(reason, client.url);
    }
    await sleep(INTERVAL_MS);
  }
}

/**
 * Returns the message of an error that may go. Throws the others again: a 4xx, such as a wrong control token, stays. A 5xx
 * of another server may come from a proxy whose sandbox starts.
 */
function reasonToWait(error: unknown): string {
  const isOfSandbox = error instanceof RefusedError || error instanceof UnreachableError;
  if (isOfSandbox && (error.status ?? 500) >= 500) return error.message;
  throw error;
}
