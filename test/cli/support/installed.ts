import { spawnSync } from 'node:child_process';

/** Returns whether a program is installed and accepts these arguments; not every machine has every program. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
