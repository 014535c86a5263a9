import * as z from 'zod';
import { partners } from '../core/access/partners.ts';
import type { WorldState } from '../core/world/world-state.ts';

/** Throws the 404 for the id of no partner, so that a misspelled scope is not taken for one without records. */
export function knownPartner(state: WorldState, partnerId: string | undefined): void {
  if (partnerId !== undefined) state.table(partners).existing(partnerId);
}

export const faultScope = z.object({
  partnerId: z
    .string()
    .optional()
    .describe('Only the faults that are limited to this partner. Default: all faults.'),
});
