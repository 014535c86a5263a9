import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { errorCode } from '../errors.ts';
import { visibleText } from '../flags.ts';

export function instanceFlag(command: Command): Command {
  return command.addOption(
    new Option('--instance <id>', 'fail unless this process responds; start --background prints its id')
      .env('CARD_SANDBOX_INSTANCE')
      .argParser(visibleText),
  );
}

/** Rejects when another instance responds at the address. */
export async function checkInstance(client: Client, instance: string | undefined): Promise<void> {
  if (instance === undefined) return;
  // Only main shows the process.
  const { process: found } = await client.inWorld('main').info();
  if (found?.instance === instance) return;
  const other = found === null ? 'which is part of another program' : `instance ${found.instance}`;
  throw new Error(
    `another sandbox responds at ${client.url}, ${other}, not instance ${instance}; stop it, or use another port`,
  );
}

export function runsHere({ machine, pid }: { readonly machine: string; readonly pid: number }): boolean {
  if (machine !== hostname()) return false;
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
