import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { type Client, type ClientResponse, RefusedError, UnreachableError } from '../../../client/client.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { duration } from '../../flags.ts';
import { deliver } from '../../output/response.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';

interface WaitFlags extends ConnectionFlags {
  readonly timeout: number;
}

const PAUSE_MS = 100;
const LONGEST_ATTEMPT_MS = 2_000;

/** Adds `wait`, which ends once a sandbox answers. */
export const addWait: AddCommands = program => {
  const command = commandAt(program, ['wait'])
    .description('Wait until a sandbox answers. (events wait waits for a delivery.)')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait').argParser(duration).default(30_000, '30s'),
    );
  connectionFlags(command)
    .addHelpText('after', examples('wait --timeout 10s && npm test'))
    .action(async (flags: WaitFlags) => deliver(await answering(connect(flags), flags.timeout), flags));
};

/** Resolves with the health of the sandbox once it answers; rejects when it does not in time. */
async function answering(client: Client, timeoutMs: number): Promise<ClientResponse> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.max(1, end - performance.now());
    const signal = AbortSignal.timeout(Math.ceil(Math.min(left, LONGEST_ATTEMPT_MS)));
    try {
      return await client.control({ method: 'GET', path: '/health', signal });
    } catch (error) {
      // A refusal is an answer: it will not get better by waiting.
      if (error instanceof RefusedError && error.status < 500) throw error;
      if (performance.now() + PAUSE_MS >= end) {
        const why = error instanceof Error ? error.message : String(error);
        throw new UnreachableError(signal.aborted ? `no sandbox answers at ${client.url} in time` : why);
      }
    }
    await sleep(PAUSE_MS);
  }
}
