import { readFileSync } from 'node:fs';
import { once } from '../core/values/once.ts';

export interface ConnectionShares {
  /** Connections of clients. */
  readonly incoming: number;
  /** Connections to receivers of webhooks. */
  readonly outgoing: number;
}

/** Open files that connections leave to the process itself, and to the files that requests read. */
const RESERVED_FILES = 96;

/**
 * Returns how many connections of each kind this process may have, so that neither kind takes the files of the other, and
 * both leave some to the process. Returns null when there is no limit on open files, or none is known.
 */
export const connectionShares: () => ConnectionShares | null = once(() => {
  const limit = openFileLimit();
  if (limit === null) return null;
  const connections = Math.max(limit - RESERVED_FILES, Math.floor(limit / 2));
  const outgoing = Math.floor(connections / 4);
  return { incoming: connections - outgoing, outgoing };
});

/** The number of files, sockets included, that the process may have open; null when there is no limit, or none is known. */
function openFileLimit(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    // Only Linux has this file.
    return null;
  }
}
