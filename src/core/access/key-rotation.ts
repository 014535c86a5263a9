import { keepNewest } from '../store/table.ts';
import type { WorldState } from '../world/world-state.ts';
import { type ApiKeyRow, apiKeys, currentKey, MAX_KEYS, newApiKey } from './partners.ts';

/** Issues a new API key for a partner. The one before works for the grace period, in milliseconds of sandbox time. */
export function rotateApiKey(
  state: WorldState,
  partnerId: string,
  gracePeriodMs: number,
): { readonly key: ApiKeyRow; readonly previousValidUntil: number } {
  const keys = state.table(apiKeys);
  const previousValidUntil = state.clock.now() + gracePeriodMs;
  keys.update(currentKey(state, partnerId), { validUntil: previousValidUntil });
  const key = keys.insert({ id: newApiKey(state), partnerId, validUntil: null });
  keepNewest(keys, partnerId, MAX_KEYS, () => [keys.ofPartner(partnerId).within({ to: state.clock.now() })]);
  return { key, previousValidUntil };
}
