import { spawnSync } from 'node:child_process';

/** Returns whether a process runs. One that has ended is listed as a zombie until its parent reaps it. */
export function isRunning(pid: string | number = ''): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
