import { isObject } from '../../../core/request/input.ts';
import { isStateDocument, STATE_VERSION } from '../../../core/world/state-document.ts';

/** Tables of version 1 that have another name since version 2. */
export const RENAMED_TABLES: Readonly<Record<string, string>> = { vault: 'cardNumbers' };

/** Kinds of timers of version 1 that have another name since version 2. */
const TIMER_KINDS: Readonly<Record<string, string>> = {
  'kyc.decision': 'kyc.decide',
  'balance.low-check': 'balance.checkLow',
  'webhook attempt': 'delivery.attempt',
};

/**
 * Converts a state document of version 1 to version 2, which only renames. Returns anything else unchanged, and
 * leaves what is invalid for the reader to report.
 */
export function upgradeState(value: unknown): unknown {
  if (!isStateDocument(value) || value.version !== 1) return value;
  const { clock, counts, tables } = value;
  return {
    ...value,
    version: STATE_VERSION,
    clock: isObject(clock) ? { ...clock, timers: renameKinds(clock.timers) } : clock,
    counts: renameTables(counts),
    tables: renameTables(tables),
  };
}

function renameTables(byName: unknown): unknown {
  if (!isObject(byName)) return byName;
  return Object.fromEntries(
    Object.entries(byName).map(([name, each]) => [RENAMED_TABLES[name] ?? name, each]),
  );
}

function renameKinds(timers: unknown): unknown {
  if (!Array.isArray(timers)) return timers;
  return timers.map((timer: unknown) =>
    isObject(timer) ? { ...timer, kind: TIMER_KINDS[String(timer.kind)] ?? timer.kind } : timer,
  );
}
