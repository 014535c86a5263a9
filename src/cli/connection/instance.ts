import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { Option } from 'commander';
import { type Client, RefusedError } from '../../client/client.ts';
import { errorCode } from '../errors.ts';
import { visibleText } from '../flags.ts';

/** The process of a running sandbox. */
export interface SandboxProcess {
  readonly instance: string;
  readonly pid: number;
  readonly machine: string;
}

/** Adds the flag that ties a command to one process. */
export function instanceFlag(command: Command): Command {
  return command.addOption(
    new Option('--instance <id>', 'fail unless this process responds; start --background prints its id')
      .env('CARD_SANDBOX_INSTANCE')
      .argParser(visibleText),
  );
}

/** Resolves with the process of a sandbox; null when the sandbox is part of another program. */
export async function processOf(client: Client): Promise<SandboxProcess | null> {
  try {
    // The sandbox validates its responses.
    return (await client.control({ method: 'GET', path: '/process' })).body as SandboxProcess;
  } catch (error) {
    // An older sandbox knows no such path.
    if (error instanceof RefusedError && [404, 409].includes(error.status)) return null;
    throw error;
  }
}

/** Rejects when another sandbox than that of an instance responds at the address. */
export async function checkInstance(client: Client, instance: string | undefined): Promise<void> {
  if (instance === undefined) return;
  const found = await processOf(client);
  if (found?.instance === instance) return;
  const other = found === null ? 'which is part of another program' : `instance ${found.instance}`;
  throw new Error(
    `another sandbox responds at ${client.url}, ${other}, not instance ${instance}; stop it, or use another port`,
  );
}

/** Returns whether the process of an instance is known to have ended. Its id begins with the process id. */
export function hasEnded(instance: string | undefined): boolean {
  const pid = /^(\d+)-/.exec(instance ?? '')?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

/** Returns whether a process runs on this machine. */
export function runsHere({ machine, pid }: SandboxProcess): boolean {
  return machine === hostname() && isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Returns whether a process has ended and its parent has not taken note, as in containers without an init process. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''));
  } catch {
    // Systems other than Linux have no such file.
    return false;
  }
}
