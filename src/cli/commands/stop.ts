import { Option } from 'commander';
import { type Client, RefusedError, type SandboxInfo, UnreachableError } from '../../client/client.ts';
import type { ControlResult } from '../../client/generated/control-api.ts';
import { MAX_TIMER_MS } from '../../core/time/realtime.ts';
import { AbortSignal, sleep } from '../../core/values/builtins.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { instanceFlag, runsHere } from '../connection/instance.ts';
import { UsageError } from '../errors.ts';
import { checkField, duration, printFlag } from '../flags.ts';
import { outputBody } from '../output/response.ts';

interface StopFlags extends ConnectionFlags {
  readonly instance?: string;
  readonly timeout: number;
}

const INTERVAL_MS = 20;

export const add: AddCommand = program => {
  const command = commandAt(program, ['stop'])
    .description('Stop a sandbox that start runs, and wait until its process has ended.')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait').argParser(duration).default(10_000, '10s'),
    );
  connectionFlags(instanceFlag(printFlag(command)))
    .addHelpText('after', examples('stop', 'stop --url http://127.0.0.1:4300'))
    .action((flags: StopFlags) => {
      if (flags.print !== undefined) checkField(command, flags.print, ['stopped', 'url', 'instance', 'pid']);
      if (command.getOptionValueSource('world') === 'cli' && !['', 'main'].includes(flags.world ?? '')) {
        throw new UsageError(
          `stop ends the sandbox with all its worlds; worlds remove ${flags.world} ends one world`,
        );
      }
      // The variable is for commands of a world.
      return stop(connect({ ...flags, world: undefined }), flags);
    });
};

async function stop(client: Client, flags: StopFlags): Promise<void> {
  const { instance, timeout } = flags;
  const body = instance === undefined ? {} : { instance };
  const signal = AbortSignal.timeout(Math.ceil(Math.min(timeout, MAX_TIMER_MS)));
  const response = await client.control({ method: 'POST', path: '/stop', body, signal }).catch(error => {
    throw signal.aborted ? new Error(`the server at ${client.url} does not answer in time`) : error;
  });
  // The sandbox validates its responses.
  const stopped = response.body as ControlResult<'stop'>;
  while ((await responds(client, stopped, signal)) || runsHere(stopped)) {
    if (signal.aborted) {
      throw new Error(`process ${stopped.pid} of the sandbox at ${client.url} has not ended in time`);
    }
    await sleep(INTERVAL_MS);
  }
  const { pid, saveError } = stopped;
  if (saveError !== undefined) {
    throw new Error(
      `process ${pid} of the sandbox at ${client.url} has ended, but its state is not saved: ${saveError}`,
    );
  }
  const result = { stopped: true, url: client.url, instance: stopped.instance, pid };
  return outputBody(result, flags, () => `stopped the sandbox at ${client.url}, process ${pid}`);
}

/** Returns whether the process still responds. Another one may have taken over the port. */
async function responds(
  client: Client,
  { instance }: ControlResult<'stop'>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { body } = await client.control({ method: 'GET', path: '/info', signal });
    return (body as SandboxInfo).process?.instance === instance;
  } catch (error) {
    if (signal.aborted) return true;
    if (error instanceof UnreachableError) return false;
    // A proxy responds in place of a process that is down.
    if (error instanceof RefusedError && error.status >= 502) return false;
    throw error;
  }
}
