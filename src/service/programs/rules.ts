import { assumed, badRequest } from '../../core/operation/errors.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type ProgramRow, programs } from './records.ts';

/** How long the authorizations of a program last, in milliseconds; null if they never expire. */
export function authorizationTtl(state: WorldState, { authorizationTtlMs }: ProgramRow): number | null {
  return authorizationTtlMs === undefined ? state.assumptions['authorization-ttl'] : authorizationTtlMs;
}

/** Returns the named program of a partner, by default its first. Throws a 404 or, without any program, a 400. */
export function programOrFirst(
  state: WorldState,
  partnerId: string,
  programId: string | undefined,
): ProgramRow {
  const table = state.table(programs);
  if (programId !== undefined) return table.getOwn(partnerId, programId);
  const first = table.ofPartner(partnerId).at(0);
  if (first !== undefined) return first;
  const message = `body.cardProgramId: partner ${partnerId} has no card program; add one to its fixture`;
  throw badRequest(assumed('shortcuts'), message);
}
