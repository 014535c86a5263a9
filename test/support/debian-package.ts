import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const INSTALL_LIMIT_MS = 300_000;

/** Returns the path of the first of these commands that is on the search path, or null. */
export function findCommand(commands: readonly string[], folders = searchPath()): string | null {
  const all = commands.flatMap(command => folders.map(folder => join(folder, command)));
  return all.find(file => existsSync(file)) ?? null;
}

/** The folders of the search path. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}

/** Installs a package of Debian when this process is root. Returns whether it is installed. */
export function installPackage(name: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const apt = 'apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=15 -o Acquire::Retries=1';
  const script = `command -v ${name} || (${apt} update && ${apt} install -y --no-install-recommends ${name})`;
  // Concurrent test processes wait for each other: an update of apt fails at once while another one runs.
  const lock = join(tmpdir(), 'card-sandbox-install.lock');
  try {
    execFileSync('flock', [lock, 'sh', '-c', script], {
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch {
    return false;
  }
}
