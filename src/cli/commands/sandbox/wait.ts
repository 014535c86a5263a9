import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { type Client, type ClientResponse, RefusedError, UnreachableError } from '../../../client/client.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { duration } from '../../flags.ts';
import { outputResponse } from '../../output/response.ts';

interface WaitFlags extends ConnectionFlags {
  readonly timeout: number;
}

const INTERVAL_MS = 100;
const MAX_ATTEMPT_MS = 2_000;

/** Adds `wait`, which ends once a sandbox responds. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['wait'])
    .description('Wait until a sandbox responds. (events wait waits for a delivery.)')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait').argParser(duration).default(30_000, '30s'),
    );
  connectionFlags(command)
    .addHelpText('after', examples('wait --timeout 10s && npm test'))
    .action(async (flags: WaitFlags) =>
      outputResponse(await pollHealth(connect(flags), flags.timeout), flags),
    );
};

/** Resolves with the health of the sandbox once it responds. Rejects when it does not within the timeout. */
async function pollHealth(client: Client, timeoutMs: number): Promise<ClientResponse> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.max(1, end - performance.now());
    const signal = AbortSignal.timeout(Math.ceil(Math.min(left, MAX_ATTEMPT_MS)));
    try {
      return await client.control({ method: 'GET', path: '/health', signal });
    } catch (error) {
      // A 4xx, such as a wrong control token, does not go away by waiting.
      if (error instanceof RefusedError && error.status < 500) throw error;
      if (performance.now() + INTERVAL_MS >= end) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new UnreachableError(signal.aborted ? `no sandbox answers at ${client.url} in time` : reason);
      }
    }
    await sleep(INTERVAL_MS);
  }
}
