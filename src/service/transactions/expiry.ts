import type { Task } from '../../core/time/task.ts';
import { END_OF_TIME, isoTime } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { ProgramRow } from '../programs/records.ts';
import { authorizationTtl } from '../programs/rules.ts';
import type { TransactionRow } from './records.ts';

/** The task kind of the expiry of an authorization; `ref` is the transaction. */
export const EXPIRY = 'transaction.expire';

/**
 * Returns when an authorization expires, or null if it never does. One that is older than that already, which only a
 * fixture has, gets the time from now.
 */
export function expiryOf(state: WorldState, program: ProgramRow, createdAt: string): string | null {
  const ttl = authorizationTtl(state, program);
  if (ttl === null) return null;
  const at = Date.parse(createdAt) + ttl;
  const expiresAt = at <= state.clock.now() ? state.clock.now() + ttl : at;
  return expiresAt > END_OF_TIME ? null : isoTime(expiresAt);
}

/** Whether the authorization reverses itself in the future. */
export function waitsForExpiry({ status, expiresAt }: TransactionRow): boolean {
  return status === 'authorized' && expiresAt !== undefined;
}

/** Schedules the expiry of an authorization, if it expires. */
export function scheduleExpiry(state: WorldState, { id, status, expiresAt }: TransactionRow): void {
  if (status === 'authorized' && expiresAt !== undefined) {
    state.clock.schedule(Date.parse(expiresAt), expiryTask(id));
  }
}

/** Cancels the expiry of an authorization that has ended. */
export function cancelExpiry(state: WorldState, transactionId: string): void {
  state.clock.cancel(expiryTask(transactionId));
}

function expiryTask(ref: string): Task {
  return { kind: EXPIRY, ref };
}
