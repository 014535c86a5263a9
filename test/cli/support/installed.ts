import { spawnSync } from 'node:child_process';

/** Whether a program is there and takes such arguments: some tests need one that not every machine has. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
